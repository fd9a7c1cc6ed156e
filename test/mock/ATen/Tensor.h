//===-- Tensor.h - Stand-in for at::Tensor ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h. As in LibTorch, what does not dispatch is a
// member of TensorBase, so calls such as data_ptr() name that class.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "c10/Core.h"

namespace torch {
namespace autograd {
struct Node;
} // namespace autograd
} // namespace torch

namespace at {

class Tensor;
class Generator;
class Storage;
using TensorList = ArrayRef<Tensor>;

namespace indexing {
struct Slice final {
  Slice(optional<int64_t> start_index = nullopt, optional<int64_t> stop_index = nullopt,
        optional<int64_t> step_index = nullopt);
};
struct EllipsisIndexType final {};
extern const EllipsisIndexType Ellipsis;
constexpr std::nullopt_t None = std::nullopt;
struct TensorIndex final {
  TensorIndex(std::nullopt_t);
  TensorIndex(EllipsisIndexType);
  TensorIndex(const char *str);
  TensorIndex(int64_t integer);
  TensorIndex(int integer);
  template <class T, class = std::enable_if_t<std::is_same<bool, T>::value>> TensorIndex(T boolean);
  TensorIndex(Slice slice);
  TensorIndex(Tensor tensor);
};
} // namespace indexing

template <typename T, size_t N> struct TensorAccessor {
  TensorAccessor<T, N - 1> operator[](int64_t i) const;
  T *data_;
};
template <typename T> struct TensorAccessor<T, 1> {
  T &operator[](int64_t i) const;
  T *data_;
};

class TensorBase {
public:
  TensorBase();
  TensorBase(const TensorBase &);
  TensorBase(TensorBase &&);
  ~TensorBase();
  TensorBase &operator=(const TensorBase &x) &;
  TensorBase &operator=(TensorBase &&x) &;

  int64_t dim() const;
  int64_t storage_offset() const;
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  TensorImpl *unsafeGetTensorImpl() const;
  TensorImpl *unsafeReleaseTensorImpl();
  const intrusive_ptr<TensorImpl, UndefinedTensorImpl> &getIntrusivePtr() const;
  intrusive_ptr<TensorImpl, UndefinedTensorImpl> unsafeReleaseIntrusivePtr();
  bool defined() const;
  void reset();
  bool is_same(const TensorBase &other) const noexcept;
  size_t use_count() const noexcept;
  std::string toString() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t ndimension() const;
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_floating_point() const;
  size_t nbytes() const;
  int64_t numel() const;
  size_t itemsize() const;
  int64_t element_size() const;
  ScalarType scalar_type() const;
  bool has_storage() const;
  const Storage &storage() const;
  bool is_alias_of(const TensorBase &other) const;
  Layout layout() const;
  TypeMeta dtype() const;
  Device device() const;
  int64_t get_device() const;
  bool is_cpu() const;
  bool is_cuda() const;
  TensorOptions options() const;
  void *data_ptr() const;
  template <typename T> T *data_ptr() const;
  const void *const_data_ptr() const;
  template <typename T> const T *const_data_ptr() const;
  void *mutable_data_ptr() const;
  void print() const;
  template <typename T, size_t N> TensorAccessor<T, N> accessor() const &;
  bool requires_grad() const;
  const std::shared_ptr<torch::autograd::Node> &grad_fn() const;
  template <typename T> unsigned register_hook(T &&) const { return 0; }
  void remove_hook(unsigned pos) const;
  bool is_leaf() const;
  int64_t output_nr() const;
  void retain_grad() const;
  bool retains_grad() const;
  bool is_view() const;
  const TensorBase &_base() const;
  int64_t _version() const;

protected:
  intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl_;
};

/// An elementwise op with an in-place form.
#define UNARY(NAME)                                                                                \
  Tensor NAME() const;                                                                             \
  Tensor &NAME##_() const;
#define BINARY(NAME)                                                                               \
  Tensor NAME(const Tensor &other) const;                                                          \
  Tensor &NAME##_(const Tensor &other) const;                                                      \
  Tensor NAME(const Scalar &other) const;                                                          \
  Tensor &NAME##_(const Scalar &other) const;
#define REDUCTION(NAME)                                                                            \
  Tensor NAME(optional<ScalarType> dtype = nullopt) const;                                         \
  Tensor NAME(IntArrayRef dim, bool keepdim = false, optional<ScalarType> dtype = nullopt) const;
#define COMPARISON(NAME)                                                                           \
  Tensor NAME(const Scalar &other) const;                                                          \
  Tensor NAME(const Tensor &other) const;

class Tensor : public TensorBase {
public:
  Tensor() = default;
  explicit Tensor(intrusive_ptr<TensorImpl, UndefinedTensorImpl> tensor_impl);
  Tensor(const Tensor &tensor) = default;
  Tensor(Tensor &&tensor) = default;
  explicit Tensor(const TensorBase &base);
  /*implicit*/ Tensor(TensorBase &&base);

