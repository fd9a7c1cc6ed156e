//===-- EmptiedFirst.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/EmptiedFirst.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

/// A variable, or a member of `this` or of what a variable names or points to.
struct Place {
  const ValueDecl *Object = nullptr; ///< null for `this`, and for a variable itself
  const ValueDecl *Name = nullptr;   ///< null for no place
  bool operator<(const Place &O) const {
    return std::tie(Object, Name) < std::tie(O.Object, O.Name);
  }
};

Place placeOf(const Expr *E) {
  E = bare(E);
  if (const FieldDecl *Own = memberOfThis(E))
    return {nullptr, Own};
  const auto *Member = dyn_cast<MemberExpr>(E);
  const VarDecl *V = variableRead(Member ? *bare(Member->getBase()) : *E);
  if (!V)
    return {};
  return Member ? Place{V, dyn_cast<FieldDecl>(Member->getMemberDecl())} : Place{nullptr, V};
}

/// `buffers.clear()`: the object; null where \p E calls no method of the C++ library by that name.
const Expr *objectOf(const Expr *E, llvm::StringRef Method) {
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(bare(E));
  const CXXMethodDecl *Callee = Call ? Call->getMethodDecl() : nullptr;
  return Callee && Callee->getIdentifier() && Callee->getName() == Method &&
                 isOfStandardClass(*Callee)
             ? Call->getImplicitObjectArgument()
             : nullptr;
}

/// What \p S leaves without elements: `buffers.clear();`, `count = 0;`.
Place emptiedBy(const Stmt &S, const ASTContext &Context) {
  const auto *E = dyn_cast<Expr>(&S);
  if (!E)
    return {};
  if (const Expr *Container = objectOf(E, "clear"))
    return placeOf(Container);
  const auto *Set = dyn_cast<BinaryOperator>(bare(E));
  const bool IsZero = Set && Set->getOpcode() == BO_Assign &&
                      Set->getLHS()->getType()->isIntegerType() &&
                      constantIn(Context, Set->getRHS()) == 0;
  return IsZero ? placeOf(Set->getLHS()) : Place();
}

/// Whose elements \p E is the number of: `buffers.size()`, `count`, `count - 1`.
Place placeCounted(const Expr *E) {
  if (const Expr *Container = objectOf(E, "size"))
    return placeOf(Container);
  const auto *Op = dyn_cast<BinaryOperator>(bare(E));
  if (Op && (Op->getOpcode() == BO_Sub || Op->getOpcode() == BO_GT || Op->getOpcode() == BO_NE))
    return placeCounted(Op->getLHS());
  return placeOf(E);
}

/// That without whose elements \p Loop has no rounds.
Place placeWalked(const Stmt &Loop, const Stmt *Whole, const ASTContext &Context) {
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return placeOf(Range->getRangeInit());
  if (const auto Up = countedLoop(Loop, Whole, Context))
    return !Up->ReachesLimit && constantIn(Context, Up->First).value_or(-1) >= 0
               ? placeCounted(Up->Limit)
               : Place();
  if (const auto Down = countedDown(Loop, Whole, Context))
    return placeCounted(Down->Top);
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  const auto *Not = While ? dyn_cast<UnaryOperator>(bare(While->getCond())) : nullptr;
  const Expr *Asked =
      Not && Not->getOpcode() == UO_LNot ? objectOf(Not->getSubExpr(), "empty") : nullptr;
  return Asked ? placeOf(Asked) : Place();
}

class EmptiedFinder {
public:
  EmptiedFinder(const FunctionResources &F, std::vector<EmptiedFirst> &Out)
      : F(F), Context(F.Facts.Function->getASTContext()), Out(Out) {}
  void run() {
    anyBelow(F.Facts.Function->getBody(), [&](const Stmt &S) {
      if (const auto *Block = dyn_cast<CompoundStmt>(&S))
        readBlock(*Block);
      return false;
    });
  }

private:
  using Emptied = std::map<Place, const Stmt *>;
  void readBlock(const CompoundStmt &Block);
  void forgetChanged(const Stmt &S, Emptied &Empty) const;
  const HolderUse *releaseIn(const Stmt &Loop) const;

  const FunctionResources &F;
  const ASTContext &Context;
  std::vector<EmptiedFirst> &Out;
};

/// A call may fill it again, and so may what names it.
void EmptiedFinder::forgetChanged(const Stmt &S, Emptied &Empty) const {
  const bool Calls = anyBelow(&S, [](const Stmt &Part) {
    const auto *Call = dyn_cast<CallExpr>(&Part);
    return Call && !ResourceGenerator::isForeign(Call->getDirectCallee());
  });
  for (auto It = Empty.begin(); It != Empty.end();) {
    const bool IsNamed = anyBelow(&S, [&](const Stmt &Part) {
      const auto *E = dyn_cast<Expr>(&Part);
      return E && variableOrMember(E) == It->first.Name;
    });
    It = Calls || IsNamed ? Empty.erase(It) : std::next(It);
  }
}

/// Something of the device's that others have put there.
const HolderUse *EmptiedFinder::releaseIn(const Stmt &Loop) const {
  auto It = llvm::find_if(F.Released, [&](const HolderUse &Use) {
    return !Use.Site && contains(loopBody(Loop), Use.At) && firstOfDevice(Use.Accepts);
  });
  return It == F.Released.end() ? nullptr : &*It;
}

void EmptiedFinder::readBlock(const CompoundStmt &Block) {
  Emptied Empty;
  for (const Stmt *S : Block.body()) {
    if (const Place Here = emptiedBy(*S, Context); Here.Name) {
      Empty.emplace(Here, S);
      continue;
    }
    if (Empty.empty())
      continue;
    const Place Walked =
        loopBody(*S) ? placeWalked(*S, F.Facts.Function->getBody(), Context) : Place();
    const auto Known = Walked.Name ? Empty.find(Walked) : Empty.end();
    if (Known == Empty.end()) {
      forgetChanged(*S, Empty);
      continue;
    }
    if (const HolderUse *Use = releaseIn(*S))
      Out.push_back({&F, Known->second, Walked.Name, Use->At, *firstOfDevice(Use->Accepts)});
  }
}

} // namespace

std::vector<EmptiedFirst> findEmptiedFirst(const ResourceUnit &Unit) {
  std::vector<EmptiedFirst> Out;
  for (const auto &F : Unit.functions())
    if (!F->HasErrors && !F->Released.empty())
      EmptiedFinder(*F, Out).run();
  return Out;
}

} // namespace tensorleak
