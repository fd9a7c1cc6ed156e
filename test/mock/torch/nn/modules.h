//===-- modules.h - Stand-in for torch::nn's layers and losses ---------------===//
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

struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features);
  TORCH_ARG(int64_t, in_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};
class LinearImpl : public Cloneable<LinearImpl> {
public:
  LinearImpl(int64_t in_features, int64_t out_features);
  explicit LinearImpl(const LinearOptions &options_);
  void reset() override;
  Tensor forward(const Tensor &input);
  LinearOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(Linear);

#define CONVOLUTION(D)                                                                             \
  struct Conv##D##dOptions {                                                                       \
    Conv##D##dOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size);   \
    TORCH_ARG(ExpandingArray<D>, stride) = 1;                                                      \
    TORCH_ARG(ExpandingArray<D>, padding) = 0;                                                     \
    TORCH_ARG(ExpandingArray<D>, dilation) = 1;                                                    \
    TORCH_ARG(int64_t, groups) = 1;                                                                \
    TORCH_ARG(bool, bias) = true;                                                                  \
  };                                                                                               \
  class Conv##D##dImpl : public Cloneable<Conv##D##dImpl> {                                        \
  public:                                                                                          \
    Conv##D##dImpl(int64_t input_channels, int64_t output_channels,                                \
                   ExpandingArray<D> kernel_size);                                                 \
    explicit Conv##D##dImpl(Conv##D##dOptions options_);                                           \
    void reset() override;                                                                         \
    Tensor forward(const Tensor &input);                                                           \
    Tensor weight;                                                                                 \
    Tensor bias;                                                                                   \
  };                                                                                               \
  TORCH_MODULE(Conv##D##d)
CONVOLUTION(1);
CONVOLUTION(2);
#undef CONVOLUTION

/// A layer without options worth modelling: one size, one input, one output.
#define LAYER(NAME)                                                                                \
  class NAME##Impl : public Cloneable<NAME##Impl> {                                                \
  public:                                                                                          \
    NAME##Impl(int64_t size = 1);                                                                  \
    void reset() override;                                                                         \
    Tensor forward(const Tensor &input);                                                           \
    Tensor weight;                                                                                 \
    Tensor bias;                                                                                   \
    Tensor running_mean;                                                                           \
    Tensor running_var;                                                                            \
  };                                                                                               \
  TORCH_MODULE(NAME)
LAYER(BatchNorm1d);
LAYER(BatchNorm2d);
LAYER(MaxPool2d);
LAYER(AvgPool2d);
LAYER(Flatten);
LAYER(Identity);
#undef LAYER

#define ACTIVATION(NAME)                                                                           \
  class NAME##Impl : public Cloneable<NAME##Impl> {                                                \
  public:                                                                                          \
    explicit NAME##Impl(double value = 0);                                                         \
    void reset() override;                                                                         \
    Tensor forward(Tensor input);                                                                  \
  };                                                                                               \
  TORCH_MODULE(NAME)
ACTIVATION(ReLU);
ACTIVATION(Tanh);
ACTIVATION(Sigmoid);
ACTIVATION(GELU);
ACTIVATION(Softmax);
ACTIVATION(LogSoftmax);
ACTIVATION(LeakyReLU);
ACTIVATION(Dropout);
ACTIVATION(Dropout2d);
#undef ACTIVATION

struct AdaptiveAvgPool2dOptions {
  AdaptiveAvgPool2dOptions(ExpandingArray<2> output_size);
};
class AdaptiveAvgPool2dImpl : public Cloneable<AdaptiveAvgPool2dImpl> {
public:
  AdaptiveAvgPool2dImpl(ExpandingArray<2> output_size);
  explicit AdaptiveAvgPool2dImpl(const AdaptiveAvgPool2dOptions &options_);
  void reset() override;
  Tensor forward(const Tensor &input);
};
TORCH_MODULE(AdaptiveAvgPool2d);

struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> normalized_shape);
};
class LayerNormImpl : public Cloneable<LayerNormImpl> {
public:
  LayerNormImpl(std::vector<int64_t> normalized_shape);
  explicit LayerNormImpl(LayerNormOptions options_);
  void reset() override;
  Tensor forward(const Tensor &input);
};
TORCH_MODULE(LayerNorm);

class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim);
  void reset() override;
  Tensor forward(const Tensor &indices);
  Tensor weight;
};
TORCH_MODULE(Embedding);

