//===-- HostMembers.h - Members that stay on the host ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_HOSTMEMBERS_H
#define TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_HOSTMEMBERS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// The constructors of its class make \p Member on the host, and nothing changes it later: it is
/// the same tensor for as long as the object lives.
bool staysOnHost(Unit &U, const clang::FieldDecl &Member);

/// What it looks like where a constructor in view makes it; nothing where they differ.
TensorType madeAs(Unit &U, const clang::FieldDecl &Member);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_HOSTMEMBERS_H
