//===-- Contents.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/Contents.h"

#include "checks/frontend/cache/Cache.h"
#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <map>
#include <string>
#include <vector>

using namespace llvm;

namespace tensorleak {
namespace {

/// What was in the folder when all of it was last looked at, in bytes.
constexpr StringLiteral LookedEnding = ".looked";
constexpr std::chrono::seconds BetweenLooks{60};

/// The files of one entry, whatever their endings.
struct EntryFiles {
  std::vector<std::string> Paths;
  uint64_t Bytes = 0;
  sys::TimePoint<> LastUse;

  bool has(StringRef Ending) const {
    return any_of(Paths, [&](StringRef Path) { return Path.ends_with(Ending); });
  }
  /// Results and lists are read in one go and replaced as a whole: none is removed under a
  /// reader.
  bool needsLock() const { return !has(ResultEnding) && !has(ReadsEnding) && !has(LookedEnding); }
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
    if (StringRef(It->path()).ends_with(".lock"))
      continue;
    ErrorOr<sys::fs::basic_file_status> Status = It->status();
    if (!Status)
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
  if (Files.needsLock() && !Entry.tryLockExclusive())
    return false;
  for (const std::string &Path : Files.Paths)
    sys::fs::remove(Path);
  return true;
}

std::string lookedFile(StringRef Directory) {
  return joinPath(Directory, ("cache" + LookedEnding).str());
}

/// A moment ago it was not half full.
bool hasRoom(StringRef Directory, uint64_t MaxBytes) {
  const std::string File = lookedFile(Directory);
  sys::fs::file_status Status;
  auto Text = MemoryBuffer::getFile(File);
  uint64_t Bytes = 0;
  if (!Text || sys::fs::status(File, Status) || (*Text)->getBuffer().trim().getAsInteger(10, Bytes))
    return false;
  const auto Since = std::chrono::system_clock::now() - Status.getLastModificationTime();
  return Bytes < MaxBytes / 2 && Since >= BetweenLooks.zero() && Since < BetweenLooks;
}

} // namespace

CacheContents contentsOfCache(StringRef Directory) {
  CacheContents Out;
  for (const auto &[Key, Files] : listEntries(Directory)) {
    bool IsPrelude = Files.has(".pch"), IsResult = Files.has(ResultEnding);
    Out.Preludes += IsPrelude;
    Out.Results += IsResult;
    (IsPrelude ? Out.PreludeBytes : IsResult ? Out.ResultBytes : Out.OtherBytes) += Files.Bytes;
  }
  return Out;
}

uint64_t trimCache(StringRef Directory, uint64_t MaxBytes) {
  std::map<std::string, EntryFiles> Entries = listEntries(Directory);
  std::vector<std::pair<std::string, EntryFiles *>> ByAge;
  uint64_t Total = 0, Removed = 0;
  for (auto &[Key, Files] : Entries) {
    ByAge.emplace_back(Key, &Files);
    Total += Files.Bytes;
  }
  sort(ByAge, [](auto &A, auto &B) { return A.second->LastUse < B.second->LastUse; });
  for (auto &[Key, Files] : ByAge) {
    if (Total - Removed <= MaxBytes)
      break;
    if (removeEntry(Directory, Key, *Files))
      Removed += Files->Bytes;
  }
  if (MaxBytes)
    writeToCache(lookedFile(Directory), std::to_string(Total));
  return Removed;
}

void boundCache(StringRef Directory, uint64_t MaxBytes) {
  if (!hasRoom(Directory, MaxBytes))
    trimCache(Directory, MaxBytes);
}

} // namespace tensorleak
