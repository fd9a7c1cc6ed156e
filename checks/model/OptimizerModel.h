//===-- OptimizerModel.h - How much an optimizer keeps ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_OPTIMIZERMODEL_H
#define TENSORLEAK_CHECKS_MODEL_OPTIMIZERMODEL_H

#include "clang/AST/Type.h"

namespace tensorleak {

/// The state of the optimizer class \p T once it has stepped, at least, as a multiple of
/// its parameters' bytes; 0 where it keeps none or is not known.
unsigned stateOfOptimizer(clang::QualType T);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_OPTIMIZERMODEL_H
