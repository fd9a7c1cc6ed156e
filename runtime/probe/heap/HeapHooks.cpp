//===-- HeapHooks.cpp - Hooks: malloc, new and their kin --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader itself calls these, before anything of ours is initialized: they lead to the
// program's own allocator, and only blocks that are large enough are looked at. Who asked
// is seen by the return address, so the C++ library's new, which calls malloc, is no user.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/heap/UserHeap.h"

#include <cerrno>
#include <dlfcn.h>
#include <new>

using namespace tensorleak::probe;

extern "C" {
void *__libc_malloc(size_t) noexcept;
void *__libc_calloc(size_t, size_t) noexcept;
void *__libc_realloc(void *, size_t) noexcept;
void __libc_free(void *) noexcept;
void *__libc_memalign(size_t, size_t) noexcept;
}

#define TENSORLEAK_HEAP_EXPORT extern "C" __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

namespace {

/// The functions of the program's allocator: glibc's, or another that was linked. Null while
/// they are being looked for, which may itself allocate, and where there is none.
struct Allocator {
  void *(*Malloc)(size_t) = nullptr;
  void *(*Calloc)(size_t, size_t) = nullptr;
  void *(*Realloc)(void *, size_t) = nullptr;
  void (*Free)(void *) = nullptr;
  void *(*AlignedAlloc)(size_t, size_t) = nullptr;
  int (*PosixMemalign)(void **, size_t, size_t) = nullptr;
  void *(*New)(size_t) = nullptr, *(*NewArray)(size_t) = nullptr;
  void (*Delete)(void *) = nullptr, (*DeleteArray)(void *) = nullptr;

  /// Those that every program has come first: a look-up that fails frees an older message.
  void find() {
    findOne(Malloc, "malloc");
    findOne(Free, "free");
    findOne(Calloc, "calloc");
    findOne(Realloc, "realloc");
    findOne(AlignedAlloc, "aligned_alloc");
    findOne(PosixMemalign, "posix_memalign");
    findOne(New, "_Znwm");
    findOne(NewArray, "_Znam");
    findOne(Delete, "_ZdlPv");
    findOne(DeleteArray, "_ZdaPv");
  }

private:
  template <typename F> static void findOne(F &Out, const char *Symbol) {
    Out = reinterpret_cast<F>(dlsym(RTLD_NEXT, Symbol));
  }
};

/// The first call comes from the loader, when there is one thread.
const Allocator &real() {
  static Allocator TheAllocator;
  static bool Begun = false;
  if (!Begun) {
    Begun = true;
    TheAllocator.find();
  }
  return TheAllocator;
}

void *noted(void *Data, size_t Bytes, const void *Caller) {
  if (Bytes >= LeastHeapBytes)
    heapTaken(Data, Bytes, Caller);
  return Data;
}

void *plainMalloc(size_t Bytes) {
  auto Real = real().Malloc;
  return Real ? Real(Bytes) : __libc_malloc(Bytes);
}

/// Where no C++ library is loaded, new is ours alone to call.
void *plainNew(void *(*Real)(size_t), size_t Bytes) {
  if (Real)
    return Real(Bytes);
  if (void *Data = plainMalloc(Bytes ? Bytes : 1))
    return Data;
  throw std::bad_alloc();
}

void givenBack(void (*Real)(void *), void *Data) {
  if (!Data)
    return;
  heapGivenBack(Data);
  auto Free = Real ? Real : real().Free;
  Free ? Free(Data) : __libc_free(Data);
}

} // namespace

TENSORLEAK_HEAP_EXPORT void *malloc(size_t Bytes) noexcept {
  return noted(plainMalloc(Bytes), Bytes, CALLER);
}

TENSORLEAK_HEAP_EXPORT void *calloc(size_t Count, size_t Each) noexcept {
  auto Real = real().Calloc;
  void *Data = Real ? Real(Count, Each) : __libc_calloc(Count, Each);
  return noted(Data, Count * Each, CALLER);
}

TENSORLEAK_HEAP_EXPORT void *realloc(void *Data, size_t Bytes) noexcept {
  if (Data)
    heapGivenBack(Data);
  auto Real = real().Realloc;
  void *New = Real ? Real(Data, Bytes) : __libc_realloc(Data, Bytes);
  return noted(New, Bytes, CALLER);
}

TENSORLEAK_HEAP_EXPORT void free(void *Data) noexcept { givenBack(real().Free, Data); }

TENSORLEAK_HEAP_EXPORT int posix_memalign(void **Out, size_t Alignment, size_t Bytes) noexcept {
  auto Real = real().PosixMemalign;
  int Error = Real ? Real(Out, Alignment, Bytes) : ENOMEM;
  if (!Error)
    noted(*Out, Bytes, CALLER);
  return Error;
}

TENSORLEAK_HEAP_EXPORT void *aligned_alloc(size_t Alignment, size_t Bytes) noexcept {
  auto Real = real().AlignedAlloc;
  void *Data = Real ? Real(Alignment, Bytes) : __libc_memalign(Alignment, Bytes);
  return noted(Data, Bytes, CALLER);
}

__attribute__((visibility("default"))) void *operator new(size_t Bytes) {
  return noted(plainNew(real().New, Bytes), Bytes, CALLER);
}

__attribute__((visibility("default"))) void *operator new[](size_t Bytes) {
  return noted(plainNew(real().NewArray, Bytes), Bytes, CALLER);
}

// An allocator with a delete of its own, as tcmalloc and jemalloc have, does not call free.
// The sized ones mean no more than these (C++ [new.delete.single]).
#define TENSORLEAK_DELETE_EXPORT __attribute__((visibility("default"))) void

TENSORLEAK_DELETE_EXPORT operator delete(void *Data) noexcept { givenBack(real().Delete, Data); }
TENSORLEAK_DELETE_EXPORT operator delete(void *Data, size_t) noexcept {
  givenBack(real().Delete, Data);
}
TENSORLEAK_DELETE_EXPORT operator delete[](void *Data) noexcept {
  givenBack(real().DeleteArray, Data);
}
TENSORLEAK_DELETE_EXPORT operator delete[](void *Data, size_t) noexcept {
  givenBack(real().DeleteArray, Data);
}
