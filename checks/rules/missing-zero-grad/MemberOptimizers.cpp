//===-- MemberOptimizers.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/missing-zero-grad/MemberOptimizers.h"

#include "checks/flow/ValueWalk.h"
#include "checks/questions/ModuleNames.h"
#include "checks/source/Expressions.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

void addBound(const FunctionFacts &Facts, const Event &Bind,
              std::vector<const ValueDecl *> &Found) {
  if (Bind.Args.empty())
    Found.push_back(nullptr);
  for (ValueId V : Bind.Args) {
    PlaceId Module = Facts.Values[V].Loaded;
    Found.push_back(Module == NoId ? nullptr : Facts.Places[Module].Decl);
  }
}

class MemberOptimizerSearch {
public:
  MemberOptimizerSearch(Unit &U, const FieldDecl &Optimizer) : U(U), Optimizer(Optimizer) {}

  bool run() const {
    return !U.isSeenWhole(Optimizer) || (U.flow().fateOf(Optimizer) & ReachesUnknown) ||
           !hasOwnNetworks() || isResetHere() || isResetElsewhere();
  }

private:
  bool hasOwnNetworks() const;
  std::vector<const ValueDecl *> networks() const;
  bool isOwnNetwork(const ValueDecl *D) const;
  bool isResetHere() const;
  bool mayReset(const FunctionFacts &Facts, const Event &E) const;
  bool isReached(const FunctionFacts &Facts, const Event &E) const;
  bool isResetElsewhere() const;

  Unit &U;
  const FieldDecl &Optimizer;
};

/// A member that only this class reaches.
bool MemberOptimizerSearch::isOwnNetwork(const ValueDecl *D) const {
  const auto *Network = dyn_cast_or_null<FieldDecl>(D);
  return Network && Network->getParent() == Optimizer.getParent() && U.isSeenWhole(*Network) &&
         !U.model().isModuleClass(*Network->getParent()) && !hasOtherName(U, *Network);
}

/// Whose `parameters()` the optimizer is made with, wherever that is; null for what cannot
/// be told.
std::vector<const ValueDecl *> MemberOptimizerSearch::networks() const {
  std::vector<const ValueDecl *> Found;
  for (const FunctionUnit &F : U.functions())
    for (const Event &E : F.Facts->Events)
      if (E.Kind == EventKind::BindParams && E.Place != NoId &&
          F.Facts->Places[E.Place].Decl == &Optimizer)
        addBound(*F.Facts, E, Found);
  mentions(Optimizer.getInClassInitializer(), [&](const Expr &E) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
    auto Known =
        Call && Call->getMethodDecl() ? U.model().effectOf(*Call->getMethodDecl()) : std::nullopt;
    if (Known && Known->What == Does::Parameters)
      Found.push_back(variableNamed(Call->getImplicitObjectArgument()));
    return false;
  });
  return Found;
}

bool MemberOptimizerSearch::hasOwnNetworks() const {
  auto Networks = networks();
  return !Networks.empty() &&
         llvm::all_of(Networks, [&](const ValueDecl *D) { return isOwnNetwork(D); });
}

/// What is not seen gets hold of the optimizer, of a network beside it, or of parameters.
bool MemberOptimizerSearch::isReached(const FunctionFacts &Facts, const Event &E) const {
  if (E.Val != NoId && Facts.Values[E.Val].From == Source::Api &&
      Facts.Values[E.Val].Api.What == Does::Parameters)
    return true;
  const ValueDecl *D = E.Place == NoId ? nullptr : Facts.Places[E.Place].Decl;
  const auto *Field = dyn_cast_or_null<FieldDecl>(D);
  return Field && Field->getParent() == Optimizer.getParent() &&
         (Field == &Optimizer || U.model().classify(Field->getType()) == TypeClass::Module);
}

bool MemberOptimizerSearch::mayReset(const FunctionFacts &Facts, const Event &E) const {
  if (events::leaves(E.Kind))
    return isReached(Facts, E);
  if (!replacesGradients(Facts, E))
    return false;
  const ValueDecl *D = E.Place == NoId ? nullptr : Facts.Places[E.Place].Decl;
  bool IsOther = D && D != &Optimizer && U.model().classify(D->getType()) == TypeClass::Optimizer;
  return !IsOther;
}

bool MemberOptimizerSearch::isResetHere() const {
  return llvm::any_of(U.functions(), [&](const FunctionUnit &F) {
    return F.HasErrors ||
           llvm::any_of(F.Facts->Events, [&](const Event &E) { return mayReset(*F.Facts, E); });
  });
}

/// By a friend, or by a method whose body is in another file.
bool MemberOptimizerSearch::isResetElsewhere() const {
  auto Resets = [](const SummaryEffect &Effect) {
    return Effect.Kind == EventKind::ResetGrad || Effect.Kind == EventKind::Unknown;
  };
  auto MayReset = [&](const CXXMethodDecl *M) {
    const ImportedFunction *Known = U.others().function(*M);
    return Known && (Known->IsOpen || llvm::any_of(Known->Effects.Effects, Resets));
  };
  const auto *Class = dyn_cast<CXXRecordDecl>(Optimizer.getParent());
  return !Class || Class->hasFriends() || llvm::any_of(Class->methods(), MayReset);
}

} // namespace

bool replacesGradients(const FunctionFacts &Facts, const Event &E) {
  if (E.Kind != EventKind::GradStore || E.Val == NoId)
    return E.Kind == EventKind::ResetGrad;
  auto IsGradient = [&](ValueId V, unsigned) {
    const Value &Val = Facts.Values[V];
    bool IsOld = Val.From == Source::Api && Val.Api.What == Does::GradOf;
    return IsOld ? ValueWalk::Next::Found : ValueWalk::Next::Into;
  };
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  return Walk.any({E.Val}, IsGradient) == ValueWalk::Answer::No;
}

bool mayBeReset(Unit &U, const FieldDecl &Optimizer) {
  return MemberOptimizerSearch(U, Optimizer).run();
}

} // namespace tensorleak
