//===-- IncludeScan.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/IncludeScan.h"

#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/prelude/FlagUse.h"
#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
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
constexpr llvm::StringLiteral HeavyNames[] = {"torch/", "ATen/", "c10/",   "caffe2/", "thrust/",
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

StringRef firstName(StringRef Text) {
  return Text.ltrim().take_while([](char C) { return isAsciiIdentifierContinue(C); });
}

/// The tokens of one file, one directive or piece of code at a time.
class DirectiveReader {
public:
  explicit DirectiveReader(StringRef Text)
      : Options(modernOptions()), TheLexer({}, Options, Text.begin(), Text.begin(), Text.end()),
        End(Text.end()) {
    advance();
  }

  /// Goes to the next directive. False at the end of the file.
  bool skipCode() {
    while (!atEnd() && !(Current.is(tok::hash) && Current.isAtStartOfLine())) {
      Depth += Current.is(tok::l_brace);
      Depth -= Current.is(tok::r_brace);
      advance();
    }
    return !atEnd();
  }

  /// Whether what was read so far closes each brace that it opens.
  bool isOutsideBraces() const { return Depth == 0; }

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
  /// So that 1'000 begins no character, and R"(...)" is one token.
  static LangOptions modernOptions() {
    LangOptions Out;
    Out.CPlusPlus = Out.CPlusPlus11 = Out.CPlusPlus14 = Out.RawStringLiterals = true;
    return Out;
  }
  bool atEnd() const { return Current.is(tok::eof); }
  void advance() { TheLexer.LexFromRawLexer(Current); }

  LangOptions Options;
  Lexer TheLexer;
  const char *End;
  Token Current;
  int Depth = 0;
};

/// The conditions around a place of one file, from outside in.
class Conditions {
public:
  void begin(StringRef Directive, StringRef Condition) {
    All.push_back({Directive == "ifdef" && Condition == "__cplusplus",
                   Directive == "ifndef" ? Condition : StringRef()});
  }
  /// The directive after \p #ifndef defines what that asks for: an include guard, or a default.
  bool isGuardedBy(StringRef Macro) const { return !All.empty() && All.back().Wants == Macro; }
  void guard() { All.back().IsTrue = true; }
  void orElse() {
    if (!All.empty())
      All.back() = {false, ""};
  }
  void end() {
    if (!All.empty())
      All.pop_back();
  }
  /// Any directive but the one that begins a condition.
  void pass() {
    if (!All.empty())
      All.back().Wants = "";
  }
  bool areTrue() const {
    return all_of(All, [](const Condition &Each) { return Each.IsTrue; });
  }

private:
  struct Condition {
    bool IsTrue;     ///< false also for what is not known
    StringRef Wants; ///< what an #ifndef just before asks for
  };
  SmallVector<Condition, 4> All;
};

/// How a file came to be read.
struct FileUse {
  unsigned Nesting;
  bool IsCertain; ///< under no condition
};

/// Follows the includes of the user's files, and collects the heavy ones.
class HeavyIncludeCollector {
public:
  explicit HeavyIncludeCollector(const IncludeContext &Context) : Context(Context) {}

  /// False when what follows in the including file can no longer be trusted.
  bool scan(StringRef File, FileUse Use);

  HeavyIncludes Found;

private:
  bool include(StringRef Line, StringRef Includer, FileUse Use);
  void define(StringRef Macro, Conditions &Around);
  void heavy(const IncludeName &Include, const std::string &Path, bool IsCertain);
  std::string resolve(const IncludeName &Include, StringRef Includer) const;
  bool isKnownMacro(StringRef Name) const;

  const IncludeContext &Context;
  StringSet<> Visited[2]; ///< by whether that was certain
  std::vector<std::string> Defined;
};

void HeavyIncludeCollector::define(StringRef Macro, Conditions &Around) {
  if (Around.isGuardedBy(Macro) && !isKnownMacro(Macro))
    Around.guard();
  Defined.push_back(Macro.str());
}

/// Empty where the compiler would not find it.
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

/// One that may be included has read the macros before it as well.
void HeavyIncludeCollector::heavy(const IncludeName &Include, const std::string &Path,
                                  bool IsCertain) {
  if (IsCertain)
    Found.Headers.push_back({Include.Name.str(), Path});
  append_range(Found.DefinedBefore, Defined);
  Defined.clear();
}

/// Whether the user's code or the flags may define it.
bool HeavyIncludeCollector::isKnownMacro(StringRef Name) const {
  return is_contained(Defined, Name) || is_contained(Found.DefinedBefore, Name) ||
         is_contained(Context.Macros, Name);
}

/// A header that is nowhere says nothing, and one that a library's macro names is the library's.
bool HeavyIncludeCollector::include(StringRef Line, StringRef Includer, FileUse Use) {
  std::optional<IncludeName> Include = parseIncludeName(Line);
  if (!Include)
    return !isKnownMacro(firstName(Line));
  std::string Path = resolve(*Include, Includer);
  if (Path.empty())
    return true;
  if (Context.Code.isUserFile(Path))
    return scan(Path, {Use.Nesting + 1, Use.IsCertain});
  if (isHeavyName(Include->Name) && Context.Code.isForeign(Path))
    heavy(*Include, Path, Use.IsCertain);
  return true;
}

bool HeavyIncludeCollector::scan(StringRef File, FileUse Use) {
  constexpr unsigned MaxNesting = 32;
  if (!Visited[Use.IsCertain].insert(File).second)
    return true;
  auto Buffer = Context.Files.getBufferForFile(File);
  if (!Buffer || Use.Nesting > MaxNesting)
    return false;
  DirectiveReader Reader((*Buffer)->getBuffer());
  Conditions Around;
  while (Reader.skipCode()) {
    bool IsCertain = Use.IsCertain && Reader.isOutsideBraces() && Around.areTrue();
    auto [Name, Rest] = Reader.readDirective();
    if (Name.starts_with("if"))
      Around.begin(Name, Rest);
    else if (Name.starts_with("el"))
      Around.orElse();
    else if (Name == "endif")
      Around.end();
    else if (Name == "define" || Name == "undef")
      define(firstName(Rest), Around);
    else if (Name == "include" && !include(Rest, File, {Use.Nesting, IsCertain}))
      return false;
    else if (Name == "include_next" || Name == "import")
      return false;
    if (!Name.starts_with("if") && Name != "pragma")
      Around.pass();
  }
  return true;
}

} // namespace

IncludeContext includeContext(const CompilerInvocation &Invocation, const UserCode &Code,
                              vfs::FileSystem &Files, const std::string &Directory) {
  const PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  IncludeContext Out{
      Invocation.getHeaderSearchOpts(), Code, Files, Directory, Options.Includes, {}};
  erase_if(Out.Forced, isCudaPreamble); // the prelude has it too
  for (const auto &[Text, IsUndef] : Options.Macros)
    Out.Macros.push_back(nameOfMacro(Text).str());
  return Out;
}

HeavyIncludes heavyIncludes(StringRef MainFile, const IncludeContext &Context) {
  HeavyIncludeCollector Collector(Context);
  bool IsTrusted = all_of(Context.Forced, [&](const std::string &File) {
    return Collector.scan(normalPath(File, Context.Directory), {1, true});
  });
  if (IsTrusted)
    Collector.scan(MainFile, {0, true});
  std::vector<HeavyInclude> &Headers = Collector.Found.Headers;
  sort(Headers);
  Headers.erase(std::unique(Headers.begin(), Headers.end()), Headers.end());
  return std::move(Collector.Found);
}

} // namespace tensorleak
