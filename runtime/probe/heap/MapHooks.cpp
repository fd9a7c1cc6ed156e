//===-- MapHooks.cpp - Hooks: mmap and its kin ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that the program maps by itself. The calls go straight to the system, as those of the C
// library do, which does not come by here. Address space that is only reserved, or put over what is
// there, is no memory that is taken.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/heap/UserHeap.h"

#include <cstdarg>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tensorleak::probe;

#define TENSORLEAK_MAP_EXPORT extern "C" __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

static void *called(long Result) { return reinterpret_cast<void *>(Result); }

static void *mapped(void *Data, size_t Bytes, const void *Caller) {
  if (Data != MAP_FAILED)
    heapMapped(Data, Bytes, Caller);
  return Data;
}

static void *map(void *Where, size_t Bytes, int Access, int Flags, int File, off_t Offset,
                 const void *Caller) {
  void *Data = called(syscall(SYS_mmap, Where, Bytes, Access, Flags, File, Offset));
  return Access == PROT_NONE || (Flags & MAP_FIXED) ? Data : mapped(Data, Bytes, Caller);
}

TENSORLEAK_MAP_EXPORT void *mmap(void *Where, size_t Bytes, int Access, int Flags, int File,
                                 off_t Offset) noexcept {
  return map(Where, Bytes, Access, Flags, File, Offset, CALLER);
}

TENSORLEAK_MAP_EXPORT void *mmap64(void *Where, size_t Bytes, int Access, int Flags, int File,
                                   off64_t Offset) noexcept {
  return map(Where, Bytes, Access, Flags, File, Offset, CALLER);
}

TENSORLEAK_MAP_EXPORT int munmap(void *Data, size_t Bytes) noexcept {
  heapGivenBack(Data);
  return int(syscall(SYS_munmap, Data, Bytes));
}

TENSORLEAK_MAP_EXPORT void *mremap(void *Data, size_t Old, size_t New, int Flags, ...) noexcept {
  va_list Rest;
  va_start(Rest, Flags);
  void *Wanted = Flags & MREMAP_FIXED ? va_arg(Rest, void *) : nullptr;
  va_end(Rest);
  void *Out = called(syscall(SYS_mremap, Data, Old, New, Flags, Wanted));
  if (Out != MAP_FAILED) {
    heapGivenBack(Data);
    mapped(Out, New, CALLER);
  }
  return Out;
}
