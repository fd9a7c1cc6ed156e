//===-- UnkeptParameters.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/UnkeptParameters.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/blocks/BlockWalk.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/Analyses/CFGReachabilityAnalysis.h"
#include "clang/Analysis/CFG.h"

using namespace clang;

namespace tensorleak {
namespace {

class UnkeptFinder {
public:
  UnkeptFinder(FileAnalyses &File, const FunctionResources &F)
      : File(File), Uses(File.recordUses()), F(F), Facts(F.Facts), Paths(F.Facts.Paths) {}
  void run(std::vector<UnkeptParameter> &Out) const;

private:
  const ParmVarDecl *storedParameter(const ResourceEvent &E) const;
  std::optional<Family> ownedAs(const RecordKey &Key) const;
  bool isTouched(const CFGBlock &Block, const ParmVarDecl &P) const;
  bool isNullWay(const BlockEdge &By, const ParmVarDecl &P) const;
  Blocks passedOn(const ParmVarDecl &P) const;
  Blocks passedToEnd(const ParmVarDecl &P) const;
  const Expr *limitBefore(const ResourceEvent &Store, const ParmVarDecl &P) const;

  FileAnalyses &File;
  const RecordUses &Uses;
  const FunctionResources &F;
  const ResourceFacts &Facts;
  const PathTable &Paths;
};

/// A pointer, or the members of a plain structure, that an element of a container gets. What has
/// a destructor may give back what it holds by that.
const ParmVarDecl *UnkeptFinder::storedParameter(const ResourceEvent &E) const {
  if (E.ByCallee || E.Path == NoPath || !Paths.isElementOfOne(E.Path))
    return nullptr;
  for (PathId From : E.storedFrom()) {
    const auto *P = dyn_cast_or_null<ParmVarDecl>(Paths.variable(From));
    auto IsField = [](const Step &S) { return S.What == Step::Field; };
    if (P && P->getDeclContext() == Facts.Function && llvm::all_of(Paths.steps(From), IsField) &&
        P->getType().getNonReferenceType().isDestructedType() == QualType::DK_none)
      return P;
  }
  return nullptr;
}

/// What the elements of \p Key are given back as by functions of the file, unless they belong to
/// others too. Of what `delete` gets, nothing says that it holds anything of the device's.
std::optional<Family> UnkeptFinder::ownedAs(const RecordKey &Key) const {
  FamilySet Accepts = 0;
  for (const auto &G : File.resources().functions())
    for (const HolderUse &Use : G->Released)
      if (auto Given = Use.Site ? std::nullopt : keyOf(G->Facts, Use.Path))
        if (Given->isWithin(Key) && Uses.Given.count(*Given) && !Uses.isShared(*Given))
          Accepts |= Use.Accepts;
  return firstOfDevice(Accepts);
}

/// Something may happen to what \p P points to, or the program ends there.
bool UnkeptFinder::isTouched(const CFGBlock &Block, const ParmVarDecl &P) const {
  auto IsOf = [&](PathId Id) { return Id != NoPath && Paths.variable(Id) == &P; };
  auto Touches = [&](const ResourceEvent &E) {
    const bool OnlySets =
        E.Kind == ResourceEventKind::Assign || E.Kind == ResourceEventKind::Remove;
    return IsOf(E.From) || (!OnlySets && IsOf(E.Path)) || llvm::any_of(E.Value, [&](const Atom &A) {
             return A.What != Atom::Fresh && IsOf(A.Id);
           });
  };
  auto Throws = [](const CFGElement &E) {
    auto S = E.getAs<CFGStmt>();
    return S && isa<CXXThrowExpr>(S->getStmt());
  };
  return Block.hasNoReturnElement() || Facts.Ends.count(Block.getBlockID()) ||
         llvm::any_of(Facts.Blocks[Block.getBlockID()], Touches) || llvm::any_of(Block, Throws);
}

/// There \p P is known to be null.
bool UnkeptFinder::isNullWay(const BlockEdge &By, const ParmVarDecl &P) const {
  auto It = By.condition() ? Facts.Branches.find(By.From->getBlockID()) : Facts.Branches.end();
  if (It == Facts.Branches.end())
    return false;
  const Operand &Null = By.Way == 0 ? It->second.NullOnTrue : It->second.NullOnFalse;
  return llvm::any_of(
      Null, [&](const Atom &A) { return A.What == Atom::Load && Paths.variable(A.Id) == &P; });
}

/// Where the function comes from its begin with nothing done to \p P.
Blocks UnkeptFinder::passedOn(const ParmVarDecl &P) const {
  return blocksFrom(&Facts.Cfg->getEntry(), Toward::Exit,
                    [&](const CFGBlock &Next, const BlockEdge &By) {
                      return !isTouched(Next, P) && !isNullWay(By, P);
                    });
}

/// From where it comes to its end with nothing done to \p P.
Blocks UnkeptFinder::passedToEnd(const ParmVarDecl &P) const {
  return blocksFrom(&Facts.Cfg->getExit(), Toward::Entry,
                    [&](const CFGBlock &Next, const BlockEdge &) { return !isTouched(Next, P); });
}

bool isZero(const Expr &E) {
  const auto *Number = dyn_cast<IntegerLiteral>(bare(&E));
  return Number && Number->getValue() == 0;
}

/// It asks about what outlives the call: a member, or a variable that is not local.
bool asksAboutLasting(const Expr &Condition, const ParmVarDecl &P) {
  return mentions(&Condition, [&](const Expr &E) {
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return isa<FieldDecl>(Member->getMemberDecl()) && variableOrMember(Member->getBase()) != &P;
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return V && V->hasGlobalStorage();
  });
}

/// `free.size() < limit`, `held + bytes <= limit`: no question for nothing, nor about a position
/// that the caller gives.
bool isLimit(const Expr &Condition, const ParmVarDecl &P, bool Appends, const Stmt &Body) {
  const Expr *E = bare(&Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return isLimit(*Not->getSubExpr(), P, Appends, Body);
  if (const VarDecl *Name = constantName(*E, Body); Name && Name->getInit())
    return isLimit(*Name->getInit(), P, Appends, Body); // `bool isFull = ...; if (isFull)`
  const auto *Op = dyn_cast<BinaryOperator>(E);
  auto Names = [&](const Expr &Part, bool Itself) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    return Ref && isa<ParmVarDecl>(Ref->getDecl()) && (Ref->getDecl() == &P) == Itself;
  };
  auto IsIt = [&](const Expr &Part) { return Names(Part, /*Itself=*/true); };
  auto IsOther = [&](const Expr &Part) { return Names(Part, /*Itself=*/false); };
  return Op && Op->isComparisonOp() && Op->getLHS()->getType()->isIntegerType() &&
         !isZero(*Op->getLHS()) && !isZero(*Op->getRHS()) && asksAboutLasting(*Op, P) &&
         (Op->isRelationalOp() || !mentions(Op, IsIt)) && (Appends || !mentions(Op, IsOther));
}

/// The condition that leaves \p P to nobody, where the other way comes to \p Store.
const Expr *UnkeptFinder::limitBefore(const ResourceEvent &Store, const ParmVarDecl &P) const {
  const CFGBlock *Kept = blockOf(*Facts.Cfg, Store.At);
  if (!Kept)
    return nullptr;
  const Blocks Begin = passedOn(P), End = passedToEnd(P);
  CFGReverseBlockReachabilityAnalysis Reaches(*Facts.Cfg);
  auto Comes = [&](const CFGBlock *From) {
    return From == Kept || Reaches.isReachable(From, Kept);
  };
  for (const CFGBlock *Block : *Facts.Cfg) {
    const Expr *Condition = Begin.count(Block) ? Block->getLastCondition() : nullptr;
    if (!Condition || Block->succ_size() != 2)
      continue;
    const CFGBlock *Yes = *Block->succ_begin(), *No = *(Block->succ_begin() + 1);
    auto Passes = [&](unsigned Way, const CFGBlock *By, const CFGBlock *Other) {
      return By && Other && End.count(By) && !Comes(By) && Comes(Other) &&
             !isNullWay({Block, Way}, P);
    };
    if ((Passes(0, Yes, No) || Passes(1, No, Yes)) &&
        isLimit(*Condition, P, isa<CXXMemberCallExpr>(Store.At), *Facts.Function->getBody()))
      return Condition;
  }
  return nullptr;
}

void UnkeptFinder::run(std::vector<UnkeptParameter> &Out) const {
  for (const std::vector<ResourceEvent> &Events : Facts.Blocks)
    for (const ResourceEvent &E : Events) {
      const ParmVarDecl *P = storedParameter(E);
      auto Key = P ? keyOf(Facts, E.Path) : std::nullopt;
      auto What = Key ? ownedAs(*Key) : std::nullopt;
      if (const Expr *Limit = What ? limitBefore(E, *P) : nullptr)
        return Out.push_back({P, Limit, E.At, std::move(*Key), *What});
    }
}

/// Nobody can learn from its result what it has done.
bool tellsNothing(const FunctionDecl &F) {
  return F.getReturnType()->isVoidType() && !isa<CXXConstructorDecl, CXXDestructorDecl>(F);
}

} // namespace

std::vector<UnkeptParameter> findUnkeptParameters(FileAnalyses &File) {
  std::vector<UnkeptParameter> Out;
  for (const auto &F : File.resources().functions())
    if (!F->HasErrors && tellsNothing(*F->Facts.Function))
      UnkeptFinder(File, *F).run(Out);
  return Out;
}

} // namespace tensorleak
