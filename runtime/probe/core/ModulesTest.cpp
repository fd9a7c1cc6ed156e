//===-- ModulesTest.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Modules.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <new>

namespace {

thread_local bool LoaderIsLocked = false;
int AllocationsUnderLock = 0;
/// So many files does the loader tell of, each the first one's copy; 0: those that there are.
int Pretended = 0;

struct Visit {
  int (*Callback)(dl_phdr_info *, size_t, void *);
  void *Data;
};

int visitLocked(dl_phdr_info *Info, size_t Size, void *Data) {
  auto &V = *static_cast<Visit *>(Data);
  LoaderIsLocked = true;
  int Result = 0;
  for (int I = 0; I < std::max(Pretended, 1) && !Result; ++I)
    Result = V.Callback(Info, Size, V.Data);
  LoaderIsLocked = false;
  return Pretended ? 1 : Result;
}

} // namespace

/// The loader's own, which says when its lock is held.
extern "C" int dl_iterate_phdr(int (*Callback)(dl_phdr_info *, size_t, void *), void *Data) {
  auto *Real = reinterpret_cast<decltype(&dl_iterate_phdr)>(dlsym(RTLD_NEXT, "dl_iterate_phdr"));
  Visit V{Callback, Data};
  return Real(visitLocked, &V);
}

void *operator new(size_t Bytes) {
  AllocationsUnderLock += LoaderIsLocked;
  if (void *Block = std::malloc(Bytes))
    return Block;
  throw std::bad_alloc();
}
void operator delete(void *Block) noexcept { std::free(Block); }
void operator delete(void *Block, size_t) noexcept { std::free(Block); }

namespace tensorleak::probe {
namespace {

TEST(Modules, AreAllThatAreLoaded) {
  PageVector<LoadedModule> Found = loadedModules();
  auto HasThisTest = [](const LoadedModule &M) {
    return M.contains(reinterpret_cast<uintptr_t>(&AllocationsUnderLock));
  };
  EXPECT_EQ(1, std::count_if(Found.begin(), Found.end(), HasThisTest));
}

TEST(Modules, AreListedWithoutAllocationUnderTheLoadersLock) {
  for (Pretended = 1; Pretended < 1000; Pretended *= 3) {
    EXPECT_EQ(size_t(Pretended), loadedModules().size());
    EXPECT_EQ(0, AllocationsUnderLock) << "of " << Pretended << " files";
  }
  Pretended = 0;
}

} // namespace
} // namespace tensorleak::probe
