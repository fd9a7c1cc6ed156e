//===-- Core.h - Stand-in for c10: scalars, devices, options, grad mode ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only. Declares what test programs use of LibTorch, with its names,
// namespaces and signatures (1.13 to 2.x) and without its 12 seconds of parsing.
// Tests parse these headers and never link them: only templates have bodies, as
// a template that a test instantiates with a local type must have one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#define TORCH_API
#define C10_API
#define TORCH_CHECK(...) ((void)sizeof(__VA_ARGS__, 0))
#define TORCH_INTERNAL_ASSERT(...) ((void)sizeof(__VA_ARGS__, 0))

namespace c10 {

template <typename T> using optional = std::optional<T>;
using std::nullopt;
using nullopt_t = std::nullopt_t;
using string_view = std::string_view;

enum class ScalarType : int8_t {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  ComplexHalf,
  ComplexFloat,
  ComplexDouble,
  Bool,
  QInt8,
  QUInt8,
  QInt32,
  BFloat16,
  Undefined
};
constexpr ScalarType kByte = ScalarType::Byte;
constexpr ScalarType kChar = ScalarType::Char;
constexpr ScalarType kShort = ScalarType::Short;
constexpr ScalarType kInt = ScalarType::Int;
constexpr ScalarType kLong = ScalarType::Long;
constexpr ScalarType kHalf = ScalarType::Half;
constexpr ScalarType kFloat = ScalarType::Float;
constexpr ScalarType kDouble = ScalarType::Double;
constexpr ScalarType kBool = ScalarType::Bool;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;

enum class DeviceType : int8_t { CPU = 0, CUDA = 1, HIP = 6, XLA = 9, XPU = 12, MPS = 13 };
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
constexpr DeviceType kMPS = DeviceType::MPS;
using DeviceIndex = int8_t;

struct Device final {
  /* implicit */ Device(DeviceType type, DeviceIndex index = -1);
  /* implicit */ Device(const std::string &device_string);
  bool operator==(const Device &other) const noexcept;
  bool operator!=(const Device &other) const noexcept;
  void set_index(DeviceIndex index);
  DeviceType type() const noexcept;
  DeviceIndex index() const noexcept;
  bool is_cuda() const noexcept;
  bool is_cpu() const noexcept;
  std::string str() const;

private:
  DeviceType type_;
  DeviceIndex index_ = -1;
};
std::ostream &operator<<(std::ostream &stream, const Device &device);

enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn };
constexpr Layout kStrided = Layout::Strided;
constexpr Layout kSparse = Layout::Sparse;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

class Scalar {
public:
  Scalar();
  Scalar(uint8_t v);
  Scalar(int8_t v);
  Scalar(int16_t v);
  Scalar(int v);
  Scalar(int64_t v);
  Scalar(long long v);
  Scalar(float v);
  Scalar(double v);
  Scalar(c10::ScalarType v) = delete;
  template <typename T, std::enable_if_t<std::is_same<T, bool>::value, bool> * = nullptr>
  Scalar(T v);
  template <typename T> T to() const = delete;
  float toFloat() const;
  double toDouble() const;
  int toInt() const;
  int64_t toLong() const;
  bool toBool() const;

private:
  union {
    double d;
    int64_t i;
  } v;
};
template <> float Scalar::to<float>() const;
template <> double Scalar::to<double>() const;
template <> int Scalar::to<int>() const;
template <> int64_t Scalar::to<int64_t>() const;
template <> bool Scalar::to<bool>() const;

template <typename T> class ArrayRef final {
public:
  using iterator = const T *;
  using value_type = T;
  constexpr ArrayRef() : Data(nullptr), Length(0) {}
  constexpr ArrayRef(const T &OneElt) : Data(&OneElt), Length(1) {}
  constexpr ArrayRef(const T *data, size_t length) : Data(data), Length(length) {}
  template <typename A> ArrayRef(const std::vector<T, A> &Vec);
  template <size_t N> constexpr ArrayRef(const T (&Arr)[N]) : Data(Arr), Length(N) {}
  constexpr ArrayRef(const std::initializer_list<T> &Vec) : Data(Vec.begin()), Length(Vec.size()) {}
  constexpr iterator begin() const { return Data; }
  constexpr iterator end() const { return Data + Length; }
  constexpr size_t size() const { return Length; }
  constexpr bool empty() const { return Length == 0; }
  constexpr const T &operator[](size_t i) const { return Data[i]; }
  const T &front() const;
  const T &back() const;
  std::vector<T> vec() const;
  ArrayRef<T> slice(size_t N, size_t M) const;

private:
  const T *Data;
  size_t Length;
};
using IntArrayRef = ArrayRef<int64_t>;

