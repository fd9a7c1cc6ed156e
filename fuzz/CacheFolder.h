//===-- CacheFolder.h ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FUZZ_CACHEFOLDER_H
#define TENSORLEAK_FUZZ_CACHEFOLDER_H

#include "fuzz/FuzzInput.h"

#include <filesystem>

namespace tensorleak::fuzz {

/// A folder in memory that is gone at the end.
class CacheFolder {
public:
  CacheFolder() {
    if (!mkdtemp(Path.data()))
      std::abort();
  }
  ~CacheFolder() { std::filesystem::remove_all(Path); }
  CacheFolder(const CacheFolder &) = delete;
  CacheFolder &operator=(const CacheFolder &) = delete;
  const std::string &path() const { return Path; }

private:
  std::string Path = "/dev/shm/tensorleak-fuzz-XXXXXX";
};

} // namespace tensorleak::fuzz

#endif // TENSORLEAK_FUZZ_CACHEFOLDER_H
