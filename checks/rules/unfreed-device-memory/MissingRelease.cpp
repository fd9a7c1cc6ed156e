//===-- MissingRelease.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the memory could not be had, the variable may hold anything; cudaFree and its like
// answer with an error to a pointer that they do not know (CUDA Runtime API, "Memory
// Management"). Handles, which are pointers to what no header defines, they would follow.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/MissingRelease.h"

#include "checks/rules/Rule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {
namespace {

/// What the body of a function has that matters for its end.
class BodyFacts : public RecursiveASTVisitor<BodyFacts> {
public:
  std::vector<const ReturnStmt *> Returns;
  std::vector<const DeclRefExpr *> Mentions;
  bool Jumps = false;

  bool VisitReturnStmt(ReturnStmt *R) { return Returns.push_back(R), true; }
  bool VisitDeclRefExpr(DeclRefExpr *E) { return Mentions.push_back(E), true; }
  bool VisitGotoStmt(GotoStmt *) { return Jumps = true; }
  bool VisitCXXTryStmt(CXXTryStmt *) { return Jumps = true; }
  bool VisitLambdaExpr(LambdaExpr *) { return Jumps = true; }
};

const CompoundStmt *bodyOf(const FunctionDecl &F) {
  return dyn_cast_or_null<CompoundStmt>(F.getBody());
}

BodyFacts factsOf(const FunctionDecl &F) {
  BodyFacts Out;
  Out.TraverseStmt(F.getBody());
  return Out;
}

/// A number that stands by itself: nothing behind it reads device memory.
bool isPlainNumber(const Expr *E) {
  E = E ? E->IgnoreParenImpCasts() : nullptr;
  if (!E)
    return true;
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  // Of a reference, the declared type.
  QualType Of = Ref ? Ref->getDecl()->getType() : QualType();
  return isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr>(E) ||
         (Ref && Of->isScalarType() && !Of->isAnyPointerType());
}

/// Nothing stands before it on its line.
bool startsLine(SourceLocation Loc, const SourceManager &Sources) {
  auto [File, Offset] = Sources.getDecomposedLoc(Loc);
  StringRef Before = Sources.getBufferData(File).take_front(Offset);
  return Before.take_back(Before.size() - Before.rfind('\n') - 1).trim(" \t").empty();
}

/// The last statement, or the end of a function that returns nothing.
std::optional<SourceLocation> onlyWayOut(const FunctionDecl &F, const BodyFacts &Facts) {
  const CompoundStmt *Body = bodyOf(F);
  if (!Body || Body->body_empty() || Facts.Jumps || Facts.Returns.size() > 1)
    return std::nullopt;
  const auto *Last = dyn_cast<ReturnStmt>(Body->body_back());
  bool IsOnly = Facts.Returns.empty() ? F.getReturnType()->isVoidType()
                                      : Last && isPlainNumber(Last->getRetValue());
  SourceLocation End = Last ? Last->getBeginLoc() : Body->getRBracLoc();
  bool IsPlace =
      End.isValid() && !End.isMacroID() && startsLine(End, F.getASTContext().getSourceManager());
  return IsOnly && IsPlace ? std::optional(End) : std::nullopt;
}

/// \p S in the block \p Body itself, under no condition and in no loop. What macros that
/// look at an error write around a call may be a block.
bool isUnconditional(const Stmt *S, const CompoundStmt &Body, const ParentMap &Parents) {
  for (const Stmt *Outer = Parents.getParent(S); Outer; S = Outer, Outer = Parents.getParent(S)) {
    if (Outer == &Body)
      return true;
    const auto *If = dyn_cast<IfStmt>(Outer);
    const auto *Choice = dyn_cast<AbstractConditionalOperator>(Outer);
    const auto *Both = dyn_cast<BinaryOperator>(Outer);
    bool IsAlways = (If && If->getCond() == S) || (Choice && Choice->getCond() == S) ||
                    (Both && (!Both->isLogicalOp() || Both->getLHS() == S)) ||
                    (isa<DoStmt, CompoundStmt>(Outer) && Outer->getBeginLoc().isMacroID()) ||
                    (isa<Expr, DeclStmt>(Outer) && !Choice && !Both);
    if (!IsAlways)
      return false;
  }
  return false;
}

/// Its address is taken for \p Take alone, and otherwise it is only read.
bool isOnlyRead(const VarDecl &V, const Expr &Take, const BodyFacts &Facts,
                const ParentMap &Parents) {
  auto IsWithin = [&](const Stmt *S) {
    while (S && S != &Take)
      S = Parents.getParent(S);
    return S != nullptr;
  };
  return llvm::all_of(Facts.Mentions, [&](const DeclRefExpr *E) {
    if (E->getDecl() != &V)
      return true;
    const Stmt *Outer = Parents.getParentIgnoreParens(const_cast<DeclRefExpr *>(E));
    const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Outer);
    return (Cast && Cast->getCastKind() == CK_LValueToRValue) || IsWithin(E);
  });
}

bool isDeclaredIn(const VarDecl &V, const CompoundStmt &Body) {
  return llvm::any_of(Body.body(), [&](const Stmt *S) {
    const auto *Decl = dyn_cast<DeclStmt>(S);
    return Decl && llvm::is_contained(Decl->decls(), &V);
  });
}

bool pointsToData(QualType T) {
  return T->isPointerType() && (T->isVoidPointerType() || !T->getPointeeType()->isIncompleteType());
}

/// Every function of that name gets nothing but the memory.
bool takesOnlyIt(StringRef Release, const ASTContext &Context) {
  auto Found = Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Release));
  return !Found.empty() && llvm::all_of(Found, [](const NamedDecl *D) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    return F && F->getNumParams() == 1;
  });
}

} // namespace

bool canRelease(const FunctionDecl &Function, const Unreleased &What) {
  const CompoundStmt *Body = bodyOf(Function);
  if (!Body || Function.isTemplateInstantiation() || !pointsToData(What.Holder->getType()) ||
      !What.Holder->hasLocalStorage() || !isDeclaredIn(*What.Holder, *Body) ||
      !takesOnlyIt(What.Release, Function.getASTContext()))
    return false;
  BodyFacts Facts = factsOf(Function);
  ParentMap Parents(const_cast<CompoundStmt *>(Body));
  return onlyWayOut(Function, Facts) && isUnconditional(What.Take, *Body, Parents) &&
         isOnlyRead(*What.Holder, *What.Take, Facts, Parents);
}

std::optional<FixItHint> releaseAtEnd(const FunctionDecl &Function,
                                      const std::vector<Unreleased> &All) {
  if (All.empty()) // as for nearly all functions
    return std::nullopt;
  std::optional<SourceLocation> End = onlyWayOut(Function, factsOf(Function));
  if (!End)
    return std::nullopt;
  const SourceManager &Sources = Function.getASTContext().getSourceManager();
  const CompoundStmt &Body = *bodyOf(Function);
  const StringRef Margin = Lexer::getIndentationForLine(*End, Sources);
  std::string More, Text;
  if (*End == Body.getRBracLoc()) {
    const std::string Inner = indentationIn(Body, Sources);
    More = Inner.size() > Margin.size() ? Inner.substr(Margin.size()) : "";
  }
  for (const Unreleased &U : All)
    Text += (More + U.Release + "(" + U.Holder->getName() + ");\n" + Margin).str();
  return FixItHint::CreateInsertion(*End, Text);
}

} // namespace tensorleak
