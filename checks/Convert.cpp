//===-- Convert.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Convert.h"

#include "checks/source/Paths.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Analysis/IssueHash.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include <map>
#include <set>

using namespace clang;

namespace tensorleak {
namespace {

class Converter {
public:
  Converter(const ASTContext &Context, llvm::ArrayRef<Decl *> Decls)
      : Context(Context), Sources(Context.getSourceManager()), Decls(Decls) {}

  Finding convert(const Diagnosis &D);

private:
  Location place(SourceLocation Loc) const;
  LineRange lines(SourceRange Range) const;
  FixIt fix(const FixItHint &Hint) const;
  Subject subject(const DiagnosisSubject &S) const;
  std::string fingerprint(const Diagnosis &D);
  std::string function(SourceLocation Loc) const;
  const Decl *enclosing(const Decl *D, SourceLocation Loc) const;
  const Decl *enclosingFunction(SourceLocation Loc) const;

  const ASTContext &Context;
  const SourceManager &Sources;
  llvm::ArrayRef<Decl *> Decls;
  std::map<std::string, unsigned> SeenHashes;
};

Location Converter::place(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return {};
  auto [File, Offset] = Sources.getDecomposedLoc(Sources.getFileLoc(Loc));
  OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
  if (!Entry)
    return {};
  return {absolutePath(*Entry, Sources.getFileManager()), Sources.getLineNumber(File, Offset),
          Sources.getColumnNumber(File, Offset)};
}

LineRange Converter::lines(SourceRange Range) const {
  Location Begin = place(Range.getBegin()), End = place(Range.getEnd());
  if (!Begin.isValid() || Begin.File != End.File)
    return {};
  return {Begin.File, Begin.Line, End.Line};
}

FixIt Converter::fix(const FixItHint &Hint) const {
  CharSourceRange Range =
      Lexer::makeFileCharRange(Hint.RemoveRange, Sources, Context.getLangOpts());
  return {place(Range.getBegin()), place(Range.getEnd()), Hint.CodeToInsert};
}

Subject Converter::subject(const DiagnosisSubject &S) const {
  Subject Out;
  Out.Holder = S.Holder;
  Out.HolderDecl = place(S.HolderDecl);
  for (SourceLocation Producer : S.Producers)
    Out.Producers.push_back(place(Producer));
  Out.Loop = lines(S.Loop);
  Out.LastUse = place(S.LastUse);
  Out.Graph = S.Graph;
  Out.Host = S.Host;
  Out.UnseenWay = S.UnseenWay;
  return Out;
}

/// The innermost declaration with a name of its own around \p Loc, from \p D down.
const Decl *Converter::enclosing(const Decl *D, SourceLocation Loc) const {
  SourceRange Range = Sources.getExpansionRange(D->getSourceRange()).getAsRange();
  if (Range.isInvalid() || Sources.isBeforeInTranslationUnit(Loc, Range.getBegin()) ||
      Sources.isBeforeInTranslationUnit(Range.getEnd(), Loc))
    return nullptr;
  if (const auto *Template = dyn_cast<TemplateDecl>(D))
    D = Template->getTemplatedDecl();
  const auto *Scope = dyn_cast_or_null<DeclContext>(D);
  if (!Scope || isa<FunctionDecl>(D))
    return D;
  for (const Decl *Inner : Scope->decls())
    if (const Decl *Found = enclosing(Inner, Loc))
      return Found;
  return D;
}

const Decl *Converter::enclosingFunction(SourceLocation Loc) const {
  for (const Decl *D : Decls)
    if (const Decl *Found = enclosing(D, Loc))
      return Found;
  return nullptr;
}

/// The issue hash does not tell two equal lines of one function apart.
std::string Converter::fingerprint(const Diagnosis &D) {
  SourceLocation Loc = Sources.getExpansionLoc(D.Loc);
  FullSourceLoc Full(Loc, Sources);
  std::string Hash =
      getIssueHash(Full, D.Rule, D.Rule, enclosingFunction(Loc), Context.getLangOpts()).str().str();
  unsigned Seen = SeenHashes[Hash]++;
  return Seen ? Hash + "-" + std::to_string(Seen) : Hash;
}

std::string Converter::function(SourceLocation Loc) const {
  const auto *Function =
      dyn_cast_or_null<NamedDecl>(enclosingFunction(Sources.getExpansionLoc(Loc)));
  return Function ? Function->getQualifiedNameAsString() : "";
}

Finding Converter::convert(const Diagnosis &D) {
  Finding Out;
  Out.Rule = D.Rule.str();
  Out.TheKind = D.TheKind;
  Out.TheLevel = D.TheLevel;
  Out.Where = place(D.Loc);
  Out.Function = function(D.Loc);
  Out.Message = D.Message;
  for (const DiagnosisNote &Note : D.Notes)
    Out.Notes.push_back({place(Note.Loc), Note.Message});
  for (const FixItHint &Hint : D.Fixes)
    if (FixIt Fix = fix(Hint); Fix.Begin.isValid()) // invalid where a macro stands between
      Out.Fixes.push_back(std::move(Fix));
  Out.Bytes = D.Bytes;
  Out.BytesFormula = D.BytesFormula;
  Out.Fingerprint = fingerprint(D);
  Out.TheSubject = subject(D.Subject);
  return Out;
}

} // namespace

std::vector<Finding> toFindings(llvm::ArrayRef<Diagnosis> Diagnoses, const ASTContext &Context,
                                llvm::ArrayRef<Decl *> Decls) {
  Converter C(Context, Decls);
  std::vector<Finding> Out;
  for (const Diagnosis &D : Diagnoses)
    Out.push_back(C.convert(D));
  return Out;
}

std::vector<std::string> filesOf(llvm::ArrayRef<Finding> Findings) {
  std::set<std::string> Files;
  for (const Finding &F : Findings) {
    Files.insert({F.Where.File, F.TheSubject.HolderDecl.File, F.TheSubject.LastUse.File});
    for (const Location &Producer : F.TheSubject.Producers)
      Files.insert(Producer.File);
  }
  Files.erase("");
  return {Files.begin(), Files.end()};
}

} // namespace tensorleak
