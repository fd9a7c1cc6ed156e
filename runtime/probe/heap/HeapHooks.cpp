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
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/heap/Sampling.h"
#include "runtime/probe/heap/UserHeap.h"
#include "runtime/probe/session/Sources.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <link.h>
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

/// The functions of the program's allocator: glibc's, or another that was linked. Each call
/// takes the one it needs without asking whether it was found yet: until then there is one in
/// its place that looks for all of them.
struct Allocator {
  void *(*Malloc)(size_t);
  void *(*Calloc)(size_t, size_t);
  void *(*Realloc)(void *, size_t);
  void (*Free)(void *);
  void *(*AlignedAlloc)(size_t, size_t);
  int (*PosixMemalign)(void **, size_t, size_t);
  void *(*New)(size_t), *(*NewArray)(size_t);
  void (*Delete)(void *), (*DeleteArray)(void *);
  void (*SizedDelete)(void *), (*SizedDeleteArray)(void *); ///< without their size
};

template <auto Member> struct FirstCall;
template <typename R, typename... As, R (*Allocator::*Member)(As...)> struct FirstCall<Member> {
  static R of(As... Arguments);
};

Allocator Real = {
    FirstCall<&Allocator::Malloc>::of,       FirstCall<&Allocator::Calloc>::of,
    FirstCall<&Allocator::Realloc>::of,      FirstCall<&Allocator::Free>::of,
    FirstCall<&Allocator::AlignedAlloc>::of, FirstCall<&Allocator::PosixMemalign>::of,
    FirstCall<&Allocator::New>::of,          FirstCall<&Allocator::NewArray>::of,
    FirstCall<&Allocator::Delete>::of,       FirstCall<&Allocator::DeleteArray>::of,
    FirstCall<&Allocator::SizedDelete>::of,  FirstCall<&Allocator::SizedDeleteArray>::of};

/// Where no C++ library is loaded, new is ours alone to call.
void *newByMalloc(size_t Bytes) {
  if (void *Data = Real.Malloc(Bytes ? Bytes : 1))
    return Data;
  throw std::bad_alloc();
}

int noMemalign(void **, size_t, size_t) { return ENOMEM; }
void *alignedByGlibc(size_t Alignment, size_t Bytes) { return __libc_memalign(Alignment, Bytes); }

void *(*LibraryNew)(size_t) = newByMalloc;

/// What the C++ library's new does, without the way back through our malloc. Where there is
/// no memory left the library has a handler to call.
void *newAsLibrary(size_t Bytes) {
  void *Data = Real.Malloc(Bytes ? Bytes : 1);
  return Data ? Data : LibraryNew(Bytes);
}

/// The file that a function is of, "" if unknown; and where it lies.
struct FileOf {
  explicit FileOf(const void *Function) {
    Dl_info Info;
    if (!dladdr(Function, &Info) || !Info.dli_fname)
      return;
    Base = Info.dli_fbase;
    const char *Slash = std::strrchr(Info.dli_fname, '/');
    Name = Slash ? Slash + 1 : Info.dli_fname;
  }
  const char *Name = "";
  const void *Base = nullptr;
};

/// Of the C++ library, whose new and delete call malloc and free; not of an allocator that
/// has its own.
template <typename F> bool isOfCxxLibrary(F Function) {
  FileOf File(reinterpret_cast<void *>(Function));
  for (const char *Library : {"libstdc++.so", "libc++.so", "libc++abi.so"})
    if (!std::strncmp(File.Name, Library, std::strlen(Library)))
      return true;
  return false;
}

void passOverLibrary(void *(*&New)(size_t), void (*&Delete)(void *)) {
  if (!isOfCxxLibrary(New) || !isOfCxxLibrary(Delete))
    return;
  LibraryNew = New;
  New = newAsLibrary;
  Delete = Real.Free;
}

template <typename F> void findOne(F &Out, const char *Symbol) {
  if (void *Found = nextSymbol(Symbol))
    Out = reinterpret_cast<F>(Found);
}

/// What the process calls by that name: the program's own, if it defines one, or ours.
void *inUse(const char *Symbol) { return dlsym(RTLD_DEFAULT, Symbol); }

/// A program at a fixed address that takes a function's address has an entry of its own that
/// leads to it, where dlsym finds it first; the symbol is undefined there (ELF, x86-64 ABI).
bool onlyLeadsOn(const void *Function) {
  Dl_info Info;
  void *Symbol = nullptr;
  return dladdr1(Function, &Info, &Symbol, RTLD_DL_SYMENT) && Symbol &&
         static_cast<const ElfW(Sym) *>(Symbol)->st_shndx == SHN_UNDEF;
}

/// A program that was entered calls the library's where it would call ours.
bool isOurs(const char *Symbol) {
  void *Used = inUse(Symbol);
  if (onlyLeadsOn(Used))
    return true;
  if (EntersRunningProgram)
    return isOfCxxLibrary(Used);
  return FileOf(Used).Base == FileOf(reinterpret_cast<void *>(newAsLibrary)).Base;
}

