// Copies, views, graphs and questions of a tensor, one a line: what the model says of each, and
// the facts that follow.
//
// REQUIRES: torch
// RUN: %check_facts %s
#include <torch/torch.h>

using torch::Tensor;
namespace F = torch::nn::functional;

//===-- Copies ----------------------------------------------------------===//

void copies(Tensor x, Tensor y, c10::Stream stream) {
  x.clone(); // FACTS: call clone: Copy LikeSelf Fresh, shape Same; Compute clone(x)
  x.to(torch::kCPU); // FACTS: call to: Copy LikeSelf Moves, shape Same; Compute to(x)
  x.cuda(); // FACTS: call cuda: Copy LikeSelf Moves ToDevice, shape Same; Compute cuda(x)
  x.cpu(); // FACTS: call cpu: Copy LikeSelf, shape Same; Compute cpu(x)
  x.pin_memory(); // FACTS: call pin_memory: Copy LikeSelf, shape Same; Compute pin_memory(x)
  x.contiguous(); // FACTS: call contiguous: Copy LikeSelf, shape Same; Compute contiguous(x)
  x.type(); // FACTS: call type: Copy LikeSelf, shape Same; Compute type(x)
  x.toType(torch::kFloat); // FACTS: call toType: Copy LikeSelf, shape Same; Compute toType(x)
  torch::alias_copy(x); // FACTS: call alias_copy: Copy LikeSelf, shape Same; Compute alias_copy(x)
  x.to_dense(); // FACTS: call to_dense: Copy LikeSelf, shape Same; Compute to_dense(x)
  x.to_sparse(); // FACTS: call to_sparse: Copy LikeSelf, shape Same; Compute to_sparse(x)
  x.type_as(y); // FACTS: call type_as: Copy LikeSelf, shape Same; Compute type_as(x, y)
}

//===-- Views -----------------------------------------------------------===//

void views(Tensor x, Tensor y, c10::Stream stream) {
  x.select(0, 1); // FACTS: call select: View, shape Select; Compute select(x)
  x[0]; // FACTS: call operator[]: View, shape Select; Compute operator[](x)
  x.t(); // FACTS: call t: View, shape Transpose; Compute t(x)
  x.mT(); // FACTS: call mT: View, shape Transpose; Compute mT(x)
  x.transpose(0, 1); // FACTS: call transpose: View, shape Transpose; Compute transpose(x)
  x.swapaxes(0, 1); // FACTS: call swapaxes: View, shape Transpose; Compute swapaxes(x)
  x.narrow(0, 0, 1); // FACTS: call narrow: View, shape Narrow; Compute narrow(x)
  x.slice(0); // FACTS: call slice: View, shape Slice; Compute slice(x)
  x.view({-1}); // FACTS: call view: View, shape Reshape; Compute view(x)
  x.reshape({-1}); // FACTS: call reshape: View, shape Reshape; Compute reshape(x)
  x.squeeze(); // FACTS: call squeeze: View, shape Squeeze; Compute squeeze(x)
  x.unsqueeze(0); // FACTS: call unsqueeze: View, shape Unsqueeze; Compute unsqueeze(x)
  x.permute({1, 0}); // FACTS: call permute: View, shape Permute; Compute permute(x)
  x.expand({2, 2}); // FACTS: call expand: View, shape Expand; Compute expand(x)
  x.expand_as(y); // FACTS: call expand_as: View; Compute expand_as(x, y)
  x.view_as(y); // FACTS: call view_as: View; Compute view_as(x, y)
  x.reshape_as(y); // FACTS: call reshape_as: View; Compute reshape_as(x, y)
  x.flatten(); // FACTS: call flatten: View, shape Flatten; Compute flatten(x)
  x.unflatten(0, c10::IntArrayRef({2, 2})); // FACTS: call unflatten: View; Compute unflatten(x)
  x.chunk(2); // FACTS: call chunk: View; Compute chunk(x)
  x.split(2); // FACTS: call split: View; Compute split(x)
  x.split_with_sizes({1, 1}); // FACTS: call split_with_sizes: View; Compute split_with_sizes(x)
  x.unbind(); // FACTS: call unbind: View; Compute unbind(x)
  x.diagonal(); // FACTS: call diagonal: View; Compute diagonal(x)
  x.movedim(0, 1); // FACTS: call movedim: View; Compute movedim(x)
  x.unfold(0, 1, 1); // FACTS: call unfold: View; Compute unfold(x)
  x.as_strided({1}, {1}); // FACTS: call as_strided: View; Compute as_strided(x)
  x.index({0}); // FACTS: call index: View, shape Index; Compute index(x)
  x.accessor<float, 2>(); // FACTS: call accessor: View; Compute accessor(x)
  x.mH(); // FACTS: call mH: View; Compute mH(x)
  x.numpy_T(); // FACTS: call numpy_T: View; Compute numpy_T(x)
  torch::real(x); // FACTS: call real: View; Compute real(x)
  torch::imag(x); // FACTS: call imag: View; Compute imag(x)
  torch::alias(x); // FACTS: call alias: View, shape Same; Compute alias(x)
  x.diag(); // FACTS: call diag: View; Compute diag(x)
  x.tensor_split(2); // FACTS: call tensor_split: View; Compute tensor_split(x)
  x.hsplit(2); // FACTS: call hsplit: View; Compute hsplit(x)
  x.vsplit(2); // FACTS: call vsplit: View; Compute vsplit(x)
}

