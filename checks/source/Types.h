//===-- Types.h - What a type says of an object ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_TYPES_H
#define TENSORLEAK_CHECKS_SOURCE_TYPES_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"

namespace tensorleak {

/// The class that \p T is, as far as it is defined; null for others. \p T may be null.
inline const clang::CXXRecordDecl *definitionOf(clang::QualType T) {
  const clang::CXXRecordDecl *Class = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() ? Class->getDefinition() : nullptr;
}

/// Whether a function can change the caller's object through a parameter of type \p Param.
inline bool mayWriteThrough(clang::QualType Param) {
  return (Param->isReferenceType() || Param->isPointerType()) &&
         !Param->getPointeeType().isConstQualified();
}

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_TYPES_H
