//===-- Mentions.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Mentions.h"

#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {

/// How often the text of \p Body has the word \p Name.
static unsigned wordsIn(const Stmt &Body, llvm::StringRef Name, const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  SourceRange Range = Sources.getExpansionRange(Body.getSourceRange()).getAsRange();
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
    Count += Word.is(tok::raw_identifier) && Word.getRawIdentifier() == Name;
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
  return InTree < wordsIn(*F.getBody(), D.getName(), F.getASTContext());
}

} // namespace tensorleak
