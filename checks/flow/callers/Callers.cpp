//===-- Callers.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/callers/Callers.h"

using namespace clang;

namespace tensorleak {

bool isInAllCallers(llvm::ArrayRef<FunctionUnit> All, const FunctionUnit &F) {
  unsigned Spliced = 0;
  for (const FunctionUnit &Caller : All)
    for (const Event &E : Caller.Facts->Events)
      Spliced += E.Kind == EventKind::UserCall && E.IsSpliced && E.In == NoId &&
                 E.Callee->getCanonicalDecl() == F.Facts->Function->getCanonicalDecl();
  return Spliced && Spliced == F.CallSites;
}

std::vector<CallInView> callsInView(llvm::ArrayRef<FunctionUnit> All, const FunctionDecl &F) {
  const FunctionDecl *Function = F.getCanonicalDecl();
  std::vector<CallInView> Out;
  for (const FunctionUnit &Caller : All)
    for (unsigned I = 0; I < Caller.Facts->Events.size(); ++I)
      if (const Event &E = Caller.Facts->Events[I];
          E.Kind == EventKind::UserCall && E.In == NoId && E.Callee->getCanonicalDecl() == Function)
        Out.push_back({Caller, I});
  return Out;
}

} // namespace tensorleak
