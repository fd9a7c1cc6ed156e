//===-- MemberTypes.h - What the tensors in members look like --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage state. A method begins with whatever the methods before it have left in
// the members. Where the file shows all that is ever stored in a member, and all
// of it looks alike, so does what a method finds there: by induction over the
// calls, as a store may itself be computed from what the member held.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_STATE_MEMBERTYPES_H
#define TENSORLEAK_CHECKS_FLOW_STATE_MEMBERTYPES_H

#include "checks/flow/state/TensorState.h"

namespace tensorleak {

struct FunctionUnit;

/// What the search needs of the file.
struct MemberTypeSources {
  /// The member holds a tensor, and the file sees all that can happen to it.
  std::function<bool(const clang::FieldDecl &)> IsSeenWhole;
  /// The state of a function where the members look like that when it begins.
  std::function<StateResult(const FunctionUnit &, const MemberTypes &)> StateWith;
};

/// The dtype of each member of which it is known whenever a method of its object begins, with the
/// dimensions that are numbers and the same then.
MemberTypes findMemberTypes(llvm::ArrayRef<FunctionUnit> Functions,
                            const MemberTypeSources &Sources);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_STATE_MEMBERTYPES_H
