//===-- LeafPlaces.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/leaves/LeafPlaces.h"

using namespace clang;

namespace tensorleak {

llvm::BitVector leafPlaces(const FunctionFacts &Facts, LeafMembers &Known) {
  llvm::BitVector Leaves(Facts.Places.size());
  for (PlaceId P = 0; P < Facts.Places.size(); ++P) {
    const auto *Member = dyn_cast_or_null<FieldDecl>(Facts.Places[P].Decl);
    if (Facts.Places[P].isField() && Member && Known.isLeaf(*Member))
      Leaves.set(P);
  }
  if (Leaves.none())
    return Leaves;
  llvm::BitVector Kept = Leaves;
  for (const Event &E : Facts.Events)
    for (PlaceId P : Leaves.set_bits())
      if (E.Kind == EventKind::Unknown && Facts.isIn(P, E.Place))
        Kept.reset(P);
  return Kept;
}

} // namespace tensorleak
