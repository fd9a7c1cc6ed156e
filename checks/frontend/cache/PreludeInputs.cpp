//===-- PreludeInputs.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/PreludeInputs.h"

#include "checks/source/Paths.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <set>
#include <sys/stat.h>

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// "MTIME SIZE" of a file, "" when there is none. What is written of an input is
/// compared as text.
std::string stateOf(const char *Path) {
  struct stat Status;
  if (::stat(Path, &Status) != 0)
    return "";
  return itostr(Status.st_mtim.tv_sec) + "." + itostr(Status.st_mtim.tv_nsec) + " " +
         itostr(Status.st_size);
}

std::string lineFor(const std::string &Path) { return stateOf(Path.c_str()) + "\t" + Path + "\n"; }

std::set<std::string> filesOf(const SourceManager &Sources) {
  std::set<std::string> Out;
  for (auto It = Sources.fileinfo_begin(), End = Sources.fileinfo_end(); It != End; ++It)
    Out.insert(absolutePath(It->first, Sources.getFileManager()));
  return Out;
}

bool isUnchanged(StringRef Line) {
  auto [State, Path] = Line.split('\t');
  return stateOf(Path.str().c_str()) == State;
}

} // namespace

std::string describeInputs(const SourceManager &Sources, const std::string &PchFile) {
  std::string Out = lineFor(PchFile);
  for (const std::string &File : filesOf(Sources))
    Out += lineFor(File);
  return Out;
}

bool statesAreUnchanged(StringRef Inputs) {
  SmallVector<StringRef, 0> Lines;
  Inputs.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return !Lines.empty() && Inputs.ends_with("\n") && all_of(Lines, isUnchanged);
}

static bool anyInput(StringRef PchFile, function_ref<bool(StringRef)> IsOne) {
  SmallString<256> InputsFile(PchFile);
  sys::path::replace_extension(InputsFile, ".inputs");
  auto Buffer = MemoryBuffer::getFile(InputsFile);
  if (!Buffer)
    return false;
  SmallVector<StringRef, 0> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return any_of(Lines, [&](StringRef Line) { return IsOne(Line.split('\t').second); });
}

bool preludeReads(StringRef PchFile, StringRef File) {
  return anyInput(PchFile, [&](StringRef Each) { return Each == File; });
}

bool preludeReadsBelow(StringRef PchFile, StringRef Folder) {
  return anyInput(PchFile, [&](StringRef Each) { return isBelow(Each, Folder); });
}

std::string stateOfFile(const std::string &Path) { return stateOf(Path.c_str()); }

bool inputsAreUnchanged(const std::string &InputsFile, const std::string &PchFile) {
  auto Buffer = MemoryBuffer::getFile(InputsFile);
  if (!Buffer)
    return false;
  StringRef First = (*Buffer)->getBuffer().take_until([](char C) { return C == '\n'; });
  return First.ends_with(std::string("\t") + PchFile) && statesAreUnchanged((*Buffer)->getBuffer());
}

void markUsed(const std::string &InputsFile) {
  ::utimensat(AT_FDCWD, InputsFile.c_str(), nullptr, 0);
}

} // namespace tensorleak
