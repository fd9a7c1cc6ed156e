// Functions of LibTorch, one a line: what the model says of each, and the facts that follow.
//
// REQUIRES: torch
// RUN: %check_facts %s
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

//===-- Factories ---------------------------------------------------------===//

void factories(Tensor x) {
  torch::zeros({2}); // FACTS: call zeros: Create, shape Factory; Compute zeros()
  torch::ones({2}); // FACTS: call ones: Create, shape Factory; Compute ones()
  torch::rand({2}); // FACTS: call rand: Create, shape Factory; Compute rand()
  torch::randn({2}); // FACTS: call randn: Create, shape Factory; Compute randn()
  torch::empty({2}); // FACTS: call empty: Create, shape Factory; Compute empty()
  torch::full({2}, 1); // FACTS: call full: Create, shape Factory; Compute full()
  torch::arange(3); // FACTS: call arange: Create, shape Range; Compute arange()
  torch::eye(3); // FACTS: call eye: Create; Compute eye()
  torch::linspace(0, 1, 3); // FACTS: call linspace: Create, shape Range; Compute linspace()
  torch::logspace(0, 1, 3); // FACTS: call logspace: Create, shape Range; Compute logspace()
  torch::tensor(1.0f); // FACTS: call tensor: Create, shape Factory; Compute tensor()
  torch::scalar_tensor(1); // FACTS: call scalar_tensor: Create, shape Factory; Compute scalar_tensor()
  torch::randint(5, {2}); // FACTS: call randint: Create, shape Factory; Compute randint()
  torch::randperm(5); // FACTS: call randperm: Create, shape Range; Compute randperm()
  at::range(0, 1, torch::kCPU); // FACTS: call range: Create; Compute range()
  torch::hann_window(3); // FACTS: call hann_window: Create, shape Range; Compute hann_window()
  torch::hamming_window(3); // FACTS: call hamming_window: Create, shape Range; Compute hamming_window()
  torch::tril_indices(2, 2); // FACTS: call tril_indices: Create; Compute tril_indices()
  torch::triu_indices(2, 2); // FACTS: call triu_indices: Create; Compute triu_indices()
  c10::scalar_to_tensor(1); // FACTS: call scalar_to_tensor: Create; Compute scalar_to_tensor()
  torch::empty_strided({2}, {1}); // FACTS: call empty_strided: Create; Compute empty_strided()
  x.new_zeros({2}); // FACTS: call new_zeros: Create, shape Factory; Compute new_zeros(x)
  x.new_ones({2}); // FACTS: call new_ones: Create, shape Factory; Compute new_ones(x)
  x.new_empty({2}); // FACTS: call new_empty: Create, shape Factory; Compute new_empty(x)
  x.new_full({2}, 1); // FACTS: call new_full: Create, shape Factory; Compute new_full(x)
  torch::zeros_like(x); // FACTS: call zeros_like: Create LikeSelf, shape Same; Compute zeros_like(x)
  torch::ones_like(x); // FACTS: call ones_like: Create LikeSelf, shape Same; Compute ones_like(x)
  torch::rand_like(x); // FACTS: call rand_like: Create LikeSelf, shape Same; Compute rand_like(x)
  torch::randn_like(x); // FACTS: call randn_like: Create LikeSelf, shape Same; Compute randn_like(x)
  torch::empty_like(x); // FACTS: call empty_like: Create LikeSelf, shape Same; Compute empty_like(x)
  torch::full_like(x, 1); // FACTS: call full_like: Create LikeSelf, shape Same; Compute full_like(x)
}

//===-- Memory of somebody else, and lists ---------------------------------===//

