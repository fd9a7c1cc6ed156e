//===-- LocalStores.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/LocalStores.h"

#include "checks/flow/Dataflow.h"
#include "checks/flow/ValueWalk.h"
#include "checks/flow/state/SharedVector.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tensorleak {
namespace {

class Unordered : public RecursiveASTVisitor<Unordered> {
public:
  explicit Unordered(const FunctionFacts &Facts) : Facts(Facts) {}
  llvm::DenseSet<const ValueDecl *> find();

  bool VisitLambdaExpr(LambdaExpr *L) {
    Lambdas.try_emplace(L, nullptr);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (const auto *L = dyn_cast_or_null<LambdaExpr>(strip(V->getInit())))
      Lambdas[L] = V;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    ++Names[Ref->getDecl()];
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->getOpcode() == UO_AddrOf && !OfNames.contains(U))
      addAllIn(U->getSubExpr());
    return true;
  }

private:
  bool runsInOrder(const LambdaExpr &L, const VarDecl *Name) const;
  void addAllIn(const Stmt *S) {
    if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S))
      Found.insert(Ref->getDecl());
    if (S)
      for (const Stmt *Child : S->children())
        addAllIn(Child);
  }

  const FunctionFacts &Facts;
  llvm::DenseSet<const ValueDecl *> Found;
  llvm::DenseMap<const LambdaExpr *, const VarDecl *> Lambdas; ///< and the variable that is one
  llvm::DenseMap<const ValueDecl *, unsigned> Names;           ///< how often
  llvm::DenseSet<const Expr *> OfNames; ///< the addresses that second names have
};

/// Its body stands in the graph where it is called, and nobody else can call it.
bool Unordered::runsInOrder(const LambdaExpr &L, const VarDecl *Name) const {
  auto IsBody = [&](const Splice &S) { return S.Body == L.getCallOperator(); };
  return llvm::any_of(Facts.Splices, IsBody) && (!Name || Names.lookup(Name) == 1);
}

llvm::DenseSet<const ValueDecl *> Unordered::find() {
  for (Stmt *Body : Facts.bodies())
    for (const ValueDecl *Pointer : pointersThatAreNames(*Body))
      OfNames.insert(pointedTo(*Pointer));
  for (Stmt *Body : Facts.bodies())
    TraverseStmt(Body);
  for (const auto &[L, Name] : Lambdas)
    if (!runsInOrder(*L, Name))
      for (const LambdaCapture &C : L->captures())
        if (C.capturesVariable())
          Found.insert(C.getCapturedVar());
  addReferents(Found);
  return std::move(Found);
}

/// The classes of the objects that methods are called on, which may read each member.
class CalledClasses : public RecursiveASTVisitor<CalledClasses> {
public:
  bool VisitCallExpr(CallExpr *Call) {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    if (Method && !Method->getParent()->isInStdNamespace())
      Found.insert(Method->getParent()->getCanonicalDecl());
    return true;
  }
  bool mayRead(const CXXRecordDecl &Class) const {
    if (!Class.hasDefinition()) // the header that has it is missing
      return true;
    auto IsCalled = [&](const CXXRecordDecl *Base) {
      return Found.contains(Base->getCanonicalDecl());
    };
    return IsCalled(&Class) || !Class.forallBases([&](const auto *B) { return !IsCalled(B); });
  }

private:
  llvm::DenseSet<const CXXRecordDecl *> Found;
};

//===-- Reaching definitions ----------------------------------------------===//

using Stores = llvm::SmallVector<unsigned, 4>; ///< events, sorted
using State = SharedVector<Stores>;            ///< by place

/// Adds the event \p Store to \p To; whether it is new there.
bool add(Stores &To, unsigned Store) {
  auto *At = llvm::lower_bound(To, Store);
  if (At != To.end() && *At == Store)
    return false;
  To.insert(At, Store);
  return true;
}

bool addAll(Stores &To, const Stores &From) {
  bool Changed = false;
  for (unsigned Store : From)
    Changed |= add(To, Store);
  return Changed;
}

class ReachingStores : public ForwardDataflow<ReachingStores, State> {
public:
  ReachingStores(const FunctionFacts &Facts, const LocalStores &Local)
      : ForwardDataflow(*Facts.Cfg), Facts(Facts), Local(Local) {}

