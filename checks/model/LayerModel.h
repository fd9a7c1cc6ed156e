//===-- LayerModel.h - The layers of torch::nn and their options -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes.def, looked up by class.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_LAYERMODEL_H
#define TENSORLEAK_CHECKS_MODEL_LAYERMODEL_H

#include "checks/model/Effects.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorleak {

/// What a layer's class says of its output.
struct LayerKind {
  ShapeRule Rule = ShapeRule::Unknown;
  unsigned Spatial = 0;                             ///< dimensions that its windows move in
  llvm::SmallVector<llvm::StringRef, 4> Positional; ///< options in the constructor's order
  /// Options with the value they have when not given: a number, or another option's name.
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>, 6> Defaults;
  bool hasOption(llvm::StringRef Name) const;
};

/// Of a class of torch::nn by its name without Impl; null for what is not modelled.
const LayerKind *layerKind(llvm::StringRef Class);
/// Of an op that does the same as some layer, with the same options.
const LayerKind *layerKindLike(ShapeRule Rule);
/// The 2 in conv2d; 0 for names without.
unsigned spatialDimensions(llvm::StringRef Name);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_LAYERMODEL_H
