//===-- RefilledMembers.h - Members that a function fills anew -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A function shows by itself that it is called again for the same object: it
// gives back what other members hold before it fills them, or goes round a ring of elements.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_REFILLEDMEMBERS_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_REFILLEDMEMBERS_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct RefilledMember {
  enum Reason : uint8_t {
    BesideOthers, ///< Shown gives back what another member held, which is filled beside it
    InRing,       ///< Shown turns the position back to where it was
    UnderKey,     ///< callers say which element it is, as at Shown, and may name one twice
    KeyIsTaken,   ///< the same, and Shown, an `emplace`, leaves the one that is there
    WhereFound,   ///< Shown finds the element in the container, with one of its own
  } Why;
  const FunctionResources *In;
  SiteId Site;
  const clang::ValueDecl *Member; ///< or a variable that outlives functions
  const clang::Stmt *Shown;
  bool Sure; ///< nobody else got what the member held
};

/// \p F gives back what \p P held when it began, or others may have it or do it.
bool isLetGo(const FunctionResources &F, PathId P);
/// The same, by uses that \p Counts, or as a part of an object that others have.
bool isLetGoBy(const FunctionResources &F, PathId P,
               llvm::function_ref<bool(const HolderUse &)> Counts);

/// In the order of the code.
std::vector<RefilledMember> findRefilledMembers(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_REFILLEDMEMBERS_H
