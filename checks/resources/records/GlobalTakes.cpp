//===-- GlobalTakes.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/GlobalTakes.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorleak {

bool isTakenByEachCall(const FunctionResources &F, SiteId Site) {
  return !F.Facts.Function->isMain() && !F.Facts.Sites[Site].SomeWays &&
         llvm::any_of(F.Lost, [&](const LostResource &L) {
           return L.Site == Site && L.How == LostResource::Regrown && L.EachCall;
         });
}

bool isTakenAlways(const FunctionResources &F, SiteId Site) {
  auto IsIt = [&](const ResourceSummary::Taken &T) { return T.Site == Site && !T.Maybe; };
  return llvm::any_of(F.Summary.Takes, IsIt) &&
         llvm::none_of(F.Lost, [&](const LostResource &L) { return L.Site == Site && L.IsAsked; });
}

bool isNowhereGiven(const ResourceUnit &U, Family What) {
  return llvm::none_of(U.functions(), [&](const auto &F) {
    auto Gives = [&](const HolderUse &Use) {
      return Use.Site ? F->Facts.Sites[*Use.Site].What == What : (Use.Accepts & only(What)) != 0;
    };
    return F->givesArgument(What) || llvm::any_of(F->Released, Gives);
  });
}

} // namespace tensorleak
