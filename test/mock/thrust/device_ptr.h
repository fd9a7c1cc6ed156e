//===-- device_ptr.h - Stand-in for thrust ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only: the pointers that own nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace thrust {
template <class T> class device_ptr {
public:
  explicit device_ptr(T *p) : p(p) {}
  T *get() const { return p; }

private:
  T *p;
};
template <class T> device_ptr<T> device_pointer_cast(T *p);
template <class T> T *raw_pointer_cast(const device_ptr<T> &p);
} // namespace thrust
