//===-- Types.h - What a type says of who may change an object ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SOURCE_TYPES_H
#define TENSORLEAK_CHECKS_SOURCE_TYPES_H

#include "clang/AST/Type.h"

namespace tensorleak {

/// Whether a function can change the caller's object through a parameter of type \p Param.
inline bool mayWriteThrough(clang::QualType Param) {
  return (Param->isReferenceType() || Param->isPointerType()) &&
         !Param->getPointeeType().isConstQualified();
}

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SOURCE_TYPES_H
