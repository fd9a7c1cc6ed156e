// Products, layers, reductions and losses, one a line: what the model says of each, and the facts
// that follow.
//
// REQUIRES: torch
// RUN: %check_facts %s
#include <torch/torch.h>

using torch::Tensor;
namespace F = torch::nn::functional;

//===-- Products and layers ---------------------------------------------===//

void products_and_layers(Tensor x, Tensor y, Tensor z, Tensor i, Tensor mask) {
  x.matmul(y); // FACTS: call matmul: Compute MatMul SavesOperands, shape MatMul; Compute matmul(x, y)
  x.mm(y); // FACTS: call mm: Compute MatMul SavesOperands, shape MatMul; Compute mm(x, y)
  x.bmm(y); // FACTS: call bmm: Compute MatMul SavesOperands, shape MatMul; Compute bmm(x, y)
  x.mv(y); // FACTS: call mv: Compute SavesOperands, shape MatMul; Compute mv(x, y)
  x.dot(y); // FACTS: call dot: Compute SavesOperands, shape Reduce; Compute dot(x, y)
  x.outer(y); // FACTS: call outer: Compute SavesOperands; Compute outer(x, y)
  x.ger(y); // FACTS: call ger: Compute SavesOperands; Compute ger(x, y)
  torch::linear(x, y); // FACTS: call linear: Compute SavesOperands, shape Linear; Compute linear(x, y)
  torch::bilinear(x, y, z); // FACTS: call bilinear: Compute SavesOperands; Compute bilinear(x, y, z)
  torch::conv1d(x, y); // FACTS: call conv1d: Compute SavesOperands, shape Conv; Compute conv1d(x, y)
  torch::conv2d(x, y); // FACTS: call conv2d: Compute SavesOperands, shape Conv; Compute conv2d(x, y)
  torch::conv3d(x, y); // FACTS: call conv3d: Compute SavesOperands, shape Conv; Compute conv3d(x, y)
  torch::conv_transpose2d(x, y); // FACTS: call conv_transpose2d: Compute SavesOperands; Compute conv_transpose2d(x, y)
  x.addmm(y, z); // FACTS: call addmm: Compute; Compute addmm(x, y, z)
  x.baddbmm(y, z); // FACTS: call baddbmm: Compute; Compute baddbmm(x, y, z)
  x.addbmm(y, z); // FACTS: call addbmm: Compute; Compute addbmm(x, y, z)
  torch::einsum("ij,jk->ik", {x, y}); // FACTS: call einsum: Compute; Compute einsum({{{x, y}}})
  torch::embedding(x, i); // FACTS: call embedding: Compute; Compute embedding(x, i)
  torch::max_pool2d(x, 2); // FACTS: call max_pool2d: Compute, shape Pool; Compute max_pool2d(x)
  torch::avg_pool2d(x, 2); // FACTS: call avg_pool2d: Compute, shape Pool; Compute avg_pool2d(x)
  torch::adaptive_avg_pool2d(x, {1, 1}); // FACTS: call adaptive_avg_pool2d: Compute, shape AdaptivePool; Compute adaptive_avg_pool2d(x)
  F::interpolate(x); // FACTS: call interpolate: Compute; Compute interpolate(x)
  F::pad(x, F::PadFuncOptions({1, 1})); // FACTS: call pad: Compute; Compute pad(x)
  x.index_select(0, i); // FACTS: call index_select: Compute; Compute index_select(x, i)
  x.gather(0, i); // FACTS: call gather: Compute; Compute gather(x, i)
  x.repeat({2}); // FACTS: call repeat: Compute, shape Repeat; Compute repeat(x)
  x.tile({2}); // FACTS: call tile: Compute; Compute tile(x)
  x.kron(y); // FACTS: call kron: Compute; Compute kron(x, y)
  x.inverse(); // FACTS: call inverse: Compute; Compute inverse(x)
  x.cholesky(); // FACTS: call cholesky: Compute; Compute cholesky(x)
  x.svd(); // FACTS: call svd: Compute; Compute svd(x)
  x.addcmul(y, z); // FACTS: call addcmul: Compute Elementwise HasInPlace, shape Broadcast; Compute addcmul(x, y, z)
  x.addcdiv(y, z); // FACTS: call addcdiv: Compute Elementwise HasInPlace, shape Broadcast; Compute addcdiv(x, y, z)
  x.scatter(0, i, y); // FACTS: call scatter: Compute HasInPlace LikeSelf, shape Same; Compute scatter(x, i, y)
  x.index_add(0, i, y); // FACTS: call index_add: Compute HasInPlace LikeSelf, shape Same; Compute index_add(x, i, y)
  x.scatter_add(0, i, y); // FACTS: call scatter_add: Compute HasInPlace LikeSelf, shape Same; Compute scatter_add(x, i, y)
  x.index_copy(0, i, y); // FACTS: call index_copy: Compute HasInPlace LikeSelf, shape Same; Compute index_copy(x, i, y)
  x.index_fill(0, i, 1.0); // FACTS: call index_fill: Compute HasInPlace LikeSelf, shape Same; Compute index_fill(x, i)
  x.masked_scatter(i, y); // FACTS: call masked_scatter: Compute HasInPlace LikeSelf, shape Same; Compute masked_scatter(x, i, y)
  x.masked_select(mask); // FACTS: call masked_select: Compute; Compute masked_select(x, mask)
  x.take(i); // FACTS: call take: Compute; Compute take(x, i)
  x.logsumexp(0); // FACTS: call logsumexp: Compute, shape Reduce; Compute logsumexp(x)
  x.norm(); // FACTS: call norm: Compute, shape Reduce; Compute norm(x)
}

