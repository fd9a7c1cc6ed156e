//===-- ResourceUnit.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/resources/ResourceUnit.h"

#include "checks/analysis/resources/ResourceGenerator.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace tensorleak {

/// Runs on the device only: its memory is another matter.
static bool isDeviceCode(const FunctionDecl &F) {
  return F.hasAttr<CUDAGlobalAttr>() || (F.hasAttr<CUDADeviceAttr>() && !F.hasAttr<CUDAHostAttr>());
}

static bool touchesDevice(const ResourceEffect &E) {
  constexpr FamilySet Host = only(Family::Heap) | only(Family::NewArray);
  return E.Kind_ == Family::Count ? (E.Accepts & ~Host) != 0 : !(only(E.Kind_) & Host);
}

static bool callsDevice(const CFG &Cfg, const ResourceModel &Model) {
  for (const CFGBlock *Block : Cfg)
    for (const CFGElement &Element : *Block) {
      auto S = Element.getAs<CFGStmt>();
      const auto *Call = S ? dyn_cast<CallExpr>(S->getStmt()) : nullptr;
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      if (isa_and_nonnull<CUDAKernelCallExpr>(Call) ||
          (Callee && llvm::any_of(Model.effectsOf(*Callee), touchesDevice)))
        return true;
    }
  return false;
}

void ResourceUnit::findDeviceUsers(const Unit &U) {
  for (const FunctionUnit &F : U.functions())
    if (!isDeviceCode(*F.Facts->Function) && callsDevice(*F.Facts->Cfg, Model))
      DeviceUsers.insert(F.Facts->Function);
}

ResourceUnit::ResourceUnit(const Unit &U) {
  findDeviceUsers(U);
  if (DeviceUsers.empty())
    return;
  ResourceGenerator Generator(U.context(), Model, Summaries);
  for (const FunctionUnit &F : U.functions()) {
    const FunctionDecl &Function = *F.Facts->Function;
    if (isDeviceCode(Function))
      continue;
    HasMain |= Function.isMain();
    auto Out = std::make_unique<FunctionResources>();
    Out->Facts = Generator.generate(Function, *F.Facts->Cfg);
    solveResources(*Out);
    // Without a summary it counts as a function that we do not see.
    if (Out->Converged)
      Summaries[Function.getCanonicalDecl()] = Out->Summary;
    Functions.push_back(std::move(Out));
  }
}

} // namespace tensorleak
