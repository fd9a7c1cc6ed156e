//===-- PureMethods.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/PureMethods.h"

#include "checks/source/UserCode.h"

using namespace clang;

namespace tensorleak {

/// It tells of nothing that callers could see.
static bool isQuiet(const ResourceSummary &S) {
  return S.Takes.empty() && S.Releases.empty() && S.Stores.empty() && S.Rotates.empty() &&
         S.Escapes.empty() && S.Doubts.empty() && S.TreesEscape.empty() &&
         S.ReturnsParams.empty() && !S.ReleasesAll && S.Views.empty() && S.Accepts.empty() &&
         S.Returns.empty() && S.MovesOut.empty() && S.ReturnsAddresses.empty();
}

/// Gives \p Do the pure methods of the file's own classes that \p Method overrides, at any
/// distance.
static void forEachPure(const CXXMethodDecl &Method,
                        llvm::function_ref<void(const CXXMethodDecl &)> Do) {
  for (const CXXMethodDecl *Base : Method.overridden_methods()) {
    if (Base->isPureVirtual() && isInMainFile(*Base))
      Do(*Base->getCanonicalDecl());
    forEachPure(*Base, Do);
  }
}

PureMethods::PureMethods(llvm::ArrayRef<const FunctionDecl *> All) {
  for (const FunctionDecl *F : All)
    if (const auto *Method = dyn_cast<CXXMethodDecl>(F))
      forEachPure(*Method, [&](const CXXMethodDecl &Base) { ++Pure[&Base].Count; });
}

void PureMethods::add(const FunctionDecl &F, const ResourceSummary &S,
                      ResourceSummaries &Summaries) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!Method)
    return;
  forEachPure(*Method, [&](const CXXMethodDecl &Base) {
    Overriders &Each = Pure[&Base];
    Each.AreQuiet &= isQuiet(S);
    if (++Each.Seen == Each.Count && (Each.AreQuiet || Each.Count == 1))
      Summaries[&Base] = S;
  });
}

} // namespace tensorleak