//===-- The graph of self -----------------------------------------------===//

void the_graph_of_self(Tensor x, Tensor y, c10::Stream stream) {
  x.detach(); // FACTS: call detach: Detach LikeSelf, shape Same; Compute detach(x)
  x.data(); // FACTS: call data: Detach LikeSelf, shape Same; Compute data(x)
  x.variable_data(); // FACTS: call variable_data: Detach LikeSelf, shape Same; Compute variable_data(x)
  x.tensor_data(); // FACTS: call tensor_data: Detach LikeSelf, shape Same; Compute tensor_data(x)
  x.detach_(); // FACTS: call detach_: DetachSelf, shape Same; DetachSelf x
  x.requires_grad_(); // FACTS: call requires_grad_: RequireGrad, shape Same; Compute requires_grad_(x), a leaf that requires grad; LeafSelf x
  x.set_requires_grad(true); // FACTS: call set_requires_grad: RequireGrad, shape Same; Compute set_requires_grad(x), a leaf that requires grad; LeafSelf x
  x.reset(); // FACTS: call reset: Drop; Drop x
  x.unsafeReleaseTensorImpl(); // FACTS: call unsafeReleaseTensorImpl: Release; Compute unsafeReleaseTensorImpl(x); resource Acquire := Reference
  x.unsafeReleaseIntrusivePtr(); // FACTS: call unsafeReleaseIntrusivePtr: Release; Compute unsafeReleaseIntrusivePtr(x)
  x.backward(); // FACTS: call backward: Backward; Backward x with x
  x.grad(); // FACTS: call grad: GradOf, shape Same; Compute grad(x)
  x.mutable_grad(); // FACTS: call mutable_grad: GradOf, shape Same; Compute mutable_grad(x)
  x.register_hook([](Tensor g) { return g; }); // FACTS: Return g := g; resource Return g := g; call register_hook: Hook; UserCall with ?, in operator(); Hook x := x
  x.remove_hook(0); // FACTS: call remove_hook: Unhook; Unhook x
}

//===-- In place --------------------------------------------------------===//

void in_place(Tensor x, Tensor y, c10::Stream stream) {
  x += y; // FACTS: call operator+=: InPlace Accumulates, shape Same; Compute operator+=(x, y); Mutate x := operator+=(x, y) with y
  x -= y; // FACTS: call operator-=: InPlace Accumulates, shape Same; Compute operator-=(x, y); Mutate x := operator-=(x, y) with y
  x.add_(y); // FACTS: call add_: InPlace Accumulates, shape Same; Compute add_(x, y); Mutate x := add_(x, y) with y
  x.sub_(y); // FACTS: call sub_: InPlace Accumulates, shape Same; Compute sub_(x, y); Mutate x := sub_(x, y) with y
  x *= y; // FACTS: call operator*=: InPlace, shape Same; Compute operator*=(x, y); Mutate x := operator*=(x, y) with y
  x /= y; // FACTS: call operator/=: InPlace, shape Same; Compute operator/=(x, y); Mutate x := operator/=(x, y) with y
  x.set_data(y); // FACTS: call set_data: InPlace; Compute set_data(x, y); Mutate x := set_data(x, y) with y
  x.index_put_({0}, y); // FACTS: call index_put_: InPlace, shape Same; Compute index_put_(x, y); Mutate x := index_put_(x, y) with y
  x.copy_(y); // FACTS: call copy_: InPlace, shape Same; Compute copy_(x, y); Mutate x := copy_(x, y) with y
  x.zero_(); // FACTS: call zero_: InPlace Zeroes, shape Same; Compute zero_(x); Mutate x := zero_(x)
  x.fill_(0); // FACTS: call fill_: InPlace Zeroes, shape Same; Compute fill_(x); Mutate x := fill_(x)
}

