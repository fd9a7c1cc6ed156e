//===-- Mentions.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Mentions.h"

#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {

using NameTest = llvm::function_ref<bool(llvm::StringRef)>;

/// How many words of the text at \p Written are meant.
static unsigned wordsIn(SourceRange Written, NameTest IsMeant, const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  SourceRange Range = Sources.getExpansionRange(Written).getAsRange();
  auto [File, Begin] = Sources.getDecomposedLoc(Range.getBegin());
  auto [EndFile, End] = Sources.getDecomposedLoc(Range.getEnd());
  if (File.isInvalid() || File != EndFile)
    return 0;
  // To the end of the file, behind which there is a zero: a body that the file ends in has no
  // token at its end, and the lexer would go on behind it.
  llvm::StringRef Text = Sources.getBufferData(File);
  Lexer Words(Sources.getLocForStartOfFile(File), Context.getLangOpts(), Text.begin(),
              Text.begin() + Begin, Text.end());
  unsigned Count = 0;
  Token Word;
  for (Words.LexFromRawLexer(Word);
       Word.isNot(tok::eof) && Sources.getFileOffset(Word.getLocation()) <= End;
       Words.LexFromRawLexer(Word))
    Count += Word.is(tok::raw_identifier) && IsMeant(Word.getRawIdentifier());
  return Count;
}

bool lacksMentionsOf(const ValueDecl &D, const FunctionDecl &F) {
  unsigned InTree = 0;
  anyBelow(F.getBody(), [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Member = dyn_cast<MemberExpr>(&S);
    const auto *Declares = dyn_cast<DeclStmt>(&S);
    InTree += (Ref && Ref->getDecl() == &D) || (Member && Member->getMemberDecl() == &D) ||
              (Declares && llvm::is_contained(Declares->decls(), &D));
    return false;
  });
  auto IsName = [&D](llvm::StringRef Word) { return Word == D.getName(); };
  return InTree < wordsIn(F.getBody()->getSourceRange(), IsName, F.getASTContext());
}

/// What \p S calls or reads; of a local variable, its class.
static const NamedDecl *namedBy(const Stmt &S) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
    return Ref->getDecl();
  if (const auto *Member = dyn_cast<MemberExpr>(&S))
    return Member->getMemberDecl();
  const auto *Declares = dyn_cast<DeclStmt>(&S);
  const auto *Variable =
      Declares && Declares->isSingleDecl() ? dyn_cast<VarDecl>(Declares->getSingleDecl()) : nullptr;
  return Variable ? Variable->getType()->getAsCXXRecordDecl() : nullptr;
}

/// How much of what is named below \p Part is meant.
static unsigned namesBelow(const Stmt *Part, NameTest IsMeant) {
  unsigned Count = 0;
  anyBelow(Part, [&](const Stmt &S) {
    const NamedDecl *Named = namedBy(S);
    Count += Named && Named->getIdentifier() && IsMeant(Named->getName());
    return false;
  });
  return Count;
}

bool lacksMentionsOf(NameTest IsMeant, const FunctionDecl &F) {
  unsigned InTree = namesBelow(F.getBody(), IsMeant);
  if (const auto *Makes = dyn_cast<CXXConstructorDecl>(&F))
    for (const CXXCtorInitializer *Init : Makes->inits())
      InTree += namesBelow(Init->getInit(), IsMeant);
  return InTree < wordsIn(F.getSourceRange(), IsMeant, F.getASTContext());
}

} // namespace tensorleak
