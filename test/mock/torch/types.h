//===-- types.h - Stand-in for torch's factories, autograd and cuda ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "ATen/ATen.h"

namespace torch {
using namespace at;
using c10::nullopt;
using c10::optional;
using Dtype = at::ScalarType;
constexpr auto kUInt8 = at::kByte;
constexpr auto kInt8 = at::kChar;
constexpr auto kInt16 = at::kShort;
constexpr auto kInt32 = at::kInt;
constexpr auto kInt64 = at::kLong;
constexpr auto kFloat16 = at::kHalf;
constexpr auto kFloat32 = at::kFloat;
constexpr auto kFloat64 = at::kDouble;
using NoGradGuard = at::NoGradGuard;
using AutoGradMode = at::AutoGradMode;

/// As in LibTorch, torch:: has factories of its own: at::'s make no leaves.
FACTORIES(= {})

namespace detail {
struct TensorDataContainer {
  TensorDataContainer();
  template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
  TensorDataContainer(T value);
  TensorDataContainer(std::initializer_list<TensorDataContainer> init_list);
  template <typename T> TensorDataContainer(const std::vector<T> &values);
  template <typename T> TensorDataContainer(ArrayRef<T> values);
};
} // namespace detail
Tensor tensor(detail::TensorDataContainer tensor_data_container, const TensorOptions &options = {});

namespace autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
using at::AutoGradMode;
using at::GradMode;
struct Node {
  virtual ~Node();
  std::string name() const;
};
struct SavedValue {
  SavedValue &operator=(const Tensor &value);
  SavedValue &operator=(int64_t value);
  SavedValue &operator=(double value);
  Tensor toTensor() const;
  int64_t toInt() const;
  double toDouble() const;
};
struct AutogradContext {
  AutogradContext();
  AutogradContext(const AutogradContext &other) = delete;
  std::unordered_map<std::string, SavedValue> saved_data;
  void save_for_backward(variable_list to_save);
  void mark_dirty(const variable_list &inputs);
  void mark_non_differentiable(const variable_list &outputs);
  variable_list get_saved_variables() const;
};
template <typename X, typename... Args>
using forward_t = decltype(X::forward(nullptr, std::declval<Args>()...));
template <class T> struct Function {
  template <typename X = T, typename... Args>
  static auto apply(Args &&...args)
      -> std::enable_if_t<std::is_same<X, T>::value, forward_t<X, Args...>> {
    return {};
  }
};
void backward(const variable_list &tensors, const variable_list &grad_tensors = {},
              optional<bool> retain_graph = nullopt, bool create_graph = false,
              const variable_list &inputs = {});
variable_list grad(const variable_list &outputs, const variable_list &inputs,
                   const variable_list &grad_outputs = {}, optional<bool> retain_graph = nullopt,
                   bool create_graph = false, bool allow_unused = false);
} // namespace autograd

namespace cuda {
size_t device_count();
bool is_available();
void manual_seed(uint64_t seed);
void synchronize(int64_t device_index = -1);
} // namespace cuda
namespace mps {
bool is_available();
}
void set_num_threads(int num_threads);
} // namespace torch
#undef FACTORIES
