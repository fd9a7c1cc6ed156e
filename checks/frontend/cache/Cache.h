//===-- Cache.h - Files kept between runs, shared by processes -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of entries named by a hash of what they were made from. Each entry
// has a lock: shared while it is used, exclusive while it is made or removed, so
// that several processes make it once and none removes it under another. The
// kernel drops a lock with its process: nothing is left behind by a crash.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_CACHE_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_CACHE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class CrashRecoveryContextCleanup;
}

namespace tensorleak {

/// How entries end that are one small file, replaced as a whole: what a check found, and what was
/// read for it.
constexpr llvm::StringLiteral ResultEnding = ".result", ReadsEnding = ".reads";

/// $TENSORLEAK_CACHE_DIR, else $XDG_CACHE_HOME/tensorleak, else
/// ~/.cache/tensorleak; "" when none can be created or written.
std::string cacheDirectory();

/// Where it would be, whether or not it is there; "" for nowhere.
std::string wantedCacheDirectory();

/// Writes a file of the cache in one step. A failure costs time later, not findings, and is
/// remembered.
bool writeToCache(const std::string &Path, std::string_view Bytes);

/// Why the cache could not be used or written since the process began, in words; "" if it could.
std::string cacheTrouble();

/// Records that a file of the cache was used just now.
void markUsed(const std::string &Path);

class CacheEntry {
public:
  CacheEntry(llvm::StringRef Directory, llvm::StringRef Key);
  ~CacheEntry();
  CacheEntry(const CacheEntry &) = delete;
  CacheEntry &operator=(const CacheEntry &) = delete;

  /// The entry's file with this ending: "/cache/KEY.pch".
  std::string file(llvm::StringRef Ending) const;

  /// Each waits, and replaces the lock that is held. False: locks do not work here.
  bool lockShared();
  bool lockExclusive();
  /// False when another one uses the entry.
  bool tryLockExclusive();

private:
  /// Lets go of the lock when the compiler crashes on the thread that holds it:
  /// the process goes on, and others wait.
  class UnlockOnCrash;

  bool lock(int Operation);
  void unlock();

  std::string Stem;
  int Lock = -1;
  std::unique_ptr<llvm::CrashRecoveryContextCleanup, void (*)(llvm::CrashRecoveryContextCleanup *)>
      OnCrash;
};

/// 2 GiB, or $TENSORLEAK_CACHE_MIB.
uint64_t cacheLimit();

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_CACHE_H
