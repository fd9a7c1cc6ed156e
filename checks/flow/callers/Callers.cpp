//===-- Callers.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/callers/Callers.h"

using namespace clang;

namespace tensorleak {

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

bool isInAllCallers(llvm::ArrayRef<FunctionUnit> All, const FunctionUnit &F) {
  const unsigned Spliced =
      llvm::count_if(callsInView(All, *F.Facts->Function),
                     [](const CallInView &Call) { return Call.event().IsSpliced; });
  return Spliced && Spliced == F.CallSites;
}

} // namespace tensorleak
