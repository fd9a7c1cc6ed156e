//===-- Initializers.h - With what constructors begin members ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage source.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_MEMBERS_INITIALIZERS_H
#define TENSORLEAK_CHECKS_SOURCE_MEMBERS_INITIALIZERS_H

#include "clang/AST/DeclCXX.h"

namespace tensorleak {

/// With what the constructor begins \p Field, in its list or in the class; null where it has no
/// body here, or leaves that to the class of the member.
const clang::Expr *beginOf(const clang::CXXConstructorDecl &Constructor,
                           const clang::FieldDecl &Field);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_MEMBERS_INITIALIZERS_H
