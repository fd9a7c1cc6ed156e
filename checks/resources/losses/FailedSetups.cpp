//===-- FailedSetups.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/FailedSetups.h"

#include "checks/resources/conditions/Values.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/blocks/BlockWalk.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/CFG.h"

using namespace clang;

namespace tensorleak {
namespace {

/// The local variable that \p Call is given for the parameter or object in which \p Holder lies,
/// where nothing ends it but that it goes out of scope; null for another argument.
const VarDecl *variableGiven(const CallExpr &Call, const ResourceFacts &Callee, PathId Holder) {
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(Callee.Paths.variable(Holder));
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const Expr *Given = Param && Param->getFunctionScopeIndex() < Call.getNumArgs()
                          ? Call.getArg(Param->getFunctionScopeIndex())
                      : !Callee.Paths.variable(Holder) && Member
                          ? Member->getImplicitObjectArgument()
                          : nullptr;
  Given = Given ? bare(Given) : nullptr;
  if (const auto *Op = dyn_cast_or_null<UnaryOperator>(Given); Op && Op->getOpcode() == UO_AddrOf)
    Given = bare(Op->getSubExpr());
  const auto *V = Given ? dyn_cast_or_null<VarDecl>(variableOrMember(Given)) : nullptr;
  return V && V->isLocalVarDecl() && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
                 V->getType().isDestructedType() == QualType::DK_none
             ? V
             : nullptr;
}

bool names(const Stmt *S, const VarDecl &V) {
  return S && mentions(S, [&](const Expr &E) { return variableRead(E) == &V; });
}

/// What a condition says of the answer of a call, if it holds.
struct AnswerAsked {
  const CallExpr *Call = nullptr;
  bool IsZero = false;
};

class SetupJudge {
public:
  SetupJudge(FileAnalyses &File, const FunctionResources &F) : File(File), F(F) {}
  void run(std::vector<FailedSetup> &Out) const;

private:
  bool isLeftOnSuccessToo(const LeftResource &L) const;
  bool isHeldElsewhere(const LeftResource &L) const;
  AnswerAsked askedBy(const Expr *E, const Stmt &Body, ASTContext &Context) const;
  const Stmt *leavesIn(const FunctionResources &G, const LeftResource &L, bool &Fits) const;
  bool isLeftBehind(const IfStmt &If, const AnswerAsked &A, const FunctionResources &G,
                    const LeftResource &L) const;

