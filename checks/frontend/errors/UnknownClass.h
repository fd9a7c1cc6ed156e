//===-- UnknownClass.h - A class of which nothing is known ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. The text of the class that all stand-ins are of: it is made from
// anything, becomes anything, and has every operator. Nothing has a body, and no part
// of it is called a library's: what it is given it may keep, fill or free.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_ERRORS_UNKNOWNCLASS_H
#define TENSORLEAK_CHECKS_FRONTEND_ERRORS_UNKNOWNCLASS_H

#include "llvm/ADT/StringRef.h"

namespace tensorleak {

/// Up to its members. Its name is none that the file's own classes have.
inline constexpr llvm::StringLiteral UnknownClassBegin = R"(
namespace tensorleak_standins {
struct TlUnknown;
template <class T> struct Plain { using Type = T; };
template <class T> struct Plain<T &> { using Type = T; };
template <class T> struct Plain<T &&> { using Type = T; };
template <class T> constexpr bool IsUnknown = __is_base_of(TlUnknown, typename Plain<T>::Type);
template <bool> struct If {};
template <> struct If<true> { using Type = int; };

struct TlUnknown {
  TlUnknown();
  TlUnknown(const TlUnknown &);
  template <class A, typename If<!IsUnknown<A>>::Type = 0> TlUnknown(A &&);
  // From another stand-in it is converted.
  template <class A, typename If<IsUnknown<A>>::Type = 0, class = void> explicit TlUnknown(A &&);
  template <class A, class B, class... R> TlUnknown(A &&, B &&, R &&...);
  virtual ~TlUnknown();
  TlUnknown &operator=(const TlUnknown &);
  template <class A> TlUnknown &operator=(A &&);
  template <class T> operator T() const;
  template <class T> operator T &() &;
  operator long long() const; // for switch, which asks no template
  template <class... A> TlUnknown operator()(A &&...) const;
  template <class A> TlUnknown &operator[](A &&) const;
  TlUnknown *operator->() const;
  TlUnknown &operator*() const;
  TlUnknown *begin() const;
  TlUnknown *end() const;
  TlUnknown &operator++();
  TlUnknown operator++(int);
  TlUnknown &operator--();
  TlUnknown operator--(int);
  TlUnknown operator-() const;
  TlUnknown operator~() const;
  bool operator!() const;
#define TENSORLEAK_ASSIGN(OP) template <class A> TlUnknown &operator OP(A &&);
  TENSORLEAK_ASSIGN(+=)
  TENSORLEAK_ASSIGN(-=)
  TENSORLEAK_ASSIGN(*=)
  TENSORLEAK_ASSIGN(/=)
  TENSORLEAK_ASSIGN(%=)
  TENSORLEAK_ASSIGN(|=)
  TENSORLEAK_ASSIGN(&=)
  TENSORLEAK_ASSIGN(^=)
  TENSORLEAK_ASSIGN(<<=)
  TENSORLEAK_ASSIGN(>>=)
#undef TENSORLEAK_ASSIGN
)";

/// From behind its members. Only one operand of an operator has to be unknown.
inline constexpr llvm::StringLiteral UnknownClassEnd = R"(
};
#define TENSORLEAK_BINARY(OP, R)                                                        \
  template <class A, class B, typename If<IsUnknown<A>>::Type = 0>                      \
  R operator OP(A &&, B &&);                                                            \
  template <class A, class B, typename If<!IsUnknown<A>>::Type = 0,                     \
            typename If<IsUnknown<B>>::Type = 0>                                        \
  R operator OP(A &&, B &&);
TENSORLEAK_BINARY(+, TlUnknown)
TENSORLEAK_BINARY(-, TlUnknown)
TENSORLEAK_BINARY(*, TlUnknown)
TENSORLEAK_BINARY(/, TlUnknown)
TENSORLEAK_BINARY(%, TlUnknown)
TENSORLEAK_BINARY(&, TlUnknown)
TENSORLEAK_BINARY(|, TlUnknown)
TENSORLEAK_BINARY(^, TlUnknown)
TENSORLEAK_BINARY(==, bool)
TENSORLEAK_BINARY(!=, bool)
TENSORLEAK_BINARY(<, bool)
TENSORLEAK_BINARY(>, bool)
TENSORLEAK_BINARY(<=, bool)
TENSORLEAK_BINARY(>=, bool)
#undef TENSORLEAK_BINARY
template <class A, class B, typename If<IsUnknown<A>>::Type = 0> TlUnknown operator<<(A &&, B &&);
template <class A, class B, typename If<IsUnknown<A>>::Type = 0> TlUnknown operator>>(A &&, B &&);
template <class A, class B, typename If<!IsUnknown<A>>::Type = 0,
          typename If<IsUnknown<B>>::Type = 0>
A &operator<<(A &, const B &);
template <class A, class B, typename If<!IsUnknown<A>>::Type = 0,
          typename If<IsUnknown<B>>::Type = 0>
A &operator>>(A &, B &);
} // namespace tensorleak_standins
)";

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_ERRORS_UNKNOWNCLASS_H
