//===-- EntryState.h - What holds when a function begins --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_STATE_ENTRYSTATE_H
#define TENSORLEAK_CHECKS_FLOW_STATE_ENTRYSTATE_H

#include "checks/flow/state/StateAtPoint.h"
#include "llvm/ADT/BitVector.h"

namespace tensorleak {

/// The member that \p P is of the object itself, or of one that a parameter refers or points to;
/// null for others.
const clang::FieldDecl *memberOfGiven(const FunctionFacts &Facts, PlaceId P);

struct EntrySources {
  TypeInference &Types;
  const llvm::BitVector &Leaves;    ///< the places that begin as leaves
  const MemberTypes *Members;       ///< null where they are not asked for
  llvm::ArrayRef<TensorType> Given; ///< what the parameters look like, as far as it is known
};

/// Parameters, members and globals hold what others have put there.
statepoint::State entryState(const FunctionFacts &Facts, Mode Entry, const EntrySources &Sources);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_STATE_ENTRYSTATE_H
