//===-- ATen.h - Stand-in for the free functions of at:: -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "ATen/Tensor.h"

namespace at {

using ITensorListRef = TensorList;

#define FACTORIES(DEFAULT_OPTIONS)                                                                 \
  Tensor zeros(IntArrayRef size, TensorOptions options DEFAULT_OPTIONS);                           \
  Tensor ones(IntArrayRef size, TensorOptions options DEFAULT_OPTIONS);                            \
  Tensor empty(IntArrayRef size, TensorOptions options DEFAULT_OPTIONS,                            \
               optional<MemoryFormat> memory_format = nullopt);                                    \
  Tensor rand(IntArrayRef size, TensorOptions options DEFAULT_OPTIONS);                            \
  Tensor randn(IntArrayRef size, TensorOptions options DEFAULT_OPTIONS);                           \
  Tensor full(IntArrayRef size, const Scalar &fill_value, TensorOptions options DEFAULT_OPTIONS);  \
  Tensor randint(int64_t high, IntArrayRef size, TensorOptions options DEFAULT_OPTIONS);           \
  Tensor randint(int64_t low, int64_t high, IntArrayRef size,                                      \
                 TensorOptions options DEFAULT_OPTIONS);                                           \
  Tensor randperm(int64_t n, TensorOptions options DEFAULT_OPTIONS);                               \
  Tensor arange(const Scalar &end, TensorOptions options DEFAULT_OPTIONS);                         \
  Tensor arange(const Scalar &start, const Scalar &end, TensorOptions options DEFAULT_OPTIONS);    \
  Tensor arange(const Scalar &start, const Scalar &end, const Scalar &step,                        \
                TensorOptions options DEFAULT_OPTIONS);                                            \
  Tensor linspace(const Scalar &start, const Scalar &end, int64_t steps,                           \
                  TensorOptions options DEFAULT_OPTIONS);                                          \
  Tensor eye(int64_t n, TensorOptions options DEFAULT_OPTIONS);                                    \
  Tensor scalar_tensor(const Scalar &s, TensorOptions options DEFAULT_OPTIONS);                    \
  Tensor zeros_like(const Tensor &self, TensorOptions options DEFAULT_OPTIONS);                    \
  Tensor ones_like(const Tensor &self, TensorOptions options DEFAULT_OPTIONS);                     \
  Tensor empty_like(const Tensor &self, TensorOptions options DEFAULT_OPTIONS);                    \
  Tensor rand_like(const Tensor &self, TensorOptions options DEFAULT_OPTIONS);                     \
  Tensor randn_like(const Tensor &self, TensorOptions options DEFAULT_OPTIONS);                    \
  Tensor full_like(const Tensor &self, const Scalar &fill_value,                                   \
                   TensorOptions options DEFAULT_OPTIONS);                                         \
  Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,                             \
                   const std::function<void(void *)> &deleter, const TensorOptions &options = {}); \
  Tensor from_blob(void *data, IntArrayRef sizes, const std::function<void(void *)> &deleter,      \
                   const TensorOptions &options = {});                                             \
  Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,                             \
                   const TensorOptions &options = {});                                             \
  Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &options = {});
FACTORIES(= {})

#define UNARY(NAME)                                                                                \
  Tensor NAME(const Tensor &self);                                                                 \
  Tensor &NAME##_(Tensor &self);                                                                   \
  Tensor &NAME##_out(Tensor &out, const Tensor &self);
#define BINARY(NAME)                                                                               \
  Tensor NAME(const Tensor &self, const Tensor &other);                                            \
  Tensor NAME(const Tensor &self, const Scalar &other);                                            \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, const Tensor &other);
UNARY(abs)
UNARY(neg)
UNARY(exp)
UNARY(log)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(square)
UNARY(sin)
UNARY(cos)
UNARY(tanh)
UNARY(sigmoid)
UNARY(erf)
UNARY(floor)
Tensor relu(const Tensor &self);
Tensor &relu_(Tensor &self);
BINARY(mul)
BINARY(div)
BINARY(pow)
BINARY(eq)
BINARY(gt)
BINARY(lt)
Tensor add(const Tensor &self, const Tensor &other, const Scalar &alpha = 1);
Tensor add(const Tensor &self, const Scalar &other, const Scalar &alpha = 1);
Tensor &add_out(Tensor &out, const Tensor &self, const Tensor &other, const Scalar &alpha = 1);
Tensor sub(const Tensor &self, const Tensor &other, const Scalar &alpha = 1);
Tensor sub(const Tensor &self, const Scalar &other, const Scalar &alpha = 1);
Tensor &sub_out(Tensor &out, const Tensor &self, const Tensor &other, const Scalar &alpha = 1);
Tensor matmul(const Tensor &self, const Tensor &other);
Tensor &matmul_out(Tensor &out, const Tensor &self, const Tensor &other);
Tensor mm(const Tensor &self, const Tensor &mat2);
Tensor &mm_out(Tensor &out, const Tensor &self, const Tensor &mat2);
Tensor bmm(const Tensor &self, const Tensor &mat2);
Tensor mv(const Tensor &self, const Tensor &vec);
Tensor dot(const Tensor &self, const Tensor &tensor);
Tensor addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta = 1,
             const Scalar &alpha = 1);