  void transfer(const CFGBlock &Block, State &Now) const {
    const BlockRange Range = Facts.Blocks[Block.getBlockID()];
    for (unsigned I = Range.Begin; I < Range.End; ++I)
      apply(I, Now);
  }
  bool join(State &Into, const State &From) const { return Into.join(From, addAll); }
  void apply(unsigned Index, State &Now) const;

private:
  const FunctionFacts &Facts;
  const LocalStores &Local;
};

void ReachingStores::apply(unsigned Index, State &Now) const {
  const Event &E = Facts.Events[Index];
  if (!events::writes(E.Kind) || !Local.follows(E.Place))
    return;
  Stores &Mine = Now.edit(E.Place);
  if (replacesContent(E))
    Mine.clear();
  add(Mine, Index);
}

/// Every variable that is read to make \p Values is read with what it holds now. False
/// where there are more values than can be looked at.
bool record(const FunctionFacts &Facts, llvm::ArrayRef<ValueId> Values, const State &Now,
            std::vector<LocalStores::Read> &Reads) {
  return ValueWalk(Facts).any(Values, [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    if (Val.From == Source::Load && Val.Loaded != NoId)
      for (unsigned Store : Now[Val.Loaded])
        Reads.push_back({Store, V});
    return ValueWalk::Next::Into;
  }) == ValueWalk::Answer::No;
}

} // namespace

llvm::DenseSet<const ValueDecl *> usedOutOfOrder(const FunctionFacts &Facts) {
  return Unordered(Facts).find();
}

LocalStores::LocalStores(const FunctionFacts &Facts) : Facts(Facts) {
  findFollowed();
  if (Followed.empty() || solve())
    return;
  Followed.clear(); // each variable is one node, whatever it holds when
  Reads.clear();
}

/// The places that are read or written as such, with all that is in them.
static llvm::DenseSet<PlaceId> usedAsWhole(const FunctionFacts &Facts) {
  llvm::DenseSet<PlaceId> Used;
  for (const Value &V : Facts.Values)
    if (V.Loaded != NoId)
      Used.insert(V.Loaded);
  for (const Event &E : Facts.Events) {
    bool IsEmpty = E.Kind == EventKind::Store && E.Declares && E.Val == NoId;
    if (E.Place != NoId && !IsEmpty && E.Kind != EventKind::Use && E.Kind != EventKind::ScopeEnd)
      Used.insert(E.Place);
  }
  return Used;
}

/// A variable, or a part of one that is only ever used part by part. Not one that shares what
/// it holds with others.
void LocalStores::findFollowed() {
  auto OutOfOrder = usedOutOfOrder(Facts);
  auto Whole = usedAsWhole(Facts);
  CalledClasses Called;
  for (Stmt *Body : Facts.bodies())
    Called.TraverseStmt(Body);
  for (PlaceId P = 0; P < Facts.Places.size(); ++P) {
    const Place &Part = Facts.Places[P];
    PlaceId Variable = Part.isField() ? Part.Parent : P;
    const auto *V = dyn_cast_or_null<VarDecl>(Facts.Places[Variable].Decl);
    // A record of C is none of C++, and has no methods that could read it.
    const CXXRecordDecl *Class = V ? V->getType()->getAsCXXRecordDecl() : nullptr;
    if (!Class || Part.Root != Place::Local || OutOfOrder.count(V) ||
        !Part.Decl->getType()->isRecordType() || sharedContainer(V->getType()))
      continue;
    bool IsTakenApart =
        !Whole.count(Variable) && !Facts.Places[Variable].isField() && !Called.mayRead(*Class);
    if (!Part.isField() || IsTakenApart)
      Followed.insert(P);
  }
  for (PlaceId P = 0; P < Facts.Places.size(); ++P)
    if (Facts.Places[P].isField())
      Followed.erase(Facts.Places[P].Parent);
  for (const Event &E : Facts.Events) {
    if (events::leaves(E.Kind) && (E.Kind == EventKind::Unknown || E.Val == NoId))
      Followed.erase(E.Place);
  }
}

bool LocalStores::solve() {
  ReachingStores Flow(Facts, *this);
  if (!Flow.solve(State(Facts.Places.size()), Budget::StoreVisits))
    return false;
  bool Known = true;
  Flow.forEachReached([&](const CFGBlock &Block, State Now) {
    const BlockRange Range = Facts.Blocks[Block.getBlockID()];
    for (unsigned I = Range.Begin; I < Range.End; ++I) {
      Known &= record(Facts, Facts.Events[I].Val, Now, Reads) &&
               record(Facts, Facts.Events[I].Args, Now, Reads);
      Flow.apply(I, Now);
    }
  });
  return Known;
}

} // namespace tensorleak
