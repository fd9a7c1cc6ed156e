//===-- Cache.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/Cache.h"

#include "checks/source/Paths.h"
#include "findings/files/ReplaceFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace llvm;

namespace tensorleak {
namespace {

std::string wantedDirectory() {
  if (auto Own = sys::Process::GetEnv("TENSORLEAK_CACHE_DIR"))
    return *Own;
  if (auto Xdg = sys::Process::GetEnv("XDG_CACHE_HOME"); Xdg && sys::path::is_absolute(*Xdg))
    return joinPath(*Xdg, "tensorleak");
  SmallString<128> Home;
  if (!sys::path::home_directory(Home))
    return "";
  return joinPath(joinPath(Home, ".cache"), "tensorleak");
}

/// The first thing that went wrong; what follows has the same cause.
class FirstTrouble {
public:
  void remember(const std::string &What) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Text.empty())
      Text = What;
  }
  std::string text() {
    std::lock_guard<std::mutex> Guard(Lock);
    return Text;
  }

private:
  std::mutex Lock;
  std::string Text;
};

FirstTrouble &trouble() {
  static FirstTrouble The;
  return The;
}

std::error_code makeWritable(StringRef Directory) {
  if (std::error_code Error = sys::fs::create_directories(Directory))
    return Error;
  return sys::fs::access(Directory, sys::fs::AccessMode::Write);
}

} // namespace

std::string wantedCacheDirectory() {
  SmallString<128> Directory(wantedDirectory());
  if (Directory.empty() || sys::fs::make_absolute(Directory))
    return "";
  return Directory.str().str();
}

std::string cacheDirectory() {
  const std::string Directory = wantedCacheDirectory();
  if (Directory.empty())
    return "";
  if (std::error_code Error = makeWritable(Directory)) {
    trouble().remember("'" + Directory + "' cannot be used: " + Error.message());
    return "";
  }
  return Directory;
}

bool writeToCache(const std::string &Path, std::string_view Bytes) {
  try {
    replaceFile(Path, Bytes);
    return true;
  } catch (const std::system_error &Error) {
    trouble().remember("'" + Path + "' cannot be written: " + Error.code().message());
    return false;
  }
}

std::string cacheTrouble() { return trouble().text(); }

void markUsed(const std::string &Path) { ::utimensat(AT_FDCWD, Path.c_str(), nullptr, 0); }

uint64_t cacheLimit() {
  uint64_t MiB = 2048;
  if (auto Wanted = sys::Process::GetEnv("TENSORLEAK_CACHE_MIB"))
    StringRef(*Wanted).getAsInteger(10, MiB);
  return MiB << 20;
}

//===-- One entry ----------------------------------------------------------===//

class CacheEntry::UnlockOnCrash
    : public CrashRecoveryContextCleanupBase<UnlockOnCrash, CacheEntry> {
public:
  UnlockOnCrash(CrashRecoveryContext *Context, CacheEntry *Entry)
      : CrashRecoveryContextCleanupBase(Context, Entry) {}
  void recoverResources() override { resource->unlock(); }
};

/// Registered cleanups belong to their context; it deletes what is removed from it.
static void forget(CrashRecoveryContextCleanup *Cleanup) {
  if (Cleanup && !Cleanup->cleanupFired)
    Cleanup->getContext()->unregisterCleanup(Cleanup);
}

CacheEntry::CacheEntry(StringRef Directory, StringRef Key)
    : Stem(joinPath(Directory, Key)), OnCrash(nullptr, forget) {
  if (CrashRecoveryContext *Context = CrashRecoveryContext::GetCurrent()) {
    OnCrash.reset(new UnlockOnCrash(Context, this));
    Context->registerCleanup(OnCrash.get());
  }
}

CacheEntry::~CacheEntry() { unlock(); }

void CacheEntry::unlock() {
  if (Lock >= 0)
    ::close(Lock);
  Lock = -1;
}

std::string CacheEntry::file(StringRef Ending) const { return Stem + Ending.str(); }

bool CacheEntry::lock(int Operation) {
  if (Lock < 0)
    Lock = ::open(file(".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (Lock < 0)
    return false;
  int Result;
  do
    Result = ::flock(Lock, Operation);
  while (Result != 0 && errno == EINTR);
  return Result == 0;
}

bool CacheEntry::lockShared() { return lock(LOCK_SH); }
bool CacheEntry::lockExclusive() { return lock(LOCK_EX); }
bool CacheEntry::tryLockExclusive() { return lock(LOCK_EX | LOCK_NB); }

} // namespace tensorleak
