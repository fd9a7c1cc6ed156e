//===-- FileStates.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/FileStates.h"

#include "checks/frontend/cache/Cache.h"
#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <ctime>
#include <set>
#include <sys/stat.h>

using namespace llvm;

namespace tensorleak {
namespace {

/// No clock of a file system is coarser.
constexpr time_t CoarsestTick = 2;

raw_ostream &operator<<(raw_ostream &Out, const timespec &Time) {
  return Out << Time.tv_sec << '.' << Time.tv_nsec;
}

std::string kindOf(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) != 0)
    return "-";
  return S_ISDIR(Status.st_mode) ? "d" : "f";
}

/// What another machine wrote may name a device or a pipe, which has no end.
bool isPlainFile(const std::string &Path) {
  struct stat Status;
  return ::stat(Path.c_str(), &Status) == 0 && S_ISREG(Status.st_mode);
}

std::string contentOf(const std::string &Path) {
  if (!isPlainFile(Path))
    return "";
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Buffer ? digestOf((*Buffer)->getBuffer()) : "";
}

std::string namesIn(const std::string &Folder) {
  std::set<std::string> Names;
  std::error_code Error;
  for (sys::fs::directory_iterator It(Folder, Error), End; !Error && It != End; It.increment(Error))
    Names.insert(sys::path::filename(It->path()).str());
  return digestOf(join(Names, StringRef("\0", 1)));
}

std::string realPathOf(const std::string &Path) {
  SmallString<256> Real;
  return sys::fs::real_path(Path, Real) ? "-" : digestOf(Real);
}

std::string madeStateOf(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) != 0)
    return "";
  std::string Out;
  raw_string_ostream Text(Out);
  Text << Status.st_mtim << ' ' << Status.st_size;
  return Out;
}

} // namespace

std::string digestOf(StringRef Bytes) {
  return toHex(BLAKE3::hash<16>(arrayRefFromStringRef(Bytes)), /*LowerCase=*/true);
}

std::string lineFor(Question Q, StringRef State, StringRef Signature, StringRef Path) {
  return (Twine(char(Q)) + State + "\t" + Signature + "\t" + Path + "\n").str();
}

std::string signatureOf(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) != 0 || Status.st_ctim.tv_sec + CoarsestTick >= ::time(nullptr))
    return "";
  std::string Out;
  raw_string_ostream Text(Out);
  Text << Status.st_size << ' ' << Status.st_mtim << ' ' << Status.st_ctim << ' ' << Status.st_ino;
  return Out;
}

std::string stateOf(Question Q, const std::string &Path) {
  switch (Q) {
  case Question::Kind:
    return kindOf(Path);
  case Question::Content:
    return contentOf(Path);
  case Question::Names:
    return namesIn(Path);
  case Question::RealPath:
    return realPathOf(Path);
  case Question::Made:
    return madeStateOf(Path);
  case Question::Others:
    break;
  }
  return "";
}

//===-- Lists of lines in the cache ------------------------------------------===//

std::string fileOfLines(StringRef Folder, StringRef Name) {
  return joinPath(Folder, Name.str() + ReadsEnding.str());
}

std::string keepLines(StringRef Folder, const std::string &Lines) {
  std::string Name = digestOf(Lines);
  const std::string File = fileOfLines(Folder, Name);
  if (sys::fs::exists(File))
    markUsed(File);
  else
    writeToCache(File, Lines);
  return Name;
}

std::string keptLines(StringRef Folder, StringRef Name) {
  const std::string File = fileOfLines(Folder, Name);
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer || digestOf((*Buffer)->getBuffer()) != Name)
    return "";
  markUsed(File);
  return (*Buffer)->getBuffer().str();
}

//===-- Answers --------------------------------------------------------------===//

bool FileStates::hold(StringRef Lines) {
  if (Lines.empty() || !Lines.ends_with("\n"))
    return false;
  while (!Lines.empty()) {
    auto [Line, Rest] = Lines.split('\n');
    if (!holds(Line))
      return false;
    Lines = Rest;
  }
  return true;
}

bool FileStates::holds(StringRef Line) {
  auto [Answer, Place] = Line.split('\t');
  auto [Signature, Path] = Place.split('\t');
  if (Answer.empty() || Path.empty())
    return false;
  auto Q = Question(Answer.front());
  StringRef State = Answer.drop_front();
  if (Q == Question::Others)
    return othersHold(Path.str());
  if (Q == Question::Made) // another process may have made it anew
    return stateOf(Q, Path.str()) == State;
  if (Q == Question::Content && isUnchanged(State, Signature, Path.str()))
    return true;
  return !State.empty() && state(Q, Path.str()) == State;
}

bool FileStates::isUnchanged(StringRef State, StringRef Signature, const std::string &Path) {
  if (Signature.empty() || State.empty())
    return false;
  std::lock_guard<std::mutex> Guard(Lock);
  auto [It, New] = Signatures.try_emplace(Path);
  if (New)
    It->second = signatureOf(Path);
  return It->second == Signature;
}

std::string FileStates::state(Question Q, const std::string &Path) {
  const std::string Key = char(Q) + Path;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (auto It = Known.find(Key); It != Known.end())
      return It->second;
  }
  std::string State = stateOf(Q, Path); // may take long: not under the lock
  std::lock_guard<std::mutex> Guard(Lock);
  return Known.try_emplace(Key, State).first->second;
}

bool FileStates::othersHold(const std::string &Name) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (auto It = Others.find(Name); It != Others.end())
      return It->second;
  }
  bool Holds = hold(keptLines(Folder, Name));
  std::lock_guard<std::mutex> Guard(Lock);
  return Others.try_emplace(Name, Holds).first->second;
}

void FileStates::forget() {
  std::lock_guard<std::mutex> Guard(Lock);
  Known.clear();
  Signatures.clear();
  Others.clear();
}

} // namespace tensorleak
