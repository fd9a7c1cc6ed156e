//===-- thrust/algorithm.h - Thrust's algorithms, functors and iterators
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_THRUST_ALGORITHM_H
#define TENSORLEAK_CUDA_THRUST_ALGORITHM_H

#include <thrust/device_vector.h>

#ifdef __cplusplus
#include <functional>
#include <tuple>

namespace thrust {

// Each algorithm takes iterators of the host, of the device and pointers, with an
// execution policy or without: what it returns is what matters here.
template <class... Args> void fill(Args &&...args);
template <class... Args> void sequence(Args &&...args);
template <class... Args> void sort(Args &&...args);
template <class... Args> void stable_sort(Args &&...args);
template <class... Args> void sort_by_key(Args &&...args);
template <class... Args> void stable_sort_by_key(Args &&...args);
template <class... Args> void for_each(Args &&...args);
template <class... Args> void for_each_n(Args &&...args);
template <class... Args> void generate(Args &&...args);
template <class... Args> void replace(Args &&...args);
template <class... Args> void replace_if(Args &&...args);
template <class... Args> void tabulate(Args &&...args);
template <class... Args> void reverse(Args &&...args);
template <class... Args> bool all_of(Args &&...args);
template <class... Args> bool any_of(Args &&...args);
template <class... Args> bool none_of(Args &&...args);
template <class... Args> bool equal(Args &&...args);
template <class... Args> bool is_sorted(Args &&...args);
template <class... Args> std::ptrdiff_t count(Args &&...args);
template <class... Args> std::ptrdiff_t count_if(Args &&...args);

template <class In, class Out> Out copy(In first, In last, Out to);
template <class Policy, class In, class Out>
Out copy(const Policy &policy, In first, In last, Out to);
template <class In, class Size, class Out> Out copy_n(In first, Size count, Out to);
template <class In, class Out, class Predicate>
Out copy_if(In first, In last, Out to, Predicate wanted);
template <class In, class Stencil, class Out, class Predicate>
Out copy_if(In first, In last, Stencil stencil, Out to, Predicate wanted);
template <class In, class Out, class Op> Out transform(In first, In last, Out to, Op op);
template <class In, class In2, class Out, class Op>
Out transform(In first, In last, In2 second, Out to, Op op);
template <class Policy, class In, class In2, class Out, class Op>
Out transform(const Policy &policy, In first, In last, In2 second, Out to, Op op);
template <class In, class Out> Out inclusive_scan(In first, In last, Out to);
template <class In, class Out> Out exclusive_scan(In first, In last, Out to);
template <class In, class Out, class T> Out exclusive_scan(In first, In last, Out to, T init);
template <class In, class Map, class Out> Out gather(In first, In last, Map map, Out to);
template <class In, class Map, class Out> void scatter(In first, In last, Map map, Out to);
template <class Iterator> Iterator unique(Iterator first, Iterator last);
template <class Iterator, class Predicate>
Iterator remove_if(Iterator first, Iterator last, Predicate unwanted);
template <class Iterator, class T> Iterator find(Iterator first, Iterator last, const T &value);
template <class Iterator, class Predicate>
Iterator find_if(Iterator first, Iterator last, Predicate wanted);
template <class Iterator> Iterator max_element(Iterator first, Iterator last);
template <class Iterator> Iterator min_element(Iterator first, Iterator last);
template <class Iterator, class T>
Iterator lower_bound(Iterator first, Iterator last, const T &value);

template <class Iterator>
typename std::iterator_traits<Iterator>::value_type reduce(Iterator first, Iterator last);
template <class Iterator, class T> T reduce(Iterator first, Iterator last, T init);
template <class Iterator, class T, class Op> T reduce(Iterator first, Iterator last, T init, Op op);
template <class Policy, class Iterator, class T, class Op>
T reduce(const Policy &policy, Iterator first, Iterator last, T init, Op op);
template <class Iterator, class Unary, class T, class Op>
T transform_reduce(Iterator first, Iterator last, Unary unary, T init, Op op);
template <class In, class In2, class T> T inner_product(In first, In last, In2 second, T init);

template <class T = void> using plus = std::plus<T>;
template <class T = void> using minus = std::minus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using divides = std::divides<T>;
template <class T = void> using negate = std::negate<T>;
template <class T = void> using less = std::less<T>;
template <class T = void> using greater = std::greater<T>;
template <class T = void> using equal_to = std::equal_to<T>;
template <class T> struct maximum {
  __host__ __device__ T operator()(const T &a, const T &b) const;
};
template <class T> struct minimum {
  __host__ __device__ T operator()(const T &a, const T &b) const;
};
template <class T> struct square {
  __host__ __device__ T operator()(const T &a) const;
};
template <class T> struct identity {
  __host__ __device__ const T &operator()(const T &a) const;
};
template <class In, class Out> struct unary_function {
  typedef In argument_type;
  typedef Out result_type;
};
template <class In, class In2, class Out> struct binary_function {
  typedef Out result_type;
};
namespace placeholders {}

template <class... T> using tuple = std::tuple<T...>;
template <class A, class B> using pair = std::pair<A, B>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::tie;

/// An iterator whose values have type \p T.
template <class T> struct TensorleakIterator {
  typedef std::random_access_iterator_tag iterator_category;
  typedef T value_type;
  typedef std::ptrdiff_t difference_type;
  typedef const T *pointer;
  typedef T reference;
  __host__ __device__ T operator*() const;
  __host__ __device__ T operator[](difference_type i) const;
  __host__ __device__ TensorleakIterator &operator++();
  __host__ __device__ TensorleakIterator operator+(difference_type n) const;
  __host__ __device__ difference_type operator-(const TensorleakIterator &other) const;
  __host__ __device__ bool operator==(const TensorleakIterator &other) const;
  __host__ __device__ bool operator!=(const TensorleakIterator &other) const;
};
template <class T> struct counting_iterator : TensorleakIterator<T> {
  __host__ __device__ explicit counting_iterator(T value = T());
};
template <class T> struct constant_iterator : TensorleakIterator<T> {
  __host__ __device__ explicit constant_iterator(T value = T());
};
template <class Op, class Iterator>
struct transform_iterator
    : TensorleakIterator<decltype(std::declval<Op>()(*std::declval<Iterator>()))> {
  __host__ __device__ transform_iterator(Iterator base, Op op);
};
template <class Iterators> struct zip_iterator : TensorleakIterator<Iterators> {
  __host__ __device__ explicit zip_iterator(Iterators iterators);
};
template <class T> __host__ __device__ counting_iterator<T> make_counting_iterator(T value);
template <class T> __host__ __device__ constant_iterator<T> make_constant_iterator(T value);
template <class Iterator, class Op>
__host__ __device__ transform_iterator<Op, Iterator> make_transform_iterator(Iterator base, Op op);
template <class... Iterators>
__host__ __device__ zip_iterator<std::tuple<Iterators...>>
make_zip_iterator(std::tuple<Iterators...> iterators);

} // namespace thrust
#endif

#endif // TENSORLEAK_CUDA_THRUST_ALGORITHM_H
