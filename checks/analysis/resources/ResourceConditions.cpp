//===-- ResourceConditions.cpp --------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/ResourceConditions.h"

#include "checks/analysis/Statements.h"
#include "checks/analysis/resources/ResourceGenerator.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {

ResourceConditions::ResourceConditions(const ResourceFacts &Facts)
    : Facts(Facts), Parents(Facts.Function->getBody()) {}

llvm::SmallVector<ResourceConditions::Condition, 4>
ResourceConditions::conditionsOf(const Stmt *At) const {
  llvm::SmallVector<Condition, 4> Out;
  if (!At)
    return Out;
  const Stmt *Child = At;
  for (const Stmt *P = Parents.getParent(At); P; Child = P, P = Parents.getParent(P)) {
    if (const auto *If = dyn_cast<IfStmt>(P); If && Child != If->getCond())
      Out.push_back({If->getCond(), Child == If->getThen() ? If : nullptr});
    else if (const auto *For = dyn_cast<ForStmt>(P); For && Child == For->getBody() && For->getCond())
      Out.push_back({For->getCond(), nullptr});
    else if (const auto *While = dyn_cast<WhileStmt>(P); While && Child == While->getBody())
      Out.push_back({While->getCond(), nullptr});
    else if (const auto *Case = dyn_cast<SwitchStmt>(P); Case && Child == Case->getBody())
      Out.push_back({Case->getCond(), nullptr});
  }
  return Out;
}

static bool mentions(const Expr *E, const ValueDecl *D) {
  return anyBelow(E, [&](const Stmt &Part) {
    const auto *Member = dyn_cast<MemberExpr>(&Part);
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    return (Member && Member->getMemberDecl() == D) || (Ref && Ref->getDecl() == D);
  });
}

bool ResourceConditions::asksAbout(const ValueDecl *D) const {
  return anyBelow(Facts.Function->getBody(), [&](const Stmt &S) {
    const auto *If = dyn_cast<IfStmt>(&S);
    return If && mentions(If->getCond(), D);
  });
}

bool ResourceConditions::dependsOn(const Stmt *At, const ValueDecl *D) const {
  return llvm::any_of(conditionsOf(At), [&](const Condition &C) {
    const auto *Op = dyn_cast<BinaryOperator>(bare(C.E));
    return C.If && mentions(C.E, D) && !takes(C.E) && !(Op && Op->getOpcode() == BO_LOr);
  });
}

/// How often the text of \p Body has the word \p Name.
static unsigned wordsIn(const Stmt &Body, llvm::StringRef Name, const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  auto Range = CharSourceRange::getTokenRange(Sources.getExpansionRange(Body.getSourceRange()).getAsRange());
  llvm::StringRef Text = Lexer::getSourceText(Range, Sources, Context.getLangOpts());
  Lexer Words(Range.getBegin(), Context.getLangOpts(), Text.begin(), Text.begin(), Text.end());
  unsigned Count = 0;
  for (Token Word; !Words.LexFromRawLexer(Word);)
    Count += Word.is(tok::raw_identifier) && Word.getRawIdentifier() == Name;
  return Count;
}

bool ResourceConditions::lacksMentionsOf(const ValueDecl &D) const {
  unsigned InTree = 0;
  const Stmt *Body = Facts.Function->getBody();
  anyBelow(Body, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Member = dyn_cast<MemberExpr>(&S);
    const auto *Declares = dyn_cast<DeclStmt>(&S);
    InTree += (Ref && Ref->getDecl() == &D) || (Member && Member->getMemberDecl() == &D) ||
              (Declares && llvm::is_contained(Declares->decls(), &D));
    return false;
  });
  return InTree < wordsIn(*Body, D.getName(), Facts.Function->getASTContext());
}

bool ResourceConditions::isInLoop(const Stmt *At) const {
  const Stmt *Child = At;
  for (const Stmt *P = Parents.getParent(At); P; Child = P, P = Parents.getParent(P)) {
    if (const auto *For = dyn_cast<ForStmt>(P); For && Child != For->getInit())
      return true;
    // `do { ... } while (0)` is how macros are written.
    if (const auto *Do = dyn_cast<DoStmt>(P); Do && !isa<IntegerLiteral, CXXBoolLiteralExpr>(
                                                        Do->getCond()->IgnoreParenImpCasts()))
      return true;
    if (isa<WhileStmt, CXXForRangeStmt>(P))
      return true;
  }
  return false;
}

//===-- Failed calls ------------------------------------------------------===//

bool ResourceConditions::takes(const Stmt *S) const {
  return anyBelow(S, [&](const Stmt &Each) {
    return llvm::any_of(Facts.Sites, [&](const Site &Taken) { return Taken.Call == &Each; });
  });
}

/// The type in which the device's calls, or a function that takes a resource here, say
/// whether they failed.
static bool isStatusType(QualType T, const ResourceFacts &Facts) {
  if (isDeviceStatus(T))
    return true;
  return T->isEnumeralType() && llvm::any_of(Facts.Sites, [&](const Site &Taken) {
           const auto *Call = dyn_cast<CallExpr>(Taken.Call);
           return Call && Call->getType().getCanonicalType().getUnqualifiedType() == T;
         });
}