Tensor &addmm_out(Tensor &out, const Tensor &self, const Tensor &mat1, const Tensor &mat2,
                  const Scalar &beta = 1, const Scalar &alpha = 1);
Tensor einsum(string_view equation, TensorList tensors);
Tensor linear(const Tensor &input, const Tensor &weight, const optional<Tensor> &bias = {});
Tensor clamp(const Tensor &self, const optional<Scalar> &min,
             const optional<Scalar> &max = nullopt);
Tensor softmax(const Tensor &self, int64_t dim, optional<ScalarType> dtype = nullopt);
Tensor log_softmax(const Tensor &self, int64_t dim, optional<ScalarType> dtype = nullopt);
Tensor dropout(const Tensor &input, double p, bool train);
Tensor max_pool2d(const Tensor &self, IntArrayRef kernel_size, IntArrayRef stride = {},
                  IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false);
Tensor nll_loss(const Tensor &self, const Tensor &target, const optional<Tensor> &weight = {},
                int64_t reduction = 1, int64_t ignore_index = -100);
Tensor mse_loss(const Tensor &self, const Tensor &target, int64_t reduction = 1);
Tensor l1_loss(const Tensor &self, const Tensor &target, int64_t reduction = 1);
Tensor cross_entropy_loss(const Tensor &self, const Tensor &target);
Tensor binary_cross_entropy(const Tensor &self, const Tensor &target);
Tensor binary_cross_entropy_with_logits(const Tensor &self, const Tensor &target);
Tensor sum(const Tensor &self, optional<ScalarType> dtype = nullopt);
Tensor sum(const Tensor &self, IntArrayRef dim, bool keepdim = false,
           optional<ScalarType> dtype = nullopt);
Tensor mean(const Tensor &self, optional<ScalarType> dtype = nullopt);
Tensor mean(const Tensor &self, IntArrayRef dim, bool keepdim = false,
            optional<ScalarType> dtype = nullopt);
Tensor norm(const Tensor &self, const Scalar &p = 2);
Tensor max(const Tensor &self);
Tensor max(const Tensor &self, const Tensor &other);
std::tuple<Tensor, Tensor> max(const Tensor &self, int64_t dim, bool keepdim = false);
Tensor min(const Tensor &self);
Tensor min(const Tensor &self, const Tensor &other);
Tensor maximum(const Tensor &self, const Tensor &other);
Tensor minimum(const Tensor &self, const Tensor &other);
Tensor argmax(const Tensor &self, optional<int64_t> dim = nullopt, bool keepdim = false);
Tensor cat(const ITensorListRef &tensors, int64_t dim = 0);
Tensor &cat_out(Tensor &out, const ITensorListRef &tensors, int64_t dim = 0);
Tensor concat(TensorList tensors, int64_t dim = 0);
Tensor stack(TensorList tensors, int64_t dim = 0);
Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other);
Tensor clone(const Tensor &self, optional<MemoryFormat> memory_format = nullopt);
Tensor detach(const Tensor &self);
Tensor flatten(const Tensor &self, int64_t start_dim = 0, int64_t end_dim = -1);
Tensor reshape(const Tensor &self, IntArrayRef shape);
Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1);
Tensor squeeze(const Tensor &self);
Tensor unsqueeze(const Tensor &self, int64_t dim);
std::vector<Tensor> chunk(const Tensor &self, int64_t chunks, int64_t dim = 0);
std::vector<Tensor> split(const Tensor &self, int64_t split_size, int64_t dim = 0);
Tensor multinomial(const Tensor &self, int64_t num_samples, bool replacement = false);
bool allclose(const Tensor &self, const Tensor &other, double rtol = 1e-05, double atol = 1e-08,
              bool equal_nan = false);
#undef UNARY
#undef BINARY

void manual_seed(uint64_t seed);
namespace cuda {
bool is_available();
}

} // namespace at
