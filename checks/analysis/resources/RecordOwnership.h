//===-- RecordOwnership.h - Members and globals across the file -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A resource in a member outlives the function that takes it.
// Here all functions of the file are looked at together: which members are ever
// filled, which are ever given back, and by which destructor or free function.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RECORDOWNERSHIP_H
#define TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RECORDOWNERSHIP_H

#include "checks/analysis/resources/ResourceUnit.h"

namespace tensorleak {

/// A member, or a global: who owns it, and the way from there.
struct RecordKey {
  const clang::NamedDecl *Owner = nullptr; ///< the record, or the global variable
  llvm::SmallVector<const clang::ValueDecl *, 2> Chain; ///< empty for a plain global
  bool operator<(const RecordKey &O) const {
    return std::tie(Owner, Chain) < std::tie(O.Owner, O.Chain);
  }
};

struct ForgottenResource {
  enum WhyKind : uint8_t {
    FreeFunction, ///< Where gives back other members, not this one
    NoDestructor, ///< a class whose methods take it and never give it back
    Global,       ///< a global that nothing gives back
  } Why;
  RecordKey Key;
  const FunctionResources *In; ///< the function that takes it
  SiteId Site;
  PathId Holder;
  const clang::FunctionDecl *Where = nullptr;
  std::vector<RecordKey> Siblings; ///< what Where does give back
  bool Sure = false;
};

/// Whether every object holds something in the member that the method \p F fills,
/// already when \p F begins: a constructor has put it there, and not through \p F.
bool isTakenByConstructor(const ResourceUnit &U, const FunctionResources &F, const LostResource &L);

/// In the order of the code.
std::vector<ForgottenResource> findForgotten(const ResourceUnit &U);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RECORDOWNERSHIP_H
