//===-- Takes.h - How a function fills what outlives it -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage resources. What one call leaves in a member or a global variable, the next one finds
// there.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_TAKES_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_TAKES_H

#include "checks/resources/records/RecordUses.h"

namespace tensorleak {

/// The function puts a new one there in each call, and asks for no old one.
bool isTakenByEachCall(const FunctionResources &F, SiteId Site);

/// Whenever nothing fails, and no test asks whether it is there already.
bool isTakenAlways(const FunctionResources &F, SiteId Site);

/// What \p Use puts there is one of \p Taken, the resources that its function takes.
bool isTakenAt(llvm::ArrayRef<HolderUse> Taken, const HolderUse &Use);

/// No function of the file gives back anything of the kind, in whatever variable.
bool isNowhereGiven(const ResourceUnit &U, Family What);

/// The member of the method's own object that \p Holder is, or an element of; or null.
const clang::FieldDecl *ownMember(const ResourceFacts &Facts, PathId Holder);

/// Whether a constructor of its class fills the member that \p Holder names in the method \p F.
bool isFilledByConstructor(const ResourceUnit &U, const FunctionResources &F, PathId Holder);

/// Whether every object holds something in the member that the method \p F fills,
/// already when \p F begins: a constructor has put it there, and not through \p F.
bool isTakenByConstructor(const ResourceUnit &U, const FunctionResources &F, const LostResource &L);
/// Whether no constructor of the class leaves it to others to put something there.
bool isTakenByEachConstructor(const ResourceUnit &U, const FunctionResources &F,
                              const LostResource &L);

/// \p F gives back, or hands to somebody, what \p Key holds when it begins.
bool letsGoOf(const FunctionResources &F, const RecordKey &Key);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_TAKES_H
