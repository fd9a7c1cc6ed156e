//===-- ParameterGroups.h - What leaves an optimizer again ------*- C++ -*-===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINEDACTIVATION_PARAMETERGROUPS_H
#define TENSORLEAK_CHECKS_RULES_RETAINEDACTIVATION_PARAMETERGROUPS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// A function of the file takes parameter groups out of \p Optimizer, a variable or member:
/// `optimizer.param_groups().pop_back();`. Null for none.
bool losesGroups(Unit &U, const clang::ValueDecl *Optimizer);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINEDACTIVATION_PARAMETERGROUPS_H
