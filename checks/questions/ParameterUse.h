//===-- ParameterUse.h - Who may handle the gradients of a module ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module whose parameters go to no optimizer, and whose gradients nobody reads or
// resets, gathers gradients for nothing. Parameters that are only read or overwritten, as
// a target network's are by those of the network it follows, do not count.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_PARAMETERUSE_H
#define TENSORLEAK_CHECKS_QUESTIONS_PARAMETERUSE_H

#include "checks/questions/ModuleNames.h"

namespace tensorleak {

/// Somebody may step the parameters of \p Module, a variable or a member, or look at
/// their gradients: an optimizer, code that we do not see, another name of the module.
bool mayUseGradients(Unit &U, const clang::ValueDecl &Module);
/// By one of \p Names, all that a module has.
bool mayUseGradients(Unit &U, const ModuleNameSet &Names);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_PARAMETERUSE_H
