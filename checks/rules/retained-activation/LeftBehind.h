//===-- LeftBehind.h - Elements that have been read, and stay --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `return queue[taken++];`, and no `queue.pop_front()`.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_LEFTBEHIND_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_LEFTBEHIND_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// The member by which alone elements of \p Queue are read, and that only ever grows: nobody comes
/// back to an element that it has passed. It is null where somebody may, or may take elements out,
/// and where \p Filler, which adds them, does not ask how many are left to read: that may fill a
/// list once, to be read afterwards.
const clang::FieldDecl *passedBy(Unit &U, const clang::FieldDecl &Queue,
                                 const FunctionFacts &Filler);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_LEFTBEHIND_H
