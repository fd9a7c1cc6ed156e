//===-- ResourceUnit.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/ResourceUnit.h"

#include "checks/analysis/Functions.h"
#include "checks/analysis/resources/ResourceGenerator.h"

using namespace clang;

namespace tensorleak {

static bool touchesDevice(const ResourceEffect &E) {
  constexpr FamilySet Host = only(Family::Heap) | only(Family::NewArray);
  return E.Kind_ == Family::Count ? (E.Accepts & ~Host) != 0 : !(only(E.Kind_) & Host);
}

/// A function of another file that takes or gives back.
static bool isDeviceUser(const FunctionDecl &Callee, Imports &Others) {
  const ResourceSummary *S = Others.resources(Callee);
  return S && (!S->Takes.empty() || !S->Releases.empty());
}

static bool callsDevice(const CFG &Cfg, const ResourceModel &Model, Imports &Others) {
  for (const CFGBlock *Block : Cfg)
    for (const CFGElement &Element : *Block) {
      auto S = Element.getAs<CFGStmt>();
      const auto *Call = S ? dyn_cast<CallExpr>(S->getStmt()) : nullptr;
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      if (isa_and_nonnull<CUDAKernelCallExpr>(Call) ||
          (Callee && (llvm::any_of(Model.effectsOf(*Callee), touchesDevice) ||
                      isDeviceUser(*Callee, Others))))
        return true;
    }
  return false;
}

/// A function with errors is looked at too, with less trust: what the compiler has
/// not understood is mostly a macro around the calls that matter here.
const CFG *ResourceUnit::cfgOf(const Unit &U, const FunctionDecl &F) {
  if (const FunctionUnit *Known = U.find(F))
    return Known->Facts->Cfg.get();
  auto Cfg = U.options().HasErrors(F) ? buildCfg(F, U.context()) : nullptr;
  if (!Cfg || Cfg->size() > U.options().MaxBlocks)
    return nullptr;
  OwnCfgs.push_back(std::move(Cfg));
  return OwnCfgs.back().get();
}

ResourceUnit::ResourceUnit(const Unit &U) {
  std::vector<std::pair<const FunctionDecl *, const CFG *>> All;
  for (const FunctionDecl *F : U.callOrder())
    if (const CFG *Cfg = cfgOf(U, *F)) {
      All.push_back({F, Cfg});
      if (callsDevice(*Cfg, Model, U.others()))
        DeviceUsers.insert(F);
    }
  if (DeviceUsers.empty())
    return;
  ResourceGenerator Generator(U.context(), Model, Summaries, U.others());
  for (const auto &[F, Cfg] : All) {
    HasMain |= F->isMain();
    auto Out = std::make_unique<FunctionResources>();
    Out->Facts = Generator.generate(*F, *Cfg);
    Out->HasErrors = U.options().HasErrors(*F);
    solveResources(*Out);
    // Without a summary it counts as a function that we do not see.
    if (Out->Converged)
      Summaries[F->getCanonicalDecl()] = Out->Summary;
    Functions.push_back(std::move(Out));
  }
}

} // namespace tensorleak
