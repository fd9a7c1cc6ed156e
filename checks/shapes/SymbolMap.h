//===-- SymbolMap.h - From a callee's names to the caller's -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_SYMBOLMAP_H
#define TENSORLEAK_CHECKS_SHAPES_SYMBOLMAP_H

#include "checks/shapes/Shapes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensorleak {

/// \p T with every symbol replaced by what \p Replace gives for it; where that is
/// nothing, the dimension is unknown.
TensorType replaceSymbols(const TensorType &T, llvm::function_ref<Dim(const Symbol &)> Replace);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_SYMBOLMAP_H
