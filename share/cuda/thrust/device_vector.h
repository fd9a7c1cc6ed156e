//===-- thrust/device_vector.h - Thrust's pointers and vectors
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_THRUST_DEVICE_VECTOR_H
#define TENSORLEAK_CUDA_THRUST_DEVICE_VECTOR_H

#include <cuda_runtime.h>

#ifdef __cplusplus
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace thrust {

template <class T> class device_ptr;

/// An element of a device_vector, as host code sees it.
template <class T> class device_reference {
public:
  operator T() const;
  device_reference &operator=(const T &value);
  device_reference &operator=(const device_reference &other);
  device_reference &operator+=(const T &value);
  device_reference &operator-=(const T &value);
  device_reference &operator*=(const T &value);
  device_reference &operator++();
  device_ptr<T> operator&() const;
};

/// A pointer into device memory; owns nothing.
template <class T> class device_ptr {
public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::remove_cv_t<T> value_type;
  typedef std::ptrdiff_t difference_type;
  typedef device_ptr pointer;
  typedef device_reference<T> reference;
  __host__ __device__ device_ptr();
  __host__ __device__ device_ptr(std::nullptr_t);
  __host__ __device__ explicit device_ptr(T *raw);
  template <class U> __host__ __device__ device_ptr(const device_ptr<U> &other);
  __host__ __device__ T *get() const;
  __host__ __device__ reference operator*() const;
  __host__ __device__ reference operator[](difference_type i) const;
  __host__ __device__ device_ptr &operator++();
  __host__ __device__ device_ptr operator++(int);
  __host__ __device__ device_ptr &operator--();
  __host__ __device__ device_ptr &operator+=(difference_type n);
  __host__ __device__ device_ptr &operator-=(difference_type n);
  __host__ __device__ device_ptr operator+(difference_type n) const;
  __host__ __device__ device_ptr operator-(difference_type n) const;
  __host__ __device__ difference_type operator-(const device_ptr &other) const;
  __host__ __device__ bool operator==(const device_ptr &other) const;
  __host__ __device__ bool operator!=(const device_ptr &other) const;
  __host__ __device__ bool operator<(const device_ptr &other) const;
  explicit operator bool() const;
};

template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(T *raw);
template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(const device_ptr<T> &p);
template <class T> __host__ __device__ T *raw_pointer_cast(T *p);
template <class T> __host__ __device__ T *raw_pointer_cast(const device_ptr<T> &p);
template <class T> __host__ __device__ T &raw_reference_cast(T &reference);
template <class T> __host__ __device__ T &raw_reference_cast(device_reference<T> reference);

template <class T> device_ptr<T> device_malloc(std::size_t count);
device_ptr<void> device_malloc(std::size_t bytes);
template <class T> void device_free(device_ptr<T> p);
template <class T> device_ptr<T> device_new(std::size_t count = 1);
template <class T> void device_delete(device_ptr<T> p, std::size_t count = 1);

template <class T> class device_allocator;
template <class T, class Allocator> class host_vector;

/// An owner of device memory.
template <class T, class Allocator = device_allocator<T>> class device_vector {
public:
  typedef T value_type;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;

  device_vector();
  explicit device_vector(size_type count);
  device_vector(size_type count, const T &value);
  device_vector(const device_vector &other);
  device_vector(device_vector &&other);
  template <class U, class A> device_vector(const device_vector<U, A> &other);
  template <class U, class A> device_vector(const host_vector<U, A> &other);
  template <class U, class A> device_vector(const std::vector<U, A> &other);
  device_vector(std::initializer_list<T> values);
  template <class Iterator, class = typename std::iterator_traits<Iterator>::value_type>
  device_vector(Iterator first, Iterator last);
  ~device_vector();
  device_vector &operator=(const device_vector &other);
  device_vector &operator=(device_vector &&other);
  template <class U, class A> device_vector &operator=(const device_vector<U, A> &other);
  template <class U, class A> device_vector &operator=(const host_vector<U, A> &other);
  template <class U, class A> device_vector &operator=(const std::vector<U, A> &other);

  size_type size() const;
  size_type capacity() const;
  bool empty() const;
  void resize(size_type count);
  void resize(size_type count, const T &value);
  void reserve(size_type count);
  void clear();
  void shrink_to_fit();
  void push_back(const T &value);
  void pop_back();
  void swap(device_vector &other);
  void assign(size_type count, const T &value);
  template <class Iterator> void assign(Iterator first, Iterator last);
  iterator erase(iterator position);
  iterator erase(iterator first, iterator last);
  iterator insert(iterator position, const T &value);
  reference operator[](size_type i);
  const_reference operator[](size_type i) const;
  reference front();
  reference back();
  pointer data();
  const_pointer data() const;
  iterator begin();
  iterator end();
  const_iterator begin() const;
  const_iterator end() const;
  const_iterator cbegin() const;
  const_iterator cend() const;
};

/// A vector in host memory.
template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
public:
  using std::vector<T, Allocator>::vector;
  host_vector();
  template <class U, class A> host_vector(const device_vector<U, A> &other);
  template <class U, class A> host_vector(const std::vector<U, A> &other);
  template <class U, class A> host_vector &operator=(const device_vector<U, A> &other);
};

struct TensorleakPolicy {
  TensorleakPolicy on(cudaStream_t stream) const;
  template <class Allocator> TensorleakPolicy operator()(Allocator &&allocator) const;
};
extern const TensorleakPolicy host, device, seq;
namespace cuda {
extern const TensorleakPolicy par, par_nosync;
} // namespace cuda
namespace system = cuda;

} // namespace thrust
#endif

#endif // TENSORLEAK_CUDA_THRUST_DEVICE_VECTOR_H