bool ResourceConditions::testsStatus(const Expr *Condition) const {
  return anyBelow(Condition, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    return E && isStatusType(E->getType().getCanonicalType().getUnqualifiedType(), Facts);
  });
}

/// A resource is asked for in the condition itself, or by what set the tested
/// variable last.
bool ResourceConditions::testsTake(const Expr *Condition) const {
  if (takes(Condition))
    return true;
  return anyBelow(Condition, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!V || V->getType()->isPointerType())
      return false;
    bool SetByTake = V->getInit() && takes(V->getInit());
    const SourceManager &Sources = V->getASTContext().getSourceManager();
    anyBelow(Facts.Function->getBody(), [&](const Stmt &Each) {
      const auto *Set = dyn_cast<BinaryOperator>(&Each);
      const auto *To = Set && Set->getOpcode() == BO_Assign
                           ? dyn_cast<DeclRefExpr>(bare(Set->getLHS()))
                           : nullptr;
      if (To && To->getDecl() == V &&
          Sources.isBeforeInTranslationUnit(Set->getBeginLoc(), Condition->getBeginLoc()))
        SetByTake = takes(Set->getRHS());
      return false;
    });
    return SetByTake;
  });
}

ResourceConditions::After ResourceConditions::whenTaken(const Stmt *Exit) const {
  for (const Condition &C : conditionsOf(Exit))
    if (testsStatus(C.E) || testsTake(C.E))
      return testsTake(C.E) ? After::FailedTake : After::FailedCall;
  return After::Anything;
}

bool ResourceConditions::repeatsFailed(const Expr *Take) const {
  SourceLocation Loc = Take->getExprLoc();
  if (!Loc.isMacroID() || whenTaken(Take) != After::FailedTake)
    return false;
  const SourceManager &Sources = Facts.Function->getASTContext().getSourceManager();
  return llvm::any_of(Facts.Sites, [&](const Site &Other) {
    SourceLocation At = Other.Call->getExprLoc();
    return At != Loc && At.isMacroID() && Sources.getSpellingLoc(At) == Sources.getSpellingLoc(Loc);
  });
}

//===-- Variables ---------------------------------------------------------===//

bool ResourceConditions::goTogether(const Stmt *A, const Stmt *B) const {
  Decls InA;
  auto Mentioned = [&](const Stmt &S) -> const ValueDecl * {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      return isa<EnumConstantDecl>(Ref->getDecl()) ? nullptr : Ref->getDecl();
    const auto *Member = dyn_cast<MemberExpr>(&S);
    return Member ? Member->getMemberDecl() : nullptr;
  };
  for (const Condition &C : conditionsOf(A))
    anyBelow(C.E, [&](const Stmt &S) {
      if (const ValueDecl *D = Mentioned(S))
        InA.insert(D);
      return false;
    });
  for (const Condition &C : conditionsOf(B))
    if (!testsStatus(C.E) && anyBelow(C.E, [&](const Stmt &S) {
          const ValueDecl *D = Mentioned(S);
          return D && InA.count(D);
        }))
      return true;
  return false;
}

bool ResourceConditions::outlivesCall(const ValueDecl *D) const {
  if (isa_and_nonnull<FieldDecl>(D))
    return true;
  const auto *V = dyn_cast_or_null<VarDecl>(D);
  return V && V->hasGlobalStorage();
}

static const ValueDecl *variableIn(const Expr *E) {
  E = bare(E);
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return Ref->getDecl();
  const auto *Member = dyn_cast_or_null<MemberExpr>(E);
  return Member ? Member->getMemberDecl() : nullptr;
}

bool ResourceConditions::growsWithInput(const Stmt *At) const {
  for (const Condition &C : conditionsOf(At)) {
    if (!C.If)
      continue;
    const auto *Compare = dyn_cast<BinaryOperator>(bare(C.E));
    if (!Compare || !(Compare->isRelationalOp() || Compare->getOpcode() == BO_NE))
      continue;
    for (const Expr *Side : {Compare->getLHS(), Compare->getRHS()}) {
      const ValueDecl *Capacity = variableIn(Side);
      const Expr *Other = Side == Compare->getLHS() ? Compare->getRHS() : Compare->getLHS();
      bool Varies = anyBelow(Other, [](const Stmt &S) { return isa<DeclRefExpr>(S); });
      if (!outlivesCall(Capacity) || !Varies || Capacity->getType()->isPointerType())
        continue;
      bool IsSet = anyBelow(C.If->getThen(), [&](const Stmt &S) {
        const auto *Set = dyn_cast<BinaryOperator>(&S);
        return Set && Set->getOpcode() == BO_Assign && variableIn(Set->getLHS()) == Capacity;
      });
      if (IsSet)
        return true;
    }
  }
  return false;
}

} // namespace tensorleak
