//===-- Includers.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Includers.h"

#include "checks/frontend/commands/SearchPaths.h"
#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/Basic/TokenKinds.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
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
  const SearchPaths Search(clangCommand(TheUnit), TheUnit.Directory);
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
