//===-- functional.h - Stand-in for torch::nn::functional --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "torch/nn.h"

namespace torch {
namespace nn {
namespace functional {

/// Setters, as TORCH_ARG writes them.
#define WITH_TENSOR(OPTIONS, NAME)                                                                 \
  struct OPTIONS {                                                                                 \
    auto NAME(const Tensor &value) -> decltype(*this) {                                            \
      NAME##_ = value;                                                                             \
      return *this;                                                                                \
    }                                                                                              \
    auto ignore_index(int64_t value) -> decltype(*this) {                                          \
      ignored_ = value;                                                                            \
      return *this;                                                                                \
    }                                                                                              \
    const Tensor &NAME() const { return NAME##_; }                                                 \
                                                                                                   \
  private:                                                                                         \
    Tensor NAME##_;                                                                                \
    int64_t ignored_ = -100;                                                                       \
  };
WITH_TENSOR(CrossEntropyFuncOptions, weight)
WITH_TENSOR(BinaryCrossEntropyWithLogitsFuncOptions, pos_weight)
#undef WITH_TENSOR

#define LOSS_WITH(NAME, OPTIONS)                                                                   \
  Tensor NAME(const Tensor &input, const Tensor &target, const OPTIONS &options = {});
LOSS_WITH(cross_entropy, CrossEntropyFuncOptions)
LOSS_WITH(binary_cross_entropy_with_logits, BinaryCrossEntropyWithLogitsFuncOptions)
#undef LOSS_WITH

#define LOSS(NAME, OPTIONS)                                                                        \
  struct OPTIONS {};                                                                               \
  Tensor NAME(const Tensor &input, const Tensor &target, const OPTIONS &options = {});
LOSS(mse_loss, MSELossFuncOptions)
LOSS(l1_loss, L1LossFuncOptions)
LOSS(smooth_l1_loss, SmoothL1LossFuncOptions)
LOSS(nll_loss, NLLLossFuncOptions)
LOSS(binary_cross_entropy, BinaryCrossEntropyFuncOptions)
LOSS(kl_div, KLDivFuncOptions)
#undef LOSS

struct ReLUFuncOptions {
  ReLUFuncOptions(bool inplace = false);
};
Tensor relu(Tensor input, const ReLUFuncOptions &options = {});
Tensor gelu(const Tensor &input);
struct DropoutFuncOptions {
  TORCH_ARG(double, p) = 0.5;
  TORCH_ARG(bool, training) = false;
};
Tensor dropout(Tensor input, const DropoutFuncOptions &options = {});
struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim);
};
Tensor softmax(const Tensor &input, const SoftmaxFuncOptions &options);
Tensor log_softmax(const Tensor &input, const SoftmaxFuncOptions &options);
Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias = {});
struct MaxPool2dFuncOptions {
  MaxPool2dFuncOptions(ExpandingArray<2> kernel_size);
};
Tensor max_pool2d(const Tensor &input, const MaxPool2dFuncOptions &options);

} // namespace functional
} // namespace nn
} // namespace torch
