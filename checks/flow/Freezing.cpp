//===-- Freezing.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Freezing.h"

#include "checks/flow/Unit.h"
#include "checks/flow/callers/Callers.h"
#include "checks/source/Mentions.h"
#include "checks/source/Statements.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace tensorleak {

const ValueDecl *parametersOfModule(const FunctionFacts &Facts, ValueId V) {
  const Value &Val = Facts.Values[V];
  bool OfKnown = Val.Api.What == Does::Parameters && Val.Loaded != NoId;
  return OfKnown ? Facts.Places[Val.Loaded].Decl : nullptr;
}

namespace {

/// What `p.requires_grad_()` is called on.
struct ParameterOwner {
  const ValueDecl *Module = nullptr; ///< null: not known
  bool IsPlainTensor = false;        ///< p is no parameter of a module
  bool operator==(const ParameterOwner &O) const {
    return Module == O.Module && IsPlainTensor == O.IsPlainTensor;
  }
};

/// What the range-based loop runs over whose variable is \p P, a copy of each element;
/// NoId for other places.
PlaceId rangeOf(const FunctionFacts &Facts, PlaceId P) {
  const auto *V = P == NoId ? nullptr : dyn_cast_or_null<VarDecl>(Facts.Places[P].Decl);
  if (!V || !V->isCXXForRangeDecl())
    return NoId;
  for (const Loop &L : Facts.Loops)
    if (const auto *For = dyn_cast<CXXForRangeStmt>(L.S); For && For->getLoopVariable() == V)
      return Facts.Places.find(cast<VarDecl>(For->getRangeStmt()->getSingleDecl()), NoId);
  return NoId;
}

using PlaceSet = llvm::SmallDenseSet<PlaceId, 4>;

/// `for (auto &p : net->parameters())`, `for (auto item : net->named_parameters())`: from
/// the parameter to the module, which may be unknown; nothing for other tensors. On the way
/// are copies of the list, and of its entries.
std::optional<const ValueDecl *> moduleBehind(const FunctionFacts &Facts, PlaceId Parameter,
                                              PlaceSet &Seen) {
  if (Parameter == NoId || !Seen.insert(Parameter).second)
    return std::nullopt;
  std::optional<const ValueDecl *> Found;
  if (PlaceId Range = rangeOf(Facts, Parameter); Range != NoId)
    return moduleBehind(Facts, Range, Seen);
  for (const Event &E : Facts.Events) {
    if (E.Kind != EventKind::Store || E.Place != Parameter || E.Val == NoId)
      continue;
    const Value &Stored = Facts.Values[E.Val];
    if (Stored.Api.What == Does::Parameters)
      Found = parametersOfModule(Facts, E.Val);
    else if (Stored.From == Source::Load)
      if (auto Behind = moduleBehind(Facts, Stored.Loaded, Seen))
        Found = Behind;
  }
  return Found;
}

ParameterOwner ownerOf(const FunctionFacts &Facts, PlaceId Parameter) {
  PlaceSet Seen;
  if (auto Module = moduleBehind(Facts, Parameter, Seen))
    return {*Module, false};
  bool IsPlain = Parameter != NoId && Facts.Places[Parameter].Root == Place::Local &&
                 !Facts.Places[Parameter].isField();
  return {nullptr, IsPlain};
}

/// Frozen for some epochs, or in part, and thawed by the same function.
bool isThawed(const FunctionFacts &Facts, const ParameterOwner &Owner) {
  return Owner.Module && llvm::any_of(Facts.Events, [&](const Event &E) {
           return E.Kind == EventKind::LeafSelf && ownerOf(Facts, E.Place) == Owner;
         });
}

/// Of an element, its container.
const ValueDecl *nearestVariable(const FunctionFacts &Facts, PlaceId P) {
  while (P != NoId && !Facts.Places[P].Decl)
    P = Facts.Places[P].Parent;
  return P == NoId ? nullptr : Facts.Places[P].Decl;
}

} // namespace

