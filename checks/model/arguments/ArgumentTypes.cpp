//===-- ArgumentTypes.cpp - What an argument says of a result --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/arguments/ArgumentTypes.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tensorleak {

ArgumentType argumentType(QualType T) {
  T = T.getNonReferenceType();
  if (const auto *Enum = T->getAs<EnumType>())
    return Enum->getDecl()->getName() == "ScalarType" ? ArgumentType::ScalarType
                                                      : ArgumentType::Other;
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!R || !R->getIdentifier())
    return ArgumentType::Other;
  return llvm::StringSwitch<ArgumentType>(R->getName())
      .Case("TensorOptions", ArgumentType::TensorOptions)
      .Case("nullopt_t", ArgumentType::Nullopt)
      .Case("Slice", ArgumentType::Slice)
      .Case("EllipsisIndexType", ArgumentType::Ellipsis)
      .EndsWith("Options", ArgumentType::LayerOptions)
      .Default(ArgumentType::Other);
}

} // namespace tensorleak