void lists(Tensor x, Tensor y, float *data) {
  torch::from_blob(data, {2}); // FACTS: call from_blob: Blob, shape Factory; Compute from_blob(data); resource View data
  torch::cat({x, y}); // FACTS: call cat: Concat, shape Concat; Compute cat({{{x, y}}})
  torch::stack({x, y}); // FACTS: call stack: Concat, shape Stack; Compute stack({{{x, y}}})
  torch::concat({x, y}); // FACTS: call concat: Concat, shape Concat; Compute concat({{{x, y}}})
  torch::vstack({x, y}); // FACTS: call vstack: Concat; Compute vstack({{{x, y}}})
  torch::hstack({x, y}); // FACTS: call hstack: Concat; Compute hstack({{{x, y}}})
  torch::dstack({x, y}); // FACTS: call dstack: Concat; Compute dstack({{{x, y}}})
  torch::nn::utils::rnn::pad_sequence({x, y}); // FACTS: call pad_sequence: Concat; Compute pad_sequence({{{x, y}}})
  torch::column_stack({x, y}); // FACTS: call column_stack: Concat; Compute column_stack({{{x, y}}})
  torch::meshgrid({x, y}); // FACTS: call meshgrid: Concat; Compute meshgrid({{{x, y}}})
  torch::broadcast_tensors({x, y}); // FACTS: call broadcast_tensors: Concat; Compute broadcast_tensors({{{x, y}}})
  torch::block_diag({x, y}); // FACTS: call block_diag: Concat; Compute block_diag({{{x, y}}})
  torch::cartesian_prod({x, y}); // FACTS: call cartesian_prod: Concat; Compute cartesian_prod({{{x, y}}})
  torch::atleast_1d(x); // FACTS: call atleast_1d: Concat; Compute atleast_1d(x)
}

//===-- torch::autograd ---------------------------------------------------===//

void backward_passes(Tensor x, Tensor y) {
  torch::autograd::backward({x}, {}, /*retain_graph=*/true, /*create_graph=*/false); // FACTS: call backward: Backward; Backward {{{x}}} with {{{x}}}, retains graph
  torch::autograd::grad({x}, {y}); // FACTS: call grad: AutogradGrad; Backward {{{x}}} with {{{x}}}, {{{y}}}; Compute grad()
}

//===-- torch::autograd::AutogradContext ----------------------------------===//

struct Kept : torch::autograd::Function<Kept> {
  static Tensor forward(torch::autograd::AutogradContext *context, Tensor x) {
    context->saved_data.insert({"x", x}); // FACTS: call insert: Grow; Grow context.saved_data := {x}, SavedWithNode; resource EscapeTree x
    context->saved_data["x"] = x; // FACTS: call operator=: not in the model; call operator[]: Element; StoreWeak context.saved_data := {x}, keyed, SavedWithNode
    return x;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *,
                                                 torch::autograd::variable_list gradients) {
    return gradients;
  }
};

//===-- torch::autograd::Function -----------------------------------------===//

void function(Tensor x) {
  Kept::apply(x); // FACTS: call apply: Compute; Compute apply(x); resource EscapeTree x
}

//===-- c10::TensorOptions ------------------------------------------------===//

void options(torch::TensorOptions of) {
  of.requires_grad(true); // FACTS: call requires_grad: RequireGrad; Compute requires_grad(), a leaf that requires grad; LeafSelf
}

//===-- c10 ---------------------------------------------------------------===//

void options_by_themselves() {
  torch::requires_grad(true); // FACTS: call requires_grad: RequireGrad; Compute requires_grad(), a leaf that requires grad; LeafSelf
}

//===-- torch -------------------------------------------------------------===//

void files(Tensor x) {
  torch::save(x, "x.pt"); // FACTS: call save: Nothing
  torch::load(x, "x.pt"); // FACTS: call load: Nothing; resource EscapeTree x
}

//===-- at ----------------------------------------------------------------===//

void settings(Tensor x) {
  torch::manual_seed(1); // FACTS: call manual_seed: Nothing
  torch::set_num_threads(1); // FACTS: call set_num_threads: Nothing
  torch::print(x); // FACTS: call print: Nothing
}

//===-- torch::jit --------------------------------------------------------===//

void modules(torch::jit::Module module) {
  torch::jit::load("m.pt"); // FACTS: call load: LoadModule; Compute load()
  torch::jit::freeze(module); // FACTS: call freeze: Freeze; Freeze module
  torch::jit::optimize_for_inference(module); // FACTS: call optimize_for_inference: Freeze; Freeze module; resource EscapeTree module
}

//===-- torch::nn::utils --------------------------------------------------===//

void utilities(Tensor x, std::vector<Tensor> parameters) {
  torch::nn::utils::clip_grad_norm_(parameters, 1); // FACTS: call clip_grad_norm_: Nothing
  torch::nn::utils::clip_grad_value_(parameters, 1); // FACTS: call clip_grad_value_: Nothing
  torch::nn::utils::vector_to_parameters(x, parameters); // FACTS: call vector_to_parameters: Nothing
}

