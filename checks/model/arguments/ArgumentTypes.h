//===-- ArgumentTypes.h - What an argument says of a result ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of LibTorch by which a call is given a dtype, options or an index.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_ARGUMENTTYPES_H
#define TENSORLEAK_CHECKS_MODEL_ARGUMENTTYPES_H

#include "clang/AST/Type.h"

namespace tensorleak {

enum class ArgumentType : uint8_t {
  Other,
  ScalarType,    ///< a dtype
  TensorOptions, ///< dtype, device and layout of a new tensor
  LayerOptions,  ///< what a layer is made with
  Nullopt,       ///< nothing, where something could be given
  Slice,         ///< a range of an index
  Ellipsis,      ///< of an index: all dimensions that it does not speak of
};

/// Of a value or a reference.
ArgumentType argumentType(clang::QualType T);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_ARGUMENTTYPES_H