  FileAnalyses &File;
  const FunctionResources &F;
};

/// The other answer comes with the same, and callers know it by that.
bool SetupJudge::isLeftOnSuccessToo(const LeftResource &L) const {
  return llvm::any_of(F.Left, [&](const LeftResource &Other) {
    return Other.Site == L.Site && Other.Holder == L.Holder && Other.IsZero != L.IsZero;
  });
}

/// Something that the caller does not hand over has it too.
bool SetupJudge::isHeldElsewhere(const LeftResource &L) const {
  const PathTable &Paths = F.Facts.Paths;
  return llvm::any_of(F.Left, [&](const LeftResource &Other) {
    return Other.Site == L.Site && Other.Return == L.Return &&
           Paths.rootOf(Other.Holder) != Paths.rootOf(L.Holder);
  });
}

/// `f()`, `!f()`, `f() != 0`, `f() < 0`, turned round too, or a name of the answer in these.
AnswerAsked SetupJudge::askedBy(const Expr *E, const Stmt &Body, ASTContext &Context) const {
  E = bare(E);
  if (const VarDecl *Name = constantName(*E, Body))
    return askedBy(Name->getInit(), Body, Context);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return isCallOf(*Call, *F.Facts.Function) ? AnswerAsked{Call, false} : AnswerAsked();
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
    const AnswerAsked A = askedBy(Not->getSubExpr(), Body, Context);
    return {A.Call, !A.IsZero};
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || (!Op->isEqualityOp() && Op->getOpcode() != BO_LT && Op->getOpcode() != BO_GT))
    return {};
  const bool IsTurned =
      Op->getOpcode() == BO_GT || constantOf(*Op->getLHS(), Context); // `0 != f()`
  const auto Limit = constantOf(*(IsTurned ? Op->getLHS() : Op->getRHS()), Context);
  if (!Limit || *Limit != 0 || (IsTurned && Op->getOpcode() == BO_LT))
    return {};
  const AnswerAsked A = askedBy(IsTurned ? Op->getRHS() : Op->getLHS(), Body, Context);
  return {A.Call, A.IsZero != (Op->getOpcode() == BO_EQ)};
}

/// What stands in \p Block names \p V.
bool isNamedIn(const CFGBlock &Block, const VarDecl &V) {
  return llvm::any_of(Block, [&](const CFGElement &Element) {
    const auto Here = Element.getAs<CFGStmt>();
    return Here && names(Here->getStmt(), V);
  });
}

/// Nothing names \p V from \p From on, before \p Call is done again. That the program ends there
/// gives it back too.
bool isForgottenFrom(const CFGBlock *From, const CFGBlock *Call, const VarDecl &V, bool IsMain) {
  const Blocks Behind = blocksFrom(
      From, Toward::Exit, [&](const CFGBlock &Next, const BlockEdge &) { return &Next != Call; });
  const bool IsSettled = llvm::any_of(Behind, [&](const CFGBlock *Block) {
    return Block->hasNoReturnElement() || isNamedIn(*Block, V);
  });
  const bool IsDoneAgain = llvm::any_of(
      Behind, [&](const CFGBlock *Block) { return llvm::is_contained(Block->succs(), Call); });
  return !IsSettled && (!IsMain || IsDoneAgain);
}

/// The caller does nothing about what it was given where the answer is that of \p L.
bool SetupJudge::isLeftBehind(const IfStmt &If, const AnswerAsked &A, const FunctionResources &G,
                              const LeftResource &L) const {
  const VarDecl *V = variableGiven(*A.Call, F.Facts, L.Holder);
  const CFGBlock *Call = blockOf(*G.Facts.Cfg, A.Call);
  for (const CFGBlock *Block : *G.Facts.Cfg)
    if (V && Call && Block->getTerminatorStmt() == &If && Block->succ_size() == 2)
      return isForgottenFrom(*(Block->succ_begin() + (A.IsZero == L.IsZero ? 0 : 1)), Call, *V,
                             G.Facts.Function->isMain());
  return false;
}

/// The condition of \p G behind which it leaves; not \p Fits where it may do otherwise.
const Stmt *SetupJudge::leavesIn(const FunctionResources &G, const LeftResource &L,
                                 bool &Fits) const {
  const FunctionDecl &Caller = *G.Facts.Function;
  const Stmt *Found = nullptr;
  unsigned Calls = 0, Asked = 0;
  anyBelow(Caller.getBody(), [&](const Stmt &S) {
    Calls += isCallOf(S, *F.Facts.Function);
    const auto *If = dyn_cast<IfStmt>(&S);
    const Expr *Condition = If ? If->getCond() : nullptr; // `if consteval` has none
    const AnswerAsked A =
        Condition ? askedBy(Condition, *Caller.getBody(), Caller.getASTContext()) : AnswerAsked();
    if (A.Call && isLeftBehind(*If, A, G, L)) {
      Found = If->getCond();
      ++Asked;
    }
    return false;
  });
  Fits &= Calls == Asked;
  return Found;
}

void SetupJudge::run(std::vector<FailedSetup> &Out) const {
  const bool AreSeen = !F.Facts.Function->isExternallyVisible() || File.resources().hasMain();
  for (const LeftResource &L : F.Left) {
    if (!isLeftOnSuccessToo(L) || isHeldElsewhere(L))
      continue;
    const Stmt *Caller = nullptr;
    bool Fits = true;
    for (const auto &G : File.resources().functions())
      if (calls(*G->Facts.Function, *F.Facts.Function))
        if (const Stmt *Condition = leavesIn(*G, L, Fits))
          Caller = Condition;
    if (Caller && Fits)
      Out.push_back({&F, &L, Caller, AreSeen && L.When == After::Anything});
  }
}

} // namespace

std::vector<FailedSetup> findFailedSetups(FileAnalyses &File) {
  std::vector<FailedSetup> Out;
  for (const auto &F : File.resources().functions())
    if (!F->HasErrors && !F->Left.empty())
      SetupJudge(File, *F).run(Out);
  return Out;
}

} // namespace tensorleak