class intrusive_ptr_target {
public:
  virtual ~intrusive_ptr_target();
};
struct TensorImpl;
struct UndefinedTensorImpl;
template <class TTarget, class NullType = TTarget> class intrusive_ptr final {
public:
  using element_type = TTarget;
  intrusive_ptr() noexcept;
  intrusive_ptr(std::nullptr_t) noexcept;
  intrusive_ptr(intrusive_ptr &&rhs) noexcept;
  intrusive_ptr(const intrusive_ptr &rhs);
  ~intrusive_ptr() noexcept;
  intrusive_ptr &operator=(intrusive_ptr &&rhs) & noexcept;
  intrusive_ptr &operator=(const intrusive_ptr &rhs) & noexcept;
  TTarget *get() const noexcept;
  TTarget &operator*() const noexcept;
  TTarget *operator->() const noexcept;
  explicit operator bool() const noexcept;
  void reset() noexcept;
  TTarget *release() noexcept;
  size_t use_count() const noexcept;
  static intrusive_ptr reclaim(TTarget *owning_ptr);
  static intrusive_ptr reclaim_copy(TTarget *owning_ptr);
  static intrusive_ptr unsafe_reclaim_from_nonowning(TTarget *raw_ptr);

private:
  TTarget *target_;
};
template <class TTarget, class... Args> intrusive_ptr<TTarget> make_intrusive(Args &&...args);

struct TypeMeta {
  bool operator==(ScalarType other) const;
  size_t itemsize() const noexcept;
};

struct TensorOptions {
  TensorOptions();
  /* implicit */ TensorOptions(Layout layout);
  template <typename T, typename = std::enable_if_t<std::is_same<std::decay_t<T>, Device>::value>>
  /* implicit */ TensorOptions(T &&device);
  /* implicit */ TensorOptions(DeviceType device);
  /* implicit */ TensorOptions(ScalarType dtype);
  /* implicit */ TensorOptions(TypeMeta dtype);
  TensorOptions device(Device device) const noexcept;
  TensorOptions device(DeviceType type, DeviceIndex index = -1) const noexcept;
  TensorOptions device_index(int16_t device_index) const noexcept;
  TensorOptions dtype(ScalarType dtype) const noexcept;
  TensorOptions layout(Layout layout) const noexcept;
  TensorOptions requires_grad(bool requires_grad = true) const noexcept;
  TensorOptions pinned_memory(bool pinned_memory = true) const noexcept;
  TensorOptions memory_format(MemoryFormat memory_format) const noexcept;
  Device device() const noexcept;
  TypeMeta dtype() const noexcept;
  bool requires_grad() const noexcept;
};
TensorOptions dtype(ScalarType dtype);
TensorOptions device(Device device);
TensorOptions requires_grad(bool requires_grad = true);
size_t elementSize(ScalarType t);

struct GradMode {
  static bool is_enabled();
  static void set_enabled(bool enabled);
};
struct AutoGradMode {
  AutoGradMode(bool enabled);
  ~AutoGradMode();
  bool prev_mode;
};
struct NoGradGuard : public AutoGradMode {
  NoGradGuard() : AutoGradMode(/*enabled=*/false) {}
};
struct InferenceMode {
  InferenceMode(bool enabled = true);
  ~InferenceMode();
  static bool is_enabled();
};

class Error : public std::exception {
public:
  Error(std::string msg);
  const char *what() const noexcept override;
  const char *what_without_backtrace() const noexcept;
};

} // namespace c10

namespace at {
using namespace c10;
}
