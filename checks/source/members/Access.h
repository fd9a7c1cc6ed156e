//===-- Access.h - Who can name a member ------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_MEMBERS_ACCESS_H
#define TENSORLEAK_CHECKS_SOURCE_MEMBERS_ACCESS_H

#include "clang/AST/DeclCXX.h"

namespace tensorleak {

/// What keeps code outside from naming \p Field: itself, if it is not public, or the innermost
/// class that it stands in and that another class does not show. Null where nothing does.
inline const clang::Decl *hiddenPartAround(const clang::FieldDecl &Field) {
  const clang::Decl *Part = &Field;
  while (Part && Part->getAccess() == clang::AS_public)
    Part = clang::dyn_cast<clang::CXXRecordDecl>(Part->getDeclContext());
  return Part && Part->getAccess() != clang::AS_none ? Part : nullptr;
}

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_MEMBERS_ACCESS_H