Freezing frozenBy(const FunctionFacts &Facts, const Event &Freeze) {
  if (Freeze.OfModule)
    return {nearestVariable(Facts, Freeze.Place), false, false};
  ParameterOwner Owner = ownerOf(Facts, Freeze.Place);
  bool IsNothing = Owner.IsPlainTensor || isThawed(Facts, Owner);
  return {Owner.Module, IsNothing, Freeze.Conditional};
}

bool runsAnyOf(const ModuleSet &Modules, const FunctionFacts &Facts, const Event &E) {
  PlaceId P = E.Kind == EventKind::Forward ? E.Place : NoId;
  while (P != NoId && !Modules.count(Facts.Places[P].Decl))
    P = Facts.Places[P].Parent;
  return P != NoId;
}

//===-- In a file ---------------------------------------------------------===//

/// An optimizer of the file is given the parameters of \p Module.
bool Unit::isStepped(const ValueDecl &Module) const {
  return llvm::any_of(Functions, [&](const FunctionUnit &F) {
    return llvm::any_of(F.Facts->Events, [&](const Event &E) {
      return E.Kind == EventKind::BindParams && llvm::any_of(E.Args, [&](ValueId V) {
               return parametersOfModule(*F.Facts, V) == &Module;
             });
    });
  });
}

void Unit::noteFreeze(const FunctionFacts &Facts, const Event &Freeze) {
  Freezing What = frozenBy(Facts, Freeze);
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(What.Module);
  bool IsOwnCopy = Freeze.OfModule && Param && Param->getType()->isRecordType();
  bool IsNamedByCallers = !What.Module || (Param && !IsOwnCopy);
  const FunctionUnit *F = find(*Facts.Function);
  if (IsNamedByCallers && F && isInAllCallers(Functions, *F))
    return;
  if (What.IsNothing || (What.InPart && What.Module && isStepped(*What.Module)))
    return;
  if (!What.Module || (Param && !IsOwnCopy)) {
    AnyFrozen = true;
    return;
  }
  Frozen.insert(What.Module);
  if (!What.InPart)
    FrozenWhole.insert(What.Module);
}

/// What a frozen module computes has a graph only where its input has one. Which are frozen is
/// known when all functions were looked at.
void Unit::forgetGraphsOfFrozen() {
  llvm::SmallVector<const ValueDecl *, 4> Stepped;
  llvm::copy_if(FrozenWhole, std::back_inserter(Stepped),
                [&](const ValueDecl *D) { return isStepped(*D); });
  for (const ValueDecl *D : Stepped) // it is frozen for a while
    FrozenWhole.erase(D);
  KnownFrozen = &FrozenWhole;
  for (FunctionUnit &F : Functions) {
    const FunctionFacts &Facts = *F.Facts;
    const bool RunsFrozen = llvm::any_of(
        Facts.Events, [&](const Event &E) { return runsAnyOf(FrozenWhole, Facts, E); });
    FunctionAtHand Here(*Facts.Function);
    if (RunsFrozen)
      F.State = stateOf(Facts, F.Entry);
  }
}

/// It may stand for something else, as the variable of a loop over parameters does.
static bool mayBeName(const Decl *D) {
  const auto *Var = dyn_cast<VarDecl>(D);
  return Var && Var->getIdentifier() &&
         (Var->isCXXForRangeDecl() || Var->getType()->isReferenceType() ||
          Var->getType()->isPointerType());
}

bool isBeyondDroppedCode(const FunctionDecl &F, const ValueDecl &D) {
  if (!F.getBody() || isa<CXXConstructorDecl>(F) || !D.getIdentifier() || lacksMentionsOf(D, F))
    return false;
  return !anyBelow(F.getBody(), [&](const Stmt &S) {
    const auto *Declares = dyn_cast<DeclStmt>(&S);
    return Declares && llvm::any_of(Declares->decls(), [&](const Decl *Local) {
             return mayBeName(Local) && lacksMentionsOf(*cast<VarDecl>(Local), F);
           });
  });
}

} // namespace tensorleak