/// The forms for arrays and with a size lead to the plain ones, which a program may define
/// alone (C++ [new.delete.array], [new.delete.single]).
void findNewAndDelete() {
  findOne(Real.New, "_Znwm");
  findOne(Real.NewArray, "_Znam");
  findOne(Real.Delete, "_ZdlPv");
  findOne(Real.DeleteArray, "_ZdaPv");
  passOverLibrary(Real.New, Real.Delete);
  bool PlainAreOurs = isOurs("_Znwm") && isOurs("_ZdlPv");
  if (PlainAreOurs)
    passOverLibrary(Real.NewArray, Real.DeleteArray);
  Real.SizedDelete = Real.Delete;
  Real.SizedDeleteArray = Real.DeleteArray;
  if (!isOurs("_ZdlPv"))
    Real.SizedDelete = reinterpret_cast<void (*)(void *)>(inUse("_ZdlPv"));
  if (!isOurs("_ZdaPv"))
    Real.SizedDeleteArray = reinterpret_cast<void (*)(void *)>(inUse("_ZdaPv"));
}

/// The first call comes from the loader, when there is one thread. To look may itself
/// allocate, which glibc does meanwhile. Those that every program has come first: a look-up
/// that fails frees an older message.
void findAllocator() {
  Real = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_free, alignedByGlibc, noMemalign,
          newByMalloc,   newByMalloc,   __libc_free,    __libc_free, __libc_free,    __libc_free};
  findOne(Real.Malloc, "malloc");
  findOne(Real.Free, "free");
  Real.Delete = Real.DeleteArray = Real.SizedDelete = Real.SizedDeleteArray = Real.Free;
  findOne(Real.Calloc, "calloc");
  findOne(Real.Realloc, "realloc");
  findOne(Real.AlignedAlloc, "aligned_alloc");
  findOne(Real.PosixMemalign, "posix_memalign");
  findNewAndDelete();
}

template <typename R, typename... As, R (*Allocator::*Member)(As...)>
R FirstCall<Member>::of(As... Arguments) {
  findAllocator();
  return (Real.*Member)(Arguments...);
}

void *noted(void *Data, size_t Bytes, const void *Caller) {
  bool IsWatched = Bytes >= LeastHeapBytes && heapTaken(Data, Bytes, Caller);
  if (!IsWatched)
    passSample(Data, Bytes, Caller);
  return Data;
}

void givenBack(void (*Free)(void *), void *Data) {
  if (!Data)
    return;
  heapGivenBack(Data);
  Free(Data);
}

} // namespace

void tensorleak::probe::prepareHeapHooks() {
  if (Real.Malloc == FirstCall<&Allocator::Malloc>::of)
    findAllocator();
}

bool tensorleak::probe::glibcServesMalloc() { return Real.Malloc == __libc_malloc; }

HeapAllocator tensorleak::probe::heapAllocator() {
  bool IsWatched = EntersRunningProgram || isOurs("malloc");
  FileOf Serves(IsWatched ? reinterpret_cast<void *>(Real.Malloc) : inUse("malloc"));
  FileOf Glibc(reinterpret_cast<void *>(__libc_malloc));
  return {Serves.Name, Serves.Base == Glibc.Base, IsWatched};
}

TENSORLEAK_HEAP_EXPORT void *malloc(size_t Bytes) noexcept {
  return noted(Real.Malloc(Bytes), Bytes, CALLER);
}

TENSORLEAK_HEAP_EXPORT void *calloc(size_t Count, size_t Each) noexcept {
  return noted(Real.Calloc(Count, Each), Count * Each, CALLER);
}

TENSORLEAK_HEAP_EXPORT void *realloc(void *Data, size_t Bytes) noexcept {
  if (Data)
    heapGivenBack(Data);
  return noted(Real.Realloc(Data, Bytes), Bytes, CALLER);
}

TENSORLEAK_HEAP_EXPORT void free(void *Data) noexcept { givenBack(Real.Free, Data); }

TENSORLEAK_HEAP_EXPORT int posix_memalign(void **Out, size_t Alignment, size_t Bytes) noexcept {
  int Error = Real.PosixMemalign(Out, Alignment, Bytes);
  if (!Error)
    noted(*Out, Bytes, CALLER);
  return Error;
}

TENSORLEAK_HEAP_EXPORT void *aligned_alloc(size_t Alignment, size_t Bytes) noexcept {
  return noted(Real.AlignedAlloc(Alignment, Bytes), Bytes, CALLER);
}

__attribute__((visibility("default"))) void *operator new(size_t Bytes) {
  return noted(Real.New(Bytes), Bytes, CALLER);
}

__attribute__((visibility("default"))) void *operator new[](size_t Bytes) {
  return noted(Real.NewArray(Bytes), Bytes, CALLER);
}

// An allocator with a delete of its own, as tcmalloc and jemalloc have, does not call free.
#define TENSORLEAK_DELETE_EXPORT __attribute__((visibility("default"))) void

TENSORLEAK_DELETE_EXPORT operator delete(void *Data) noexcept { givenBack(Real.Delete, Data); }
TENSORLEAK_DELETE_EXPORT operator delete(void *Data, size_t) noexcept {
  givenBack(Real.SizedDelete, Data);
}
TENSORLEAK_DELETE_EXPORT operator delete[](void *Data) noexcept {
  givenBack(Real.DeleteArray, Data);
}
TENSORLEAK_DELETE_EXPORT operator delete[](void *Data, size_t) noexcept {
  givenBack(Real.SizedDeleteArray, Data);
}
