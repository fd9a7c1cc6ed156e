//===-- Cache.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/Cache.h"

#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

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

} // namespace

std::string cacheDirectory() {
  SmallString<128> Directory(wantedDirectory());
  if (Directory.empty() || sys::fs::make_absolute(Directory) ||
      sys::fs::create_directories(Directory) ||
      sys::fs::access(Directory, sys::fs::AccessMode::Write))
    return "";
  return Directory.str().str();
}

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

//===-- The bound on its size ----------------------------------------------===//

namespace {

/// The files of one entry, whatever their endings.
struct EntryFiles {
  std::vector<std::string> Paths;
  uint64_t Bytes = 0;
  sys::TimePoint<> LastUse;
};

/// "/cache/KEY.pch" belongs to KEY; so do the compiler's temporary files.
StringRef keyOf(StringRef Path) {
  return sys::path::filename(Path).take_until([](char C) { return C == '.' || C == '-'; });
}

std::map<std::string, EntryFiles> listEntries(StringRef Directory) {
  std::map<std::string, EntryFiles> Out;
  std::error_code Error;
  for (sys::fs::directory_iterator It(Directory, Error), End; !Error && It != End;
       It.increment(Error)) {
    ErrorOr<sys::fs::basic_file_status> Status = It->status();
    if (!Status || StringRef(It->path()).ends_with(".lock"))
      continue;
    EntryFiles &Entry = Out[keyOf(It->path()).str()];
    Entry.Paths.push_back(It->path());
    Entry.Bytes += Status->getSize();
    Entry.LastUse = std::max(Entry.LastUse, Status->getLastModificationTime());
  }
  return Out;
}

/// The lock's file stays: removing it would let two processes hold "the" lock.
bool removeEntry(StringRef Directory, StringRef Key, const EntryFiles &Files) {
  CacheEntry Entry(Directory, Key);
  if (!Entry.tryLockExclusive())
    return false;
  for (const std::string &Path : Files.Paths)
    sys::fs::remove(Path);
  return true;
}

} // namespace

void trimCache(StringRef Directory, uint64_t MaxBytes) {
  std::map<std::string, EntryFiles> Entries = listEntries(Directory);
  std::vector<std::pair<std::string, EntryFiles *>> ByAge;
  uint64_t Total = 0;
  for (auto &[Key, Files] : Entries) {
    ByAge.emplace_back(Key, &Files);
    Total += Files.Bytes;
  }
  sort(ByAge, [](auto &A, auto &B) { return A.second->LastUse < B.second->LastUse; });
  for (auto &[Key, Files] : ByAge) {
    if (Total <= MaxBytes)
      return;
    if (removeEntry(Directory, Key, *Files))
      Total -= Files->Bytes;
  }
}

} // namespace tensorleak
