//===-- FlagUse.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/prelude/FlagUse.h"

#include "checks/source/Paths.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cstring>

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// Names that begin with the same folder, or one that begins with none.
struct NamesAlike {
  StringRef First;
  ArrayRef<std::string> Names;
};

std::vector<NamesAlike> groupsOf(ArrayRef<std::string> Sorted) {
  std::vector<NamesAlike> Out;
  while (!Sorted.empty()) {
    const StringRef First = StringRef(Sorted.front()).split('/').first;
    const ArrayRef<std::string> Names =
        Sorted.take_while([&](StringRef Name) { return Name.split('/').first == First; });
    Out.push_back({First, Names});
    Sorted = Sorted.drop_front(Names.size());
  }
  return Out;
}

/// Whether a folder holds any of the headers that are included by name, and what was asked to
/// tell.
class FolderQuestions {
public:
  FolderQuestions(const std::vector<std::string> &Included, FileStates &States, FileReads &Asked)
      : Groups(groupsOf(Included)), States(States), Asked(Asked) {}

  bool holdsAny(const std::string &Folder) {
    const std::string Kind = kindOf(Folder);
    if (Kind != "d")
      return Kind == "f"; // a map of headers, which may name any
    return any_of(Groups, [&](const NamesAlike &Group) { return holdsAny(Folder, Group); });
  }

private:
  /// Of nearly all names not even the first part is there.
  bool holdsAny(const std::string &Folder, const NamesAlike &Group) {
    const std::string Kind = kindOf(joinPath(Folder, Group.First));
    return any_of(Group.Names, [&](StringRef Name) {
      return Name == Group.First ? Kind == "f"
                                 : Kind == "d" && kindOf(joinPath(Folder, Name)) == "f";
    });
  }

  std::string kindOf(const std::string &Path) {
    std::string Kind = States.state(Question::Kind, Path);
    Asked.add(Question::Kind, Kind, Path);
    return Kind;
  }

  const std::vector<NamesAlike> Groups;
  FileStates &States;
  FileReads &Asked;
};

/// Where it is one of a system root, what the folder is depends on more than its path.
bool isBelowSystemRoot(const HeaderSearchOptions::Entry &Entry, const HeaderSearchOptions &Search) {
  return !Entry.IgnoreSysRoot && !Search.Sysroot.empty() && Search.Sysroot != "/";
}

/// As it is spelled: after a link to a folder ".." is not where it would be without.
std::string absolute(const std::string &Path, const std::string &Directory) {
  return sys::path::is_absolute(Path) ? Path : joinPath(Directory, Path);
}

std::string textOf(const HeaderSearchOptions::Entry &Entry) {
  return "I" + itostr(Entry.Group) + (Entry.IsFramework ? "F" : "") +
         (Entry.IgnoreSysRoot ? "I" : "") + " " + Entry.Path + '\0';
}

bool isFunctionLike(StringRef Flag) {
  return Flag.drop_front(nameOfMacro(Flag).size()).starts_with("(");
}

} // namespace

StringRef nameOfMacro(StringRef Flag) {
  return Flag.take_until([](char C) { return C == '=' || C == '('; });
}

FlagUse::FlagUse(const std::vector<StringRef> &Identifiers, std::vector<std::string> Names)
    : Included(std::move(Names)) {
  for (StringRef Name : Identifiers)
    Mentioned.push_back(xxh3_64bits(Name));
  sort(Mentioned);
  sort(Included);
  Included.erase(std::unique(Included.begin(), Included.end()), Included.end());
}

bool FlagUse::mentions(StringRef Name) const {
  return std::binary_search(Mentioned.begin(), Mentioned.end(), xxh3_64bits(Name));
}

/// After an -U a macro of the compiler's own is gone, and a macro with parameters is one only
/// where a parenthesis follows: of these, all count.
std::pair<MacroFlags, MacroFlags> FlagUse::split(const MacroFlags &Macros) const {
  StringSet<> Undefined;
  for (const auto &[Text, IsUndef] : Macros)
    if (IsUndef)
      Undefined.insert(nameOfMacro(Text));
  std::pair<MacroFlags, MacroFlags> Out;
  for (const auto &Macro : Macros) {
    StringRef Name = nameOfMacro(Macro.first);
    bool Matters = mentions(Name) || Undefined.contains(Name) || isFunctionLike(Macro.first);
    (Matters ? Out.first : Out.second).push_back(Macro);
  }
  return Out;
}

std::string FlagUse::partThatMatters(const MacroFlags &Macros, const HeaderSearchOptions &Search,
                                     const std::string &Directory, FileStates &States,
                                     FileReads &Asked) const {
  std::string Out;
  for (const auto &[Text, IsUndef] : split(Macros).first)
    Out += (IsUndef ? "U" : "D") + Text + '\0';
  FolderQuestions Folders(Included, States, Asked);
  bool IsRelative = false;
  for (const HeaderSearchOptions::Entry &Entry : Search.UserEntries) {
    if (!isBelowSystemRoot(Entry, Search) && !Entry.IsFramework &&
        !Folders.holdsAny(absolute(Entry.Path, Directory)))
      continue;
    Out += textOf(Entry);
    IsRelative |= !sys::path::is_absolute(Entry.Path);
  }
  return IsRelative ? Out + "in " + Directory : Out;
}

//===-- Beside the prelude ---------------------------------------------------===//

bool FlagUse::write(const CacheEntry &Entry) const {
  std::string_view Names(reinterpret_cast<const char *>(Mentioned.data()),
                         Mentioned.size() * sizeof(uint64_t));
  return writeToCache(Entry.file(".names"), Names) &&
         writeToCache(Entry.file(".includes"), join(Included, "\n"));
}

std::optional<FlagUse> FlagUse::read(const CacheEntry &Entry) {
  auto Names = MemoryBuffer::getFile(Entry.file(".names"));
  auto Includes = MemoryBuffer::getFile(Entry.file(".includes"));
  if (!Names || !Includes)
    return std::nullopt;
  FlagUse Out;
  Out.Mentioned.resize((*Names)->getBufferSize() / sizeof(uint64_t));
  std::memcpy(Out.Mentioned.data(), (*Names)->getBufferStart(),
              Out.Mentioned.size() * sizeof(uint64_t));
  SmallVector<StringRef, 0> Each;
  (*Includes)->getBuffer().split(Each, '\n', -1, /*KeepEmpty=*/false);
  Out.Included.assign(Each.begin(), Each.end());
  return Out;
}

} // namespace tensorleak
