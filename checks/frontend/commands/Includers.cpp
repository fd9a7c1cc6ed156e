//===-- Includers.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Includers.h"

#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/Basic/TokenKinds.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// An option that names a folder or a file, joined or as the next argument.
struct PathOption {
  StringLiteral Name;
  frontend::IncludeDirGroup Group;
};
constexpr PathOption FolderOptions[] = {{"-iquote", frontend::Quoted},
                                        {"-isystem", frontend::System},
                                        {"-idirafter", frontend::After},
                                        {"-I", frontend::Angled}};
constexpr StringLiteral ForcedHeader = "-include";

/// What a command says of includes.
struct SearchPaths {
  HeaderSearchOptions Folders;
  std::vector<std::string> Forced;

  explicit SearchPaths(const SourceUnit &TheUnit);
  std::string find(StringRef Name, bool Angled, StringRef Includer) const;
};

SearchPaths::SearchPaths(const SourceUnit &TheUnit) {
  const CommandLine Command = clangCommand(TheUnit);
  for (size_t I = 0; I < Command.size(); ++I) {
    auto Value = [&](StringRef Option) -> std::string {
      StringRef Rest = StringRef(Command[I]).substr(Option.size());
      return !Rest.empty() ? Rest.str() : I + 1 < Command.size() ? Command[I + 1] : "";
    };
    const auto *Option = find_if(FolderOptions, [&](const PathOption &O) {
      return StringRef(Command[I]).starts_with(O.Name);
    });
    if (Option != std::end(FolderOptions))
      Folders.AddPath(normalPath(Value(Option->Name), TheUnit.Directory), Option->Group,
                      /*IsFramework=*/false, /*IgnoreSysRoot=*/true);
    else if (Command[I] == ForcedHeader)
      Forced.push_back(normalPath(Value(ForcedHeader), TheUnit.Directory));
  }
}

std::string SearchPaths::find(StringRef Name, bool Angled, StringRef Includer) const {
  if (!Angled)
    if (std::string Path = normalPath(Name, sys::path::parent_path(Includer));
        sys::fs::exists(Path))
      return Path;
  for (const HeaderSearchOptions::Entry &E : Folders.UserEntries) {
    if (E.Group == frontend::Quoted && Angled)
      continue;
    if (std::string Path = joinPath(E.Path, Name); sys::fs::exists(Path))
      return normalPath(Path, E.Path);
  }
  return "";
}

bool isInclude(dependency_directives_scan::DirectiveKind Kind) {
  using namespace dependency_directives_scan;
  return Kind == pp_include || Kind == pp_include_next || Kind == pp_import ||
         Kind == pp___include_macros;
}

} // namespace

const std::vector<IncludeGraph::Include> &IncludeGraph::includesOf(StringRef File) {
  auto [It, New] = Includes.try_emplace(File);
  if (!New)
    return It->second;
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return It->second;
  StringRef Text = (*Buffer)->getBuffer();
  SmallVector<dependency_directives_scan::Token> Tokens;
  SmallVector<dependency_directives_scan::Directive> Directives;
  if (scanSourceForDependencyDirectives(Text, Tokens, Directives))
    return It->second;
  for (const auto &D : Directives)
    for (const auto &T : D.Tokens)
      if (isInclude(D.Kind) && (T.is(tok::header_name) || T.is(tok::string_literal))) {
        StringRef Spelled = Text.substr(T.Offset, T.Length);
        It->second.push_back({Spelled.drop_front().drop_back().str(), Spelled.front() == '<'});
      }
  return It->second;
}

bool IncludeGraph::includes(const SourceUnit &TheUnit, StringRef Header) {
  SearchPaths Search(TheUnit);
  auto Files = vfs::getRealFileSystem();
  UserCode Code(Search.Folders, TheUnit.File, TheUnit.Directory, *Files);
  std::vector<std::string> ToRead = Search.Forced;
  ToRead.push_back(TheUnit.File);
  StringSet<> Seen;
  while (!ToRead.empty()) {
    std::string File = std::move(ToRead.back());
    ToRead.pop_back();
    if (File == Header || isBelow(File, Header))
      return true;
    if (!Seen.insert(File).second || Code.isForeign(File))
      continue;
    for (const Include &I : includesOf(File))
      if (std::string Path = Search.find(I.Name, I.Angled, File); !Path.empty())
        ToRead.push_back(std::move(Path));
  }
  return false;
}

std::vector<SourceUnit> IncludeGraph::includersOf(StringRef Header, ArrayRef<SourceUnit> Units) {
  std::vector<SourceUnit> Out;
  copy_if(Units, std::back_inserter(Out), [&](const SourceUnit &U) { return includes(U, Header); });
  return Out;
}

} // namespace tensorleak