//===-- torch::nn::utils::rnn ---------------------------------------------===//

void sequences(Tensor x, Tensor y, torch::nn::utils::rnn::PackedSequence packed) {
  torch::nn::utils::rnn::pack_padded_sequence(x, y); // FACTS: call pack_padded_sequence: Copy; Compute pack_padded_sequence(x, y)
  torch::nn::utils::rnn::pad_packed_sequence(packed); // FACTS: call pad_packed_sequence: Copy; Compute pad_packed_sequence(packed)
  torch::nn::utils::rnn::pack_sequence({x, y}); // FACTS: call pack_sequence: Copy; Compute pack_sequence({{{x, y}}})
}

//===-- torch::nn::init ---------------------------------------------------===//

void initialization(Tensor x) {
  torch::nn::init::xavier_uniform_(x); // FACTS: call xavier_uniform_: InPlace, shape Same; Compute xavier_uniform_(x); Mutate x := xavier_uniform_(x)
  torch::nn::init::xavier_normal_(x); // FACTS: call xavier_normal_: InPlace, shape Same; Compute xavier_normal_(x); Mutate x := xavier_normal_(x)
  torch::nn::init::kaiming_uniform_(x); // FACTS: call kaiming_uniform_: InPlace, shape Same; Compute kaiming_uniform_(x); Mutate x := kaiming_uniform_(x)
  torch::nn::init::kaiming_normal_(x); // FACTS: call kaiming_normal_: InPlace, shape Same; Compute kaiming_normal_(x); Mutate x := kaiming_normal_(x)
  torch::nn::init::normal_(x); // FACTS: call normal_: InPlace, shape Same; Compute normal_(x); Mutate x := normal_(x)
  torch::nn::init::uniform_(x); // FACTS: call uniform_: InPlace, shape Same; Compute uniform_(x); Mutate x := uniform_(x)
  torch::nn::init::constant_(x, 0); // FACTS: call constant_: InPlace, shape Same; Compute constant_(x); Mutate x := constant_(x)
  torch::nn::init::zeros_(x); // FACTS: call zeros_: InPlace, shape Same; Compute zeros_(x); Mutate x := zeros_(x)
  torch::nn::init::ones_(x); // FACTS: call ones_: InPlace, shape Same; Compute ones_(x); Mutate x := ones_(x)
  torch::nn::init::orthogonal_(x); // FACTS: call orthogonal_: InPlace, shape Same; Compute orthogonal_(x); Mutate x := orthogonal_(x)
  torch::nn::init::eye_(x); // FACTS: call eye_: InPlace, shape Same; Compute eye_(x); Mutate x := eye_(x)
  torch::nn::init::sparse_(x, 0.1); // FACTS: call sparse_: InPlace, shape Same; Compute sparse_(x); Mutate x := sparse_(x)
  torch::nn::init::dirac_(x); // FACTS: call dirac_: InPlace, shape Same; Compute dirac_(x); Mutate x := dirac_(x)
}

//===-- c10::GradMode -----------------------------------------------------===//

void mode(bool enabled) {
  at::GradMode::set_enabled(false); // FACTS: call set_enabled: SetGradMode; SetMode, mode Off
  c10::GradMode::set_enabled(enabled); // FACTS: call set_enabled: SetGradMode; SetMode, mode Either
}

//===-- c10::intrusive_ptr ------------------------------------------------===//

void released(c10::intrusive_ptr<at::TensorImpl> reference) {
  reference.release(); // FACTS: call release: Release; Compute release(); resource Acquire := Reference
}

//===-- GUARD -------------------------------------------------------------===//

void guards(bool enabled) {
  { c10::NoGradGuard off; } // FACTS: PushMode off, mode Off; PopMode off
  { c10::AutoGradMode on(true); } // FACTS: PushMode on, mode On; PopMode on
  { c10::AutoGradMode either(enabled); } // FACTS: PushMode either, mode Either; PopMode either
  { c10::InferenceMode inference; } // FACTS: PushMode inference, mode Off; PopMode inference
  { c10::InferenceMode training(false); } // FACTS: PushMode training, mode On; PopMode training
}
