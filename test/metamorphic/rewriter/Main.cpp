//===-- Main.cpp - The rewriter's command line --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tensorleak-rewriter --list
//   tensorleak-rewriter NAME FILE -- FLAGS          prints the rewritten file
//   tensorleak-rewriter NAME,NAME... --into DIR FILE -- FLAGS
//
// The second form writes a file for each rewriting that applies, or with --each one for each
// site, and prints a line of JSON for each; one more says which functions the file defines.
// "all" and "seeds" are names for many. Exit code 3: no rewriting applies; 4: the file has
// errors.
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Apply.h"
#include "test/metamorphic/rewriter/Parse.h"
#include "test/metamorphic/rewriter/Rewritings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace llvm;
using namespace tensorleak;
using namespace tensorleak::rewriter;

namespace {

enum ExitCode { Done = 0, Wrong = 2, DoesNotApply = 3, HasErrors = 4 };

cl::OptionCategory Category("Rewriter");
cl::list<std::string> Positional(cl::Positional, cl::cat(Category), cl::desc("NAMES FILE"));
cl::opt<bool> List("list", cl::desc("Print the names"), cl::cat(Category));
cl::opt<bool> Each("each", cl::desc("Write a file for each site"), cl::cat(Category));
cl::opt<bool> Broken("broken", cl::desc("Rewrite files with errors too"), cl::cat(Category));
cl::opt<std::string> Into("into", cl::desc("The folder to write to"), cl::cat(Category));
cl::opt<std::string> CudaPath("cuda-path", cl::desc("As of tensorleak"), cl::cat(Category));

std::vector<const Rewriting *> chosen(StringRef Names) {
  std::vector<const Rewriting *> Out;
  for (const Rewriting &R : rewritings())
    if (Names == (R.IsSeed ? "seeds" : "all") || is_contained(split(Names, ','), R.Name))
      Out.push_back(&R);
  return Out;
}

void writeFile(const std::string &Path, StringRef Text) {
  std::error_code Error;
  raw_fd_ostream Out(Path, Error);
  if (Error) {
    errs() << "tensorleak-rewriter: '" << Path << "' cannot be written: " << Error.message()
           << '\n';
    std::exit(Wrong);
  }
  Out << Text;
}

void say(json::Object Line) { outs() << json::Value(std::move(Line)) << '\n'; }

/// DIR/NAME.ending, or DIR/NAME-SITE.ending.
std::string pathFor(const Rewriting &R, StringRef Input, std::optional<size_t> Number) {
  std::string Name = R.Name;
  if (Number)
    Name += "-" + std::to_string(*Number);
  return Into + "/" + Name + sys::path::extension(Input).str();
}

void writeSites(const Unit &U, const Rewriting &R, StringRef Input, ArrayRef<Site> Chosen,
                std::optional<size_t> Number) {
  Rewritten Result = rewriter::apply(U, Chosen);
  const std::string Path = pathFor(R, Input, Number);
  writeFile(Path, Result.Text);
  json::Array Lines;
  for (const Site &S : Chosen)
    Lines.push_back(S.Line);
  say(json::Object{{"rewriting", R.Name},
                   {"file", Path},
                   {"lines", std::move(Lines)},
                   {"skipped", Result.Skipped}});
}

void writeAll(const Unit &U, const Rewriting &R, StringRef Input, ArrayRef<Site> Found) {
  if (!Each)
    return writeSites(U, R, Input, Found, std::nullopt);
  for (size_t I = 0; I < Found.size(); ++I)
    writeSites(U, R, Input, Found.slice(I, 1), I);
}

void sayFunctions(const Unit &U) {
  json::Array Out;
  for (const FunctionDecl *F : U.functions())
    if (auto Where = U.span(F->getSourceRange()))
      Out.push_back(json::Object{{"name", F->getQualifiedNameAsString()},
                                 {"first", U.line(Where->Begin)},
                                 {"last", U.line(Where->End)}});
  say(json::Object{{"functions", std::move(Out)}});
}

/// Returns how many rewritings applied.
size_t rewrite(const Unit &U, ArrayRef<const Rewriting *> Names, StringRef Input) {
  size_t Applied = 0;
  for (const Rewriting *R : Names) {
    Sites Found;
    R->Find(U, Found);
    if (Found.empty())
      continue;
    ++Applied;
    Into.empty() ? void(outs() << rewriter::apply(U, Found).Text) : writeAll(U, *R, Input, Found);
  }
  return Applied;
}

int run(StringRef Names, StringRef File, ArrayRef<std::string> Flags) {
  SmallString<256> Path(File);
  sys::fs::make_absolute(Path);
  const auto Rewritings = chosen(Names);
  if (Rewritings.empty()) {
    errs() << "tensorleak-rewriter: there is no rewriting '" << Names << "'; see --list\n";
    return Wrong;
  }
  size_t Applied = 0;
  std::string Error = parse({Path.str().str(), Flags.vec(), CudaPath},
                            [&](ASTContext &Context, const std::vector<Decl *> &Decls) {
                              if (Context.getDiagnostics().hasErrorOccurred() && !Broken)
                                return;
                              Unit U(Context, Decls);
                              Applied = rewrite(U, Rewritings, Path);
                              if (!Into.empty())
                                sayFunctions(U);
                            });
  if (!Error.empty())
    errs() << "tensorleak-rewriter: " << Error << '\n';
  if (!Error.empty() && !Broken)
    return HasErrors;
  return Applied ? Done : DoesNotApply;
}

int list() {
  for (const Rewriting &R : rewritings())
    outs() << R.Name << ": " << R.Says << '\n';
  return Done;
}

} // namespace

int main(int Count, const char **Arguments) {
  const char **End = Arguments + Count, **Dashes = std::find(Arguments, End, StringRef("--"));
  std::vector<std::string> Flags(Dashes == End ? End : Dashes + 1, End);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(static_cast<int>(Dashes - Arguments), Arguments);
  if (List)
    return list();
  if (Positional.size() == 2)
    return run(Positional[0], Positional[1], Flags);
  errs() << "tensorleak-rewriter: give the name of a rewriting and a file\n";
  return Wrong;
}