struct RNNOptionsBase {
  TORCH_ARG(int64_t, num_layers) = 1;
  TORCH_ARG(bool, batch_first) = false;
  TORCH_ARG(double, dropout) = 0.0;
};
#define RECURRENT(NAME, STATE, STATE_ARG)                                                          \
  struct NAME##Options {                                                                           \
    NAME##Options(int64_t input_size, int64_t hidden_size);                                        \
    TORCH_ARG(int64_t, num_layers) = 1;                                                            \
    TORCH_ARG(bool, batch_first) = false;                                                          \
    TORCH_ARG(double, dropout) = 0.0;                                                              \
  };                                                                                               \
  class NAME##Impl : public Cloneable<NAME##Impl> {                                                \
  public:                                                                                          \
    using State = STATE;                                                                           \
    NAME##Impl(int64_t input_size, int64_t hidden_size);                                           \
    explicit NAME##Impl(const NAME##Options &options_);                                            \
    void reset() override;                                                                         \
    std::tuple<Tensor, State> forward(const Tensor &input, STATE_ARG hx = {});                     \
    void flatten_parameters();                                                                     \
  };                                                                                               \
  TORCH_MODULE(NAME)
using TensorPair = std::tuple<Tensor, Tensor>;
RECURRENT(RNN, Tensor, Tensor);
RECURRENT(GRU, Tensor, Tensor);
RECURRENT(LSTM, TensorPair, torch::optional<TensorPair>);
#undef RECURRENT

#define CELL(NAME, STATE, STATE_ARG)                                                               \
  class NAME##Impl : public Cloneable<NAME##Impl> {                                                \
  public:                                                                                          \
    NAME##Impl(int64_t input_size, int64_t hidden_size);                                           \
    void reset() override;                                                                         \
    STATE forward(const Tensor &input, STATE_ARG hx = {});                                         \
  };                                                                                               \
  TORCH_MODULE(NAME)
CELL(GRUCell, Tensor, Tensor);
CELL(LSTMCell, TensorPair, torch::optional<TensorPair>);
#undef CELL

#define LOSS(NAME)                                                                                 \
  class NAME##Impl : public Cloneable<NAME##Impl> {                                                \
  public:                                                                                          \
    NAME##Impl();                                                                                  \
    void reset() override;                                                                         \
    Tensor forward(const Tensor &input, const Tensor &target);                                     \
  };                                                                                               \
  TORCH_MODULE(NAME)
LOSS(MSELoss);
LOSS(L1Loss);
LOSS(CrossEntropyLoss);
LOSS(NLLLoss);
LOSS(BCELoss);
LOSS(BCEWithLogitsLoss);
#undef LOSS

class AnyModule {
public:
  AnyModule() = default;
  template <typename ModuleType> explicit AnyModule(std::shared_ptr<ModuleType>) {}
  template <typename ReturnType = Tensor, typename... ArgumentTypes>
  ReturnType forward(ArgumentTypes &&...) {
    return {};
  }
};

class SequentialImpl : public Cloneable<SequentialImpl> {
public:
  SequentialImpl() = default;
  template <typename... Modules> explicit SequentialImpl(Modules &&...) {}
  void reset() override;
  template <typename ReturnType = Tensor, typename... InputTypes>
  ReturnType forward(InputTypes &&...) {
    return {};
  }
  template <typename ModuleType> void push_back(std::shared_ptr<ModuleType>) {}
  template <typename ModuleType> void push_back(ModuleType &&) {}
  size_t size() const noexcept;
};
class Sequential : public torch::nn::ModuleHolder<SequentialImpl> {
public:
  using torch::nn::ModuleHolder<SequentialImpl>::ModuleHolder;
  Sequential() : ModuleHolder() {}
};

class ModuleListImpl : public Cloneable<ModuleListImpl> {
public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  ModuleListImpl() = default;
  void reset() override;
  template <typename ModuleType> void push_back(ModuleType &&) {}
  Iterator begin();
  Iterator end();
  size_t size() const noexcept;
  std::shared_ptr<Module> operator[](size_t index) const;
};
TORCH_MODULE(ModuleList);

namespace init {
Tensor xavier_uniform_(Tensor tensor, double gain = 1.0);
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
Tensor constant_(Tensor tensor, Scalar value);
} // namespace init
namespace utils {
double clip_grad_norm_(const std::vector<Tensor> &parameters, double max_norm,
                       double norm_type = 2.0, bool error_if_nonfinite = false);
}

} // namespace nn
} // namespace torch
