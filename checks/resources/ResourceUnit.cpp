//===-- ResourceUnit.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/ResourceUnit.h"

#include "checks/Budgets.h"

#include "checks/resources/PureMethods.h"
#include "checks/resources/facts/ResourceGenerator.h"

using namespace clang;

namespace tensorleak {
namespace {

bool isOfDevice(const ResourceEffect &E) {
  static const FamilySet Host = hostFamilies();
  if (E.What == ResourceEffect::Fill)
    return true;
  return E.Kind_ == Family::Count ? (E.Accepts & ~Host) != 0 : !(only(E.Kind_) & Host);
}

/// What a file does that the analysis is for.
class Relevance {
public:
  Relevance(Unit &U, const ResourceModel &Model) : U(U), Model(Model) {}

  bool touchesDevice(const Stmt &S) const;
  bool ownsTensors(const Stmt &S) const;

private:
  Unit &U;
  const ResourceModel &Model;
};

/// A function of another file that takes or gives back one of \p Families.
bool uses(const FunctionDecl &Callee, FamilySet Families, ResourcesElsewhere &Others) {
  const ResourceSummary *S = Others.resources(Callee);
  return S && (llvm::any_of(S->Takes, [&](const auto &T) { return only(T.What) & Families; }) ||
               llvm::any_of(S->Releases, [&](const auto &G) { return G.Accepts & Families; }));
}

bool Relevance::touchesDevice(const Stmt &S) const {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return isa_and_nonnull<CUDAKernelCallExpr>(Call) ||
         (Callee && (llvm::any_of(Model.effectsOf(*Callee), isOfDevice) ||
                     uses(*Callee, ~hostFamilies(), U.others())));
}

bool Relevance::ownsTensors(const Stmt &S) const {
  if (const auto *New = dyn_cast<CXXNewExpr>(&S))
    return mayOwnTensors(U.model().classify(New->getAllocatedType()));
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  auto E = Callee ? U.model().effectOf(*Callee) : std::nullopt;
  return (E && (E->What == Does::Release || E->What == Does::Blob)) ||
         (Callee && uses(*Callee, only(Family::Object) | only(Family::Reference), U.others()));
}

bool anyStmt(const CFG &Cfg, llvm::function_ref<bool(const Stmt &)> Is) {
  return llvm::any_of(Cfg, [&](const CFGBlock *Block) {
    return llvm::any_of(*Block, [&](const CFGElement &Element) {
      auto S = Element.getAs<CFGStmt>();
      return S && Is(*S->getStmt());
    });
  });
}

} // namespace

bool FunctionResources::givesArgument(Family What) const {
  return llvm::any_of(Released, [&](const HolderUse &Use) {
    const bool IsWhole = !Use.Site && Facts.Paths.last(Use.Path).What == Step::Root;
    const ValueDecl *V = IsWhole ? Facts.Paths.last(Use.Path).Decl : nullptr;
    return isa_and_nonnull<ParmVarDecl>(V) && V->getType()->isPointerType() &&
           (Use.Accepts & only(What));
  });
}

bool FunctionResources::letsGoOf(llvm::function_ref<bool(const HolderUse &)> Is) const {
  auto IsThere = [&](const HolderUse &Use) { return !Use.Site && Is(Use); };
  return llvm::any_of(Released, IsThere) || llvm::any_of(MaybeReleased, IsThere) ||
         llvm::any_of(HandedOn, IsThere);
}

bool FunctionResources::isSeenByOthers(PathId P) const {
  return llvm::any_of(SeenByOthers, [&](PathId Seen) { return Facts.Paths.isAtOrBelow(P, Seen); });
}

void ResourceUnit::addDeviceUser(const FunctionDecl &F) {
  DeviceUsers.insert(&F);
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&F))
    DeviceClasses.insert(Method->getParent()->getCanonicalDecl());
}

bool ResourceUnit::usesDevice(const CXXRecordDecl &Class) const {
  return DeviceClasses.count(Class.getCanonicalDecl()) ||
         llvm::any_of(Class.bases(), [&](const CXXBaseSpecifier &Base) {
           const CXXRecordDecl *B = Base.getType()->getAsCXXRecordDecl();
           return B && B->hasDefinition() && usesDevice(*B->getDefinition());
         });
}

const FunctionResources *ResourceUnit::calleeOf(const HolderUse &Use) const {
  const auto *Call = Use.ByCallee ? dyn_cast_or_null<CallExpr>(Use.At) : nullptr;
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee ? find(*Callee) : nullptr;
}

ResourceUnit::ResourceUnit(Unit &U) {
  Relevance What(U, Model);
  bool OwnsTensors = false;
  for (const FunctionUnit &F : U.functions()) {
    const CFG &Cfg = F.Facts->ownCfg();
    if (anyStmt(Cfg, [&](const Stmt &S) { return What.touchesDevice(S); }))
      addDeviceUser(*F.Facts->Function);
    OwnsTensors = OwnsTensors || anyStmt(Cfg, [&](const Stmt &S) { return What.ownsTensors(S); });
  }
  if (DeviceUsers.empty() && !OwnsTensors)
    return;
  std::vector<const FunctionDecl *> All;
  for (const FunctionUnit &F : U.functions())
    All.push_back(F.Facts->Function);
  ThrowingFunctions Throwing(All, Model);
  OwnershipFlags Flags(All, Model);
  CountMembers Counts(All);
  PureMethods Pure(All);
  ResourceGenerator Generator(U.context(), U.model(), Model, Summaries, U.others(), Throwing, Flags,
                              Counts);
  for (const FunctionUnit &F : U.functions()) {
    const FunctionDecl &Function = *F.Facts->Function;
    HasMain |= Function.isMain();
    auto Out = std::make_unique<FunctionResources>();
    Out->Facts = Generator.generate(Function, F.Facts->ownCfg());
    Out->Facts.Writes = &Writes;
    Out->HasErrors = F.HasErrors;
    FunctionAtHand Counted(Function);
    solveResources(*Out);
    // Without a summary it counts as a function that we do not see.
    if (Out->Converged) {
      Summaries[Function.getCanonicalDecl()] = Out->Summary;
      Pure.add(Function, Out->Summary, Summaries);
    }
    ByFunction.try_emplace(Function.getCanonicalDecl(), Out.get());
    Functions.push_back(std::move(Out));
  }
}

} // namespace tensorleak
