//===-- ResourceUnit.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/ResourceUnit.h"

#include "checks/analysis/resources/ResourceGenerator.h"

using namespace clang;

namespace tensorleak {

static bool touchesDevice(const ResourceEffect &E) {
  constexpr FamilySet Host = only(Family::Heap) | only(Family::NewArray);
  if (E.What == ResourceEffect::Fill)
    return true;
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

ResourceUnit::ResourceUnit(const Unit &U) {
  for (const FunctionUnit &F : U.functions())
    if (callsDevice(*F.Facts->Cfg, Model, U.others()))
      DeviceUsers.insert(F.Facts->Function);
  if (DeviceUsers.empty())
    return;
  ResourceGenerator Generator(U.context(), Model, Summaries, U.others());
  for (const FunctionUnit &F : U.functions()) {
    const FunctionDecl &Function = *F.Facts->Function;
    HasMain |= Function.isMain();
    auto Out = std::make_unique<FunctionResources>();
    Out->Facts = Generator.generate(Function, *F.Facts->Cfg);
    Out->HasErrors = F.HasErrors;
    solveResources(*Out);
    // Without a summary it counts as a function that we do not see.
    if (Out->Converged)
      Summaries[Function.getCanonicalDecl()] = Out->Summary;
    Functions.push_back(std::move(Out));
  }
}

} // namespace tensorleak
