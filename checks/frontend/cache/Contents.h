//===-- Contents.h - What the cache holds, and the bound on its size ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_CONTENTS_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_CONTENTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tensorleak {

struct CacheContents {
  uint64_t Preludes = 0, PreludeBytes = 0; ///< and what lies beside them
  uint64_t Results = 0, ResultBytes = 0;   ///< of checked files
  uint64_t OtherBytes = 0;                 ///< what files told each other, lists of what was read
  uint64_t bytes() const { return PreludeBytes + ResultBytes + OtherBytes; }
};

CacheContents contentsOfCache(llvm::StringRef Directory);

/// Removes the entries that were not used for longest until the folder holds at
/// most \p MaxBytes, and what crashed processes left. Returns how many bytes it removed.
uint64_t trimCache(llvm::StringRef Directory, uint64_t MaxBytes);

/// The same at the end of a check; thousands of entries are not all looked at again within a
/// minute while they take less than half of \p MaxBytes.
void boundCache(llvm::StringRef Directory, uint64_t MaxBytes);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_CONTENTS_H
