//===-- NewObjects.h - What only makes an object ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage flow. A reset() that only constructors call lets go of nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_CALLERS_NEWOBJECTS_H
#define TENSORLEAK_CHECKS_FLOW_CALLERS_NEWOBJECTS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// Whether \p F is a constructor, or a method that is only called for constructors, by themselves
/// or by other such methods: those of this file, or, where other files are known to use the class,
/// all.
bool isForNewObjects(const Unit &U, const FunctionUnit &F);

/// Whether something that the file does to an object that is in use empties, resets or detaches
/// its member \p D; or to the variable \p D.
bool isShedInUse(const Unit &U, const clang::ValueDecl &D);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_CALLERS_NEWOBJECTS_H