//===-- Reductions ------------------------------------------------------===//

void reductions(Tensor x, Tensor y, Tensor z, Tensor i, Tensor mask) {
  x.sum(); // FACTS: call sum: Compute, shape Reduce; Compute sum(x)
  x.mean(); // FACTS: call mean: Compute, shape Reduce; Compute mean(x)
  x.prod(); // FACTS: call prod: Compute, shape Reduce; Compute prod(x)
  x.std(); // FACTS: call std: Compute, shape Reduce; Compute std(x)
  x.var(); // FACTS: call var: Compute, shape Reduce; Compute var(x)
  x.amax(); // FACTS: call amax: Compute, shape Reduce; Compute amax(x)
  x.amin(); // FACTS: call amin: Compute, shape Reduce; Compute amin(x)
  x.max(0); // FACTS: call max: Compute WithIndices, shape Reduce; Compute max(x)
  x.min(0); // FACTS: call min: Compute WithIndices, shape Reduce; Compute min(x)
  x.median(0); // FACTS: call median: Compute WithIndices, shape Reduce; Compute median(x)
  x.topk(1); // FACTS: call topk: Compute WithIndices; Compute topk(x)
  x.sort(); // FACTS: call sort: Compute WithIndices; Compute sort(x)
  x.kthvalue(1); // FACTS: call kthvalue: Compute WithIndices; Compute kthvalue(x)
  x.mode(); // FACTS: call mode: Compute WithIndices; Compute mode(x)
  x.cummax(0); // FACTS: call cummax: Compute WithIndices; Compute cummax(x)
  x.cummin(0); // FACTS: call cummin: Compute WithIndices; Compute cummin(x)
}

//===-- Losses ----------------------------------------------------------===//

void losses(Tensor x, Tensor y, Tensor z, Tensor i, Tensor mask) {
  torch::mse_loss(x, y); // FACTS: call mse_loss: Compute, shape Reduce; Compute mse_loss(x, y)
  torch::l1_loss(x, y); // FACTS: call l1_loss: Compute, shape Reduce; Compute l1_loss(x, y)
  torch::smooth_l1_loss(x, y); // FACTS: call smooth_l1_loss: Compute, shape Reduce; Compute smooth_l1_loss(x, y)
  torch::huber_loss(x, y); // FACTS: call huber_loss: Compute, shape Reduce; Compute huber_loss(x, y)
  F::cross_entropy(x, y); // FACTS: call cross_entropy: Compute, shape Reduce; Compute cross_entropy(x, y)
  torch::cross_entropy_loss(x, y); // FACTS: call cross_entropy_loss: Compute, shape Reduce; Compute cross_entropy_loss(x, y)
  torch::nll_loss(x, i); // FACTS: call nll_loss: Compute, shape Reduce; Compute nll_loss(x, i)
  torch::nll_loss2d(x, i); // FACTS: call nll_loss2d: Compute; Compute nll_loss2d(x, i)
  torch::binary_cross_entropy(x, y); // FACTS: call binary_cross_entropy: Compute, shape Reduce; Compute binary_cross_entropy(x, y)
  torch::binary_cross_entropy_with_logits(x, y); // FACTS: call binary_cross_entropy_with_logits: Compute, shape Reduce; Compute binary_cross_entropy_with_logits(x, y)
  torch::kl_div(x, y); // FACTS: call kl_div: Compute, shape Reduce; Compute kl_div(x, y)
  torch::hinge_embedding_loss(x, y); // FACTS: call hinge_embedding_loss: Compute; Compute hinge_embedding_loss(x, y)
  torch::soft_margin_loss(x, y); // FACTS: call soft_margin_loss: Compute, shape Reduce; Compute soft_margin_loss(x, y)
  torch::cosine_embedding_loss(x, y, z); // FACTS: call cosine_embedding_loss: Compute; Compute cosine_embedding_loss(x, y, z)
  torch::margin_ranking_loss(x, y, z); // FACTS: call margin_ranking_loss: Compute; Compute margin_ranking_loss(x, y, z)
  torch::triplet_margin_loss(x, y, z); // FACTS: call triplet_margin_loss: Compute; Compute triplet_margin_loss(x, y, z)
  torch::ctc_loss(x, y, i, i); // FACTS: call ctc_loss: Compute; Compute ctc_loss(x, y, i, i)
  torch::poisson_nll_loss(x, y, true, false, 1e-8, 1); // FACTS: call poisson_nll_loss: Compute; Compute poisson_nll_loss(x, y)
}
