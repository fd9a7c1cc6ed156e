//===-- OwnNew.cpp - What the probe itself allocates -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker puts these in the place of new and delete in the probe's own code, and in that
// of the C++ library that is linked into it (--wrap): the ones that the program calls may
// be the program's.
//
//===----------------------------------------------------------------------===//
#include <cstdlib>
#include <new>

extern "C" {

void *__wrap__Znwm(size_t Bytes) {
  if (void *Data = std::malloc(Bytes ? Bytes : 1))
    return Data;
  throw std::bad_alloc();
}
void *__wrap__Znam(size_t Bytes) { return __wrap__Znwm(Bytes); }

void __wrap__ZdlPv(void *Data) noexcept { std::free(Data); }
void __wrap__ZdaPv(void *Data) noexcept { std::free(Data); }
void __wrap__ZdlPvm(void *Data, size_t) noexcept { std::free(Data); }
void __wrap__ZdaPvm(void *Data, size_t) noexcept { std::free(Data); }
}
