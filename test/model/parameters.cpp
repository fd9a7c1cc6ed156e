// The parameters of LibTorch's layers that are members, one a line, and the facts that follow.
//
// REQUIRES: torch
// RUN: %check_facts %s
#include <torch/torch.h>

using torch::Tensor;

//===-- torch::nn::LinearImpl -------------------------------------------===//

void linear_parameters(torch::nn::Linear of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
  of->bias = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias := x, Parameter
}

//===-- torch::nn::BilinearImpl -----------------------------------------===//

void bilinear_parameters(torch::nn::Bilinear of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
  of->bias = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias := x, Parameter
}

//===-- torch::nn::ConvNdImpl -------------------------------------------===//

void convolution_parameters(torch::nn::Conv2d of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
  of->bias = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias := x, Parameter
}

//===-- torch::nn::EmbeddingImpl ----------------------------------------===//

void embedding_parameters(torch::nn::Embedding of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
}

//===-- torch::nn::EmbeddingBagImpl -------------------------------------===//

void embedding_bag_parameters(torch::nn::EmbeddingBag of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
}

//===-- torch::nn::NormImplBase -----------------------------------------===//

void batch_norm_parameters(torch::nn::BatchNorm1d of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
  of->bias = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias := x, Parameter
  of->running_mean = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.running_mean := x
}

//===-- torch::nn::LayerNormImpl ----------------------------------------===//

void layer_norm_parameters(torch::nn::LayerNorm of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
  of->bias = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias := x, Parameter
}

//===-- torch::nn::GroupNormImpl ----------------------------------------===//

void group_norm_parameters(torch::nn::GroupNorm of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
  of->bias = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias := x, Parameter
}

//===-- torch::nn::PReLUImpl --------------------------------------------===//

void prelu_parameters(torch::nn::PReLU of, Tensor x) {
  of->weight = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight := x, Parameter
}

//===-- torch::nn::detail::RNNCellImplBase ------------------------------===//

void cell_parameters(torch::nn::GRUCell of, Tensor x) {
  of->weight_ih = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight_ih := x, Parameter
  of->weight_hh = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.weight_hh := x, Parameter
  of->bias_ih = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias_ih := x, Parameter
  of->bias_hh = x; // FACTS: call operator=: Compute; call operator->: Nothing; Store of.bias_hh := x, Parameter
}
