//===-- PreludeInputs.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/PreludeInputs.h"

#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace llvm;

namespace tensorleak {
namespace {

std::string read(const std::string &InputsFile) {
  auto Buffer = MemoryBuffer::getFile(InputsFile);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// What stands in the line that names the list, the last of several.
std::string nameOfList(StringRef Inputs) {
  StringRef Line = Inputs.rtrim('\n').rsplit('\n').second;
  return Line.rsplit('\t').second.str();
}

/// Asks of the files whose content the prelude holds, as the compiler spells them, and in which
/// \p Text stands. They are thousands, so their list, which was checked when the prelude was
/// chosen (inputsAreUnchanged), is searched where it lies.
bool anyInput(StringRef PchFile, StringRef Text, function_ref<bool(StringRef)> IsOne) {
  SmallString<256> InputsFile(PchFile);
  sys::path::replace_extension(InputsFile, ".inputs");
  auto List = MemoryBuffer::getFile(
      fileOfLines(sys::path::parent_path(PchFile), nameOfList(read(InputsFile.str().str()))));
  const StringRef All = List ? (*List)->getBuffer() : "";
  auto Next = [&](size_t From) {
    const void *At = ::memmem(All.data() + From, All.size() - From, Text.data(), Text.size());
    return At ? static_cast<const char *>(At) - All.data() : StringRef::npos;
  };
  for (size_t At = Next(0); At != StringRef::npos; At = Next(At + 1)) {
    const StringRef Line = All.slice(All.rfind('\n', At) + 1, All.find('\n', At));
    if (Line.front() == char(Question::Content) &&
        IsOne(Line.split('\t').second.split('\t').second))
      return true;
  }
  return false;
}

} // namespace

std::string describeInputs(const FileReads &Read, StringRef Folder,
                           const std::vector<std::string> &Made) {
  std::string Out;
  for (const std::string &File : Made)
    Out += lineFor(Question::Made, stateOf(Question::Made, File), "", File);
  return Out + lineFor(Question::Others, "", "", keepLines(Folder, Read.lines()));
}

bool inputsAreUnchanged(const std::string &InputsFile, const std::string &PchFile,
                        FileStates &States) {
  const std::string Inputs = read(InputsFile);
  return StringRef(Inputs).split('\n').first.ends_with("\t" + PchFile) &&
         !nameOfList(Inputs).empty() && States.hold(Inputs);
}

void addInputs(const std::string &InputsFile, FileReads &To) {
  To.add(Question::Others, "", nameOfList(read(InputsFile)));
}

bool preludeReads(StringRef PchFile, StringRef File) {
  return anyInput(PchFile, sys::path::filename(File),
                  [&](StringRef Each) { return normalPath(Each, "/") == File; });
}

bool preludeReadsBelow(StringRef PchFile, StringRef Folder) {
  return anyInput(PchFile, sys::path::filename(Folder.rtrim('/')).str() + "/",
                  [&](StringRef Each) { return isBelow(normalPath(Each, "/"), Folder); });
}

} // namespace tensorleak