//===-- What only looks -------------------------------------------------===//

void what_only_looks(Tensor x, Tensor y, c10::Stream stream) {
  x.item<float>(); // FACTS: call item: Nothing
  x.size(0); // FACTS: call size: Nothing ZeroIfEmpty, shape Size
  x.sizes(); // FACTS: call sizes: Nothing, shape Sizes
  x.dim(); // FACTS: call dim: Nothing
  x.numel(); // FACTS: call numel: Nothing ZeroIfEmpty, shape Elements
  x.nbytes(); // FACTS: call nbytes: Nothing ZeroIfEmpty
  x.element_size(); // FACTS: call element_size: Nothing
  x.stride(0); // FACTS: call stride: Nothing
  x.strides(); // FACTS: call strides: Nothing
  x.defined(); // FACTS: call defined: Nothing ZeroIfEmpty
  x.is_cuda(); // FACTS: call is_cuda: Nothing
  x.device(); // FACTS: call device: Nothing
  x.dtype(); // FACTS: call dtype: Nothing
  x.scalar_type(); // FACTS: call scalar_type: Nothing
  x.options(); // FACTS: call options: Nothing
  x.data_ptr(); // FACTS: call data_ptr: Nothing
  x.use_count(); // FACTS: call use_count: Nothing
  x.is_contiguous(); // FACTS: call is_contiguous: Nothing
  x.requires_grad(); // FACTS: call requires_grad: Nothing
  x.is_leaf(); // FACTS: call is_leaf: Nothing
  x.grad_fn(); // FACTS: call grad_fn: Nothing
  x.print(); // FACTS: call print: Nothing
  x.toString(); // FACTS: call toString: Nothing
  x.allclose(y); // FACTS: call allclose: Nothing
  x.is_same(y); // FACTS: call is_same: Nothing
  x.has_storage(); // FACTS: call has_storage: Nothing
  x.storage(); // FACTS: call storage: Nothing
  x.storage_offset(); // FACTS: call storage_offset: Nothing
  x.itemsize(); // FACTS: call itemsize: Nothing
  x.ndimension(); // FACTS: call ndimension: Nothing
  x.get_device(); // FACTS: call get_device: Nothing
  x.layout(); // FACTS: call layout: Nothing
  x.is_floating_point(); // FACTS: call is_floating_point: Nothing
  x.is_complex(); // FACTS: call is_complex: Nothing
  x.retain_grad(); // FACTS: call retain_grad: Nothing
  x.unsafeGetTensorImpl(); // FACTS: call unsafeGetTensorImpl: Nothing
  x.packed_accessor32<float, 1>(); // FACTS: call packed_accessor32: Nothing
  x.packed_accessor64<float, 1>(); // FACTS: call packed_accessor64: Nothing
  x.generic_packed_accessor<float, 1>(); // FACTS: call generic_packed_accessor: Nothing
  x.names(); // FACTS: call names: Nothing
  x.sym_size(0); // FACTS: call sym_size: Nothing
  x.sym_sizes(); // FACTS: call sym_sizes: Nothing
  x.output_nr(); // FACTS: call output_nr: Nothing
  x._version(); // FACTS: call _version: Nothing
  x.is_sparse(); // FACTS: call is_sparse: Nothing
  x.is_quantized(); // FACTS: call is_quantized: Nothing
  x.record_stream(stream); // FACTS: call record_stream: Nothing; resource EscapeTree stream
}
