//===-- IncludeScan.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/IncludeScan.h"

#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// How the names of LibTorch's and CUDA's headers begin. Others are parsed in
/// no time next to these.
constexpr StringLiteral HeavyNames[] = {"torch/", "ATen/", "c10/",   "caffe2/", "thrust/",
                                        "cub/",   "cuda",  "cublas", "cudnn"};

bool isHeavyName(StringRef Name) {
  return any_of(HeavyNames, [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// What stands in an #include line.
struct IncludeName {
  StringRef Name;
  bool Angled;
};

std::optional<IncludeName> parseIncludeName(StringRef Line) {
  Line = Line.ltrim();
  bool Angled = Line.consume_front("<");
  if (!Angled && !Line.consume_front("\""))
    return std::nullopt; // a macro, or import
  size_t End = Line.find(Angled ? '>' : '"');
  if (End == StringRef::npos)
    return std::nullopt;
  return IncludeName{Line.take_front(End), Angled};
}

/// The tokens of one file, one directive or piece of code at a time.
class DirectiveReader {
public:
  explicit DirectiveReader(StringRef Text)
      : TheLexer({}, Options, Text.begin(), Text.begin(), Text.end()), End(Text.end()) {
    advance();
  }

  bool atEnd() const { return Current.is(tok::eof); }

  /// Skips code. False when a directive stands inside braces.
  bool skipCode() {
    while (!atEnd() && !(Current.is(tok::hash) && Current.isAtStartOfLine())) {
      Depth += Current.is(tok::l_brace);
      Depth -= Current.is(tok::r_brace);
      advance();
    }
    return Depth == 0;
  }

  /// At '#': the directive's name, and after it the rest of the line.
  std::pair<StringRef, StringRef> readDirective() {
    advance();
    StringRef Name = Current.is(tok::raw_identifier) && !Current.isAtStartOfLine()
                         ? Current.getRawIdentifier()
                         : StringRef();
    const char *Begin = TheLexer.getBufferLocation();
    StringRef Rest = StringRef(Begin, End - Begin).take_until([](char C) { return C == '\n'; });
    do
      advance();
    while (!atEnd() && !Current.isAtStartOfLine());
    return {Name, Rest.trim()};
  }

private:
  void advance() { TheLexer.LexFromRawLexer(Current); }

  LangOptions Options;
  Lexer TheLexer;
  const char *End;
  Token Current;
  int Depth = 0;
};

/// Follows the includes of the user's files, and collects the heavy ones.
class HeavyIncludeCollector {
public:
  explicit HeavyIncludeCollector(const IncludeContext &Context) : Context(Context) {}

  /// False when what follows in the including file can no longer be trusted.
  bool scan(StringRef File, unsigned Nesting);

  std::vector<HeavyInclude> Found;

private:
  bool include(StringRef Line, StringRef Includer, unsigned Nesting);
  bool directive(StringRef Name, StringRef Rest, StringRef File, unsigned Nesting);
  std::string resolve(const IncludeName &Include, StringRef Includer) const;

  const IncludeContext &Context;
  StringSet<> Visited;
  std::string Guard; ///< of the header being read: the name after #ifndef
};

std::string HeavyIncludeCollector::resolve(const IncludeName &Include, StringRef Includer) const {
  if (!Include.Angled)
    if (std::string Path = normalPath(Include.Name, sys::path::parent_path(Includer));
        Context.Files.exists(Path))
      return Path;
  for (const HeaderSearchOptions::Entry &E : Context.Search.UserEntries) {
    if (E.Group == frontend::Quoted && Include.Angled)
      continue;
    // As it is spelled: after a link to a folder ".." is not where it would be without.
    std::string Path = joinPath(E.Path, Include.Name);
    if (!sys::path::is_absolute(Path))
      Path = joinPath(Context.Directory, Path);
    if (Context.Files.exists(Path))
      return normalPath(Path, Context.Directory);
  }
  return "";
}

bool HeavyIncludeCollector::include(StringRef Line, StringRef Includer, unsigned Nesting) {
  std::optional<IncludeName> Include = parseIncludeName(Line);
  if (!Include)
    return false;
  std::string Path = resolve(*Include, Includer);
  if (Path.empty())
    return false;
  if (Context.Code.isUserFile(Path))
    return scan(Path, Nesting + 1);
  if (isHeavyName(Include->Name) && Context.Code.isForeign(Path))
    Found.push_back({Include->Name.str(), Path});
  return true;
}

/// Only what cannot change the meaning of an #include is passed over: pragma
/// once, the three directives of an include guard, and what CMake writes into a
/// header to precompile.
bool HeavyIncludeCollector::directive(StringRef Name, StringRef Rest, StringRef File,
                                      unsigned Nesting) {
  if (Name == "include")
    return include(Rest, File, Nesting);
  if (Name == "pragma")
    return Rest.starts_with("once") || Rest == "GCC system_header";
  if (Name == "ifdef")
    return Rest == "__cplusplus";
  if (Name == "ifndef" && Nesting > 0 && Guard.empty()) {
    Guard = Rest.str();
    return true;
  }
  if (Name == "define")
    return !Guard.empty() && Rest == Guard;
  return Name == "endif";
}

bool HeavyIncludeCollector::scan(StringRef File, unsigned Nesting) {
  constexpr unsigned MaxNesting = 32;
  if (!Visited.insert(File).second)
    return true;
  auto Buffer = Context.Files.getBufferForFile(File);
  if (!Buffer || Nesting > MaxNesting)
    return false;
  std::string OuterGuard = std::exchange(Guard, "");
  DirectiveReader Reader((*Buffer)->getBuffer());
  while (Reader.skipCode() && !Reader.atEnd()) {
    auto [Name, Rest] = Reader.readDirective();
    if (!directive(Name, Rest, File, Nesting))
      return false;
  }
  Guard = OuterGuard;
  return Reader.atEnd();
}

} // namespace

std::vector<HeavyInclude> heavyIncludes(StringRef MainFile, const IncludeContext &Context) {
  HeavyIncludeCollector Collector(Context);
  bool Certain = all_of(Context.Forced, [&](const std::string &File) {
    return Collector.scan(normalPath(File, Context.Directory), 1);
  });
  if (Certain)
    Collector.scan(MainFile, 0);
  std::vector<HeavyInclude> &Found = Collector.Found;
  sort(Found);
  Found.erase(std::unique(Found.begin(), Found.end()), Found.end());
  return std::move(Found);
}

} // namespace tensorleak
