//===-- ResourceBoxes.h - Which boxes are followed -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEBOXES_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEBOXES_H

#include "checks/model/boxes/Boxes.h"
#include "checks/resources/facts/ResourcePaths.h"

namespace tensorleak {

/// Nothing is freed when the parts of a box of type \p T end.
bool isFollowedBox(clang::QualType T);
/// As isFollowedBox; what a unique_ptr owns must have been made for it, and so have no other name.
bool isFollowed(const clang::Expr &Box);
/// A std::variant; what was not understood has no type.
bool isVariantType(clang::QualType T);
/// As boxAccess, also of a part of a variant.
std::optional<BoxAccess> partAccess(const clang::CallExpr &Call);
/// A std::optional: what is in it is in nothing else, and ends without being freed.
bool isOptional(clang::QualType T);
/// A record of the user's that is no more than its members.
bool freesNothing(clang::QualType T);
/// A pair or tuple of what frees nothing.
bool isPlainBox(clang::QualType T);
/// What a list can hold without freeing it. Handles such as a cufftHandle, a CUdeviceptr or a
/// texture object are integers; a list in a list frees nothing, either.
bool isPlain(clang::QualType T);
/// The `std::tie(a, b)` that \p Set assigns to; null for none.
const clang::CallExpr *tieSetBy(const clang::CXXOperatorCallExpr &Set);
/// `std::get<0>(pair)` is `pair.first`.
Step partStep(clang::QualType Box, unsigned Part);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_RESOURCEBOXES_H
