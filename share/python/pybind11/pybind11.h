//===-- pybind11.h - What extensions ask of pybind11, declared ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See README.md. Read where Python.h is not found; nothing here is compiled into a program.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

typedef struct _object PyObject;
typedef std::ptrdiff_t Py_ssize_t;

namespace pybind11 {

using ssize_t = Py_ssize_t;

//===-- Objects -----------------------------------------------------------===//

/// An attribute or an element, and what any object can do.
class object {
public:
  object();
  template <typename T> object(const T &Value);
  template <typename T> object &operator=(T &&Value);
  template <typename T> T cast() const;
  template <typename... Args> object operator()(Args &&...Values) const;
  template <typename Key> object operator[](Key &&Of) const;
  template <typename Name> object attr(Name &&Of) const;
  template <typename Key> bool contains(Key &&Of) const;
  object begin() const;
  object end() const;
  object operator*() const;
  object &operator++();
  bool operator!=(const object &Other) const;
  bool is(const object &Other) const;
  bool is_none() const;
  PyObject *ptr() const;
  object release();
  const object &inc_ref() const;
  const object &dec_ref() const;
  explicit operator bool() const;
};
using handle = object;

#define TENSORLEAK_PYTHON_CLASS(NAME)                                                              \
  class NAME : public object {                                                                     \
  public:                                                                                          \
    NAME();                                                                                        \
    template <typename... Args> NAME(Args &&...Values);                                            \
    template <typename T> void append(T &&Value);                                                  \
    template <typename T> operator T() const;                                                      \
    std::size_t size() const;                                                                      \
    bool empty() const;                                                                            \
  };
TENSORLEAK_PYTHON_CLASS(args)
TENSORLEAK_PYTHON_CLASS(bool_)
TENSORLEAK_PYTHON_CLASS(buffer)
TENSORLEAK_PYTHON_CLASS(bytes)
TENSORLEAK_PYTHON_CLASS(capsule)
TENSORLEAK_PYTHON_CLASS(dict)
TENSORLEAK_PYTHON_CLASS(dtype)
TENSORLEAK_PYTHON_CLASS(float_)
TENSORLEAK_PYTHON_CLASS(function)
TENSORLEAK_PYTHON_CLASS(int_)
TENSORLEAK_PYTHON_CLASS(iterable)
TENSORLEAK_PYTHON_CLASS(iterator)
TENSORLEAK_PYTHON_CLASS(kwargs)
TENSORLEAK_PYTHON_CLASS(list)
TENSORLEAK_PYTHON_CLASS(none)
TENSORLEAK_PYTHON_CLASS(sequence)
TENSORLEAK_PYTHON_CLASS(set)
TENSORLEAK_PYTHON_CLASS(slice)
TENSORLEAK_PYTHON_CLASS(str)
TENSORLEAK_PYTHON_CLASS(tuple)
TENSORLEAK_PYTHON_CLASS(type)
#undef TENSORLEAK_PYTHON_CLASS

template <typename T> T cast(const object &Of);
template <typename T> object cast(T &&Value);
template <typename T> bool isinstance(const object &Of);
template <typename T> T reinterpret_borrow(const object &Of);
template <typename T> T reinterpret_steal(const object &Of);
template <typename... Args> tuple make_tuple(Args &&...Values);
template <typename... Args> void print(Args &&...Values);
std::size_t len(const object &Of);
object eval(const std::string &Text);
void exec(const std::string &Text);

class error_already_set : public std::runtime_error {
public:
  error_already_set();
};
#define TENSORLEAK_PYTHON_ERROR(NAME)                                                              \
  class NAME : public std::runtime_error {                                                         \
  public:                                                                                          \
    explicit NAME(const std::string &Text = "");                                                   \
  };
TENSORLEAK_PYTHON_ERROR(cast_error)
TENSORLEAK_PYTHON_ERROR(index_error)
TENSORLEAK_PYTHON_ERROR(key_error)
TENSORLEAK_PYTHON_ERROR(stop_iteration)
TENSORLEAK_PYTHON_ERROR(type_error)
TENSORLEAK_PYTHON_ERROR(value_error)
#undef TENSORLEAK_PYTHON_ERROR

class gil_scoped_acquire {
public:
  gil_scoped_acquire();
  ~gil_scoped_acquire();
};
class gil_scoped_release {
public:
  gil_scoped_release();
  ~gil_scoped_release();
};

//===-- Arrays ------------------------------------------------------------===//

struct buffer_info {
  void *ptr;
  ssize_t itemsize, size, ndim;
  std::string format;
  std::vector<ssize_t> shape, strides;
};

class array : public buffer {
public:
  enum { c_style = 1, f_style = 2, forcecast = 16 };
  array();
  template <typename... Args> array(Args &&...Values);
  ssize_t ndim() const;
  ssize_t size() const;
  ssize_t nbytes() const;
  ssize_t shape(ssize_t Dimension) const;
  const ssize_t *shape() const;
  ssize_t strides(ssize_t Dimension) const;
  const void *data() const;
  void *mutable_data();
  buffer_info request(bool IsWritable = false) const;
};

template <typename T, int Flags = array::forcecast> class array_t : public array {
public:
  array_t();
  template <typename... Args> array_t(Args &&...Values);
  template <typename... Index> const T *data(Index... At) const;
  template <typename... Index> T *mutable_data(Index... At);
  template <typename... Index> T &at(Index... At) const;
  template <int Dims> array_t unchecked() const;
  template <int Dims> array_t mutable_unchecked();
  template <typename... Index> T &operator()(Index... At) const;
};

//===-- Bindings ----------------------------------------------------------===//

struct arg {
  explicit arg(const char *Name);
  template <typename T> arg &operator=(T &&Default);
  arg &noconvert(bool Is = true);
  arg &none(bool Is = true);
};
inline namespace literals {
arg operator""_a(const char *Name, std::size_t);
}
template <typename... Guards> struct call_guard {};
template <std::size_t Nurse, std::size_t Patient> struct keep_alive {};
struct dynamic_attr {};
struct buffer_protocol {};
struct is_operator {};
struct module_local {};
struct doc {
  explicit doc(const char *Text);
};
enum class return_value_policy : std::uint8_t {
  automatic,
  automatic_reference,
  take_ownership,
  copy,
  move,
  reference,
  reference_internal,
};

struct binding {};
template <typename... Args> binding init();
template <typename... Functions> binding init(Functions &&...Makers);
template <typename Get, typename Set> binding pickle(Get &&From, Set &&To);
template <typename... Args, typename Return>
Return (*overload_cast(Return (*Of)(Args...)))(Args...);

class module_ : public object {
public:
  template <typename Function, typename... Extra>
  module_ &def(const char *Name, Function &&What, const Extra &...More);
  module_ def_submodule(const char *Name, const char *Text = nullptr);
  object doc() const;
  static module_ import(const char *Name);
};
using module = module_;

template <typename T, typename... Options> class class_ : public object {
public:
  template <typename... Extra> class_(object Scope, const char *Name, const Extra &...More);
  template <typename... Extra> class_ &def(binding Special, const Extra &...More);
#define TENSORLEAK_PYTHON_DEFINES(NAME)                                                            \
  template <typename... What> class_ &NAME(const char *Name, What &&...More);
  TENSORLEAK_PYTHON_DEFINES(def)
  TENSORLEAK_PYTHON_DEFINES(def_property)
  TENSORLEAK_PYTHON_DEFINES(def_property_readonly)
  TENSORLEAK_PYTHON_DEFINES(def_readonly)
  TENSORLEAK_PYTHON_DEFINES(def_readwrite)
  TENSORLEAK_PYTHON_DEFINES(def_static)
#undef TENSORLEAK_PYTHON_DEFINES
  template <typename Function> class_ &def_buffer(Function &&What);
};

template <typename T> class enum_ : public class_<T> {
public:
  template <typename... Extra> enum_(object Scope, const char *Name, const Extra &...More);
  enum_ &value(const char *Name, T Value, const char *Text = nullptr);
  enum_ &export_values();
};

} // namespace pybind11

#define PYBIND11_MODULE(NAME, VARIABLE)                                                            \
  static void pybind11_init_module(::pybind11::module_ &);                                         \
  extern "C" PyObject *pybind11_entry() {                                                          \
    ::pybind11::module_ Made;                                                                      \
    pybind11_init_module(Made);                                                                    \
    return Made.ptr();                                                                             \
  }                                                                                                \
  void pybind11_init_module([[maybe_unused]] ::pybind11::module_ &VARIABLE)
#define PYBIND11_DECLARE_HOLDER_TYPE(...)
#define PYBIND11_MAKE_OPAQUE(...)
#define PYBIND11_OVERRIDE(...)
#define PYBIND11_OVERRIDE_PURE(...)