  Tensor &operator=(const TensorBase &x) &;
  Tensor &operator=(TensorBase &&x) &;
  Tensor &operator=(const Tensor &x) &;
  Tensor &operator=(Tensor &&x) &;
  Tensor &operator=(Scalar v) &&;
  Tensor &operator=(const Tensor &rhs) &&;
  Tensor &operator=(Tensor &&rhs) &&;

  template <typename T> T item() const;
  Scalar item() const;
  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  Tensor toType(ScalarType t) const;
  Tensor operator~() const;
  Tensor operator-() const;
  Tensor &operator+=(const Tensor &other);
  Tensor &operator+=(Scalar other);
  Tensor &operator-=(const Tensor &other);
  Tensor &operator-=(Scalar other);
  Tensor &operator*=(const Tensor &other);
  Tensor &operator*=(Scalar other);
  Tensor &operator/=(const Tensor &other);
  Tensor &operator/=(Scalar other);
  Tensor operator[](Scalar index) const;
  Tensor operator[](Tensor index) const;
  Tensor operator[](int64_t index) const;
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, Tensor const &rhs);
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar &v);

  Tensor cpu() const;
  Tensor cuda() const;
  Tensor to(TensorOptions options = {}, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> memory_format = nullopt) const;
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> memory_format = nullopt) const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> memory_format = nullopt) const;
  Tensor to(const Tensor &other, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> memory_format = nullopt) const;
  Tensor pin_memory(optional<Device> device = nullopt) const;
  Tensor to_sparse() const;

  // Autograd.
  void backward(const Tensor &gradient = {}, optional<bool> retain_graph = nullopt,
                bool create_graph = false, optional<TensorList> inputs = nullopt) const;
  const Tensor &set_requires_grad(bool requires_grad) const;
  const Tensor &requires_grad_(bool requires_grad = true) const;
  Tensor &mutable_grad() const;
  const Tensor &grad() const;
  Tensor data() const;
  template <typename T> T *data() const;
  Tensor tensor_data() const;
  Tensor variable_data() const;
  void set_data(const Tensor &new_data) const;
  Tensor detach() const;
  Tensor &detach_() const;

  // New memory, same content.
  Tensor clone(optional<MemoryFormat> memory_format = nullopt) const;
  Tensor &copy_(const Tensor &src, bool non_blocking = false) const;
  Tensor &zero_() const;
  Tensor &fill_(const Scalar &value) const;
  Tensor &fill_(const Tensor &value) const;
  Tensor &normal_(double mean = 0, double std = 1) const;
  Tensor &uniform_(double from = 0, double to = 1) const;
  Tensor &set_(const Tensor &source) const;
  const Tensor &resize_(IntArrayRef size, optional<MemoryFormat> memory_format = nullopt) const;
  Tensor new_zeros(IntArrayRef size, TensorOptions options = {}) const;
  Tensor new_ones(IntArrayRef size, TensorOptions options = {}) const;
  Tensor new_empty(IntArrayRef size, TensorOptions options = {}) const;
  Tensor new_full(IntArrayRef size, const Scalar &fill_value, TensorOptions options = {}) const;

  // Elementwise.
  Tensor add(const Tensor &other, const Scalar &alpha = 1) const;
  Tensor &add_(const Tensor &other, const Scalar &alpha = 1) const;
  Tensor add(const Scalar &other, const Scalar &alpha = 1) const;
  Tensor &add_(const Scalar &other, const Scalar &alpha = 1) const;
  Tensor sub(const Tensor &other, const Scalar &alpha = 1) const;
  Tensor &sub_(const Tensor &other, const Scalar &alpha = 1) const;
  Tensor sub(const Scalar &other, const Scalar &alpha = 1) const;
  Tensor &sub_(const Scalar &other, const Scalar &alpha = 1) const;
  BINARY(mul)
  BINARY(div)
  BINARY(remainder)
  BINARY(pow)
  Tensor pow(double exponent) const;
  Tensor addcmul(const Tensor &tensor1, const Tensor &tensor2, const Scalar &value = 1) const;
  Tensor &addcmul_(const Tensor &tensor1, const Tensor &tensor2, const Scalar &value = 1) const;
  Tensor addcdiv(const Tensor &tensor1, const Tensor &tensor2, const Scalar &value = 1) const;
  Tensor &addcdiv_(const Tensor &tensor1, const Tensor &tensor2, const Scalar &value = 1) const;
  Tensor lerp(const Tensor &end, const Scalar &weight) const;
  Tensor &lerp_(const Tensor &end, const Scalar &weight) const;
  UNARY(abs)
  UNARY(neg)
  UNARY(exp)
  UNARY(log)
  UNARY(log1p)
  UNARY(sqrt)
  UNARY(rsqrt)
  UNARY(square)
  UNARY(sin)
  UNARY(cos)
  UNARY(tanh)
  UNARY(sigmoid)
  UNARY(relu)
  UNARY(erf)
  UNARY(floor)
  UNARY(ceil)
  UNARY(round)
  UNARY(sign)
  UNARY(reciprocal)
  UNARY(logical_not)
  Tensor clamp(const optional<Scalar> &min, const optional<Scalar> &max = nullopt) const;
  Tensor &clamp_(const optional<Scalar> &min, const optional<Scalar> &max = nullopt) const;
  Tensor clamp_min(const Scalar &min) const;
  Tensor &clamp_min_(const Scalar &min) const;
  Tensor clip(const optional<Scalar> &min, const optional<Scalar> &max = nullopt) const;
  Tensor masked_fill(const Tensor &mask, const Scalar &value) const;
  Tensor &masked_fill_(const Tensor &mask, const Scalar &value) const;
  Tensor &index_add_(int64_t dim, const Tensor &index, const Tensor &source,
                     const Scalar &alpha = 1) const;
  Tensor &scatter_(int64_t dim, const Tensor &index, const Tensor &src) const;
  Tensor &scatter_(int64_t dim, const Tensor &index, const Scalar &value) const;
  Tensor softmax(int64_t dim, optional<ScalarType> dtype = nullopt) const;
  Tensor log_softmax(int64_t dim, optional<ScalarType> dtype = nullopt) const;
  Tensor triu(int64_t diagonal = 0) const;
  Tensor tril(int64_t diagonal = 0) const;

  // Linear algebra.
  Tensor matmul(const Tensor &other) const;
  Tensor mm(const Tensor &mat2) const;
  Tensor bmm(const Tensor &mat2) const;
  Tensor mv(const Tensor &vec) const;
  Tensor dot(const Tensor &tensor) const;
  Tensor addmm(const Tensor &mat1, const Tensor &mat2, const Scalar &beta = 1,
               const Scalar &alpha = 1) const;
  Tensor &addmm_(const Tensor &mat1, const Tensor &mat2, const Scalar &beta = 1,
                 const Scalar &alpha = 1) const;
  Tensor baddbmm(const Tensor &batch1, const Tensor &batch2, const Scalar &beta = 1,
                 const Scalar &alpha = 1) const;

  // Reductions and comparisons.
  REDUCTION(sum)
  REDUCTION(mean)
  Tensor prod(optional<ScalarType> dtype = nullopt) const;
  Tensor norm(const Scalar &p = 2) const;
  Tensor norm(const optional<Scalar> &p, IntArrayRef dim, bool keepdim = false) const;
  Tensor std(bool unbiased = true) const;
  Tensor std(IntArrayRef dim, bool unbiased = true, bool keepdim = false) const;
  Tensor var(bool unbiased = true) const;
  Tensor max() const;
  Tensor max(const Tensor &other) const;
  std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false) const;
  Tensor min() const;
  Tensor min(const Tensor &other) const;
  std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false) const;
  Tensor argmax(optional<int64_t> dim = nullopt, bool keepdim = false) const;
  Tensor argmin(optional<int64_t> dim = nullopt, bool keepdim = false) const;
  std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1, bool largest = true,
                                  bool sorted = true) const;
  std::tuple<Tensor, Tensor> sort(int64_t dim = -1, bool descending = false) const;
  Tensor argsort(int64_t dim = -1, bool descending = false) const;
  Tensor cumsum(int64_t dim, optional<ScalarType> dtype = nullopt) const;
  Tensor all() const;
  Tensor any() const;
  Tensor isnan() const;
  Tensor nonzero() const;
  bool allclose(const Tensor &other, double rtol = 1e-05, double atol = 1e-08,
                bool equal_nan = false) const;
  bool equal(const Tensor &other) const;
  bool is_nonzero() const;
  COMPARISON(eq)
  COMPARISON(ne)
  COMPARISON(lt)
  COMPARISON(le)
  COMPARISON(gt)
  COMPARISON(ge)

  // Views.
  Tensor select(int64_t dim, int64_t index) const;
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const;
  Tensor slice(int64_t dim = 0, optional<int64_t> start = nullopt, optional<int64_t> end = nullopt,
               int64_t step = 1) const;
  Tensor view(IntArrayRef size) const;
  Tensor view_as(const Tensor &other) const;
  Tensor reshape(IntArrayRef shape) const;
  Tensor reshape_as(const Tensor &other) const;
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t dim) const;
  Tensor &squeeze_() const;
  Tensor unsqueeze(int64_t dim) const;
  Tensor &unsqueeze_(int64_t dim) const;
  Tensor t() const;
  Tensor &t_() const;
  Tensor transpose(int64_t dim0, int64_t dim1) const;
  Tensor permute(IntArrayRef dims) const;
  Tensor expand(IntArrayRef size, bool implicit = false) const;
  Tensor expand_as(const Tensor &other) const;
  Tensor diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const;
  Tensor unfold(int64_t dimension, int64_t size, int64_t step) const;
  Tensor alias() const;
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const;
  std::vector<Tensor> split(int64_t split_size, int64_t dim = 0) const;
  std::vector<Tensor> unbind(int64_t dim = 0) const;

  // Copies by index.
  Tensor index_select(int64_t dim, const Tensor &index) const;
  Tensor gather(int64_t dim, const Tensor &index, bool sparse_grad = false) const;
  Tensor masked_select(const Tensor &mask) const;
  Tensor repeat(IntArrayRef repeats) const;
  Tensor flip(IntArrayRef dims) const;
  Tensor where(const Tensor &self, const Tensor &other) const;
  Tensor multinomial(int64_t num_samples, bool replacement = false) const;
  Tensor bernoulli() const;
};

#undef UNARY
#undef BINARY
#undef REDUCTION
#undef COMPARISON

std::ostream &operator<<(std::ostream &out, const Tensor &t);

#define OPERATOR(OP)                                                                               \
  Tensor operator OP(const Tensor &x, const Tensor &y);                                            \
  Tensor operator OP(const Tensor &x, const Scalar &y);                                            \
  Tensor operator OP(const Scalar &x, const Tensor &y);
OPERATOR(+)
OPERATOR(-)
OPERATOR(*)
OPERATOR(/)
OPERATOR(%)
OPERATOR(&)
OPERATOR(|)
OPERATOR(^)
OPERATOR(<)
OPERATOR(<=)
OPERATOR(>)
OPERATOR(>=)
OPERATOR(==)
OPERATOR(!=)
#undef OPERATOR

} // namespace at
