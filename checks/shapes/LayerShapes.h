//===-- LayerShapes.h - What a layer makes of its input --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output shapes by the layer's rule (Effects.h) and options, for layers of
// torch::nn and for the functions that do the same.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_LAYERSHAPES_H
#define TENSORLEAK_CHECKS_SHAPES_LAYERSHAPES_H

#include "checks/model/LayerModel.h"
#include "checks/shapes/SizeReader.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tensorleak {

/// A layer with the options it was made with.
struct Layer {
  const LayerKind *Kind = nullptr; ///< null: nothing is known
  /// What was given; an entry of no dimensions where its value is not known.
  llvm::StringMap<DimList> Given;
  std::vector<Layer> Modules; ///< ShapeRule::Sequence

  /// The value of an option for spatial dimension \p Index, given or by default.
  Dim option(llvm::StringRef Name, unsigned Index = 0) const;
};

class LayerShapes {
public:
  /// \p KnowsDtype: layers without a word on it hold 32-bit floats.
  explicit LayerShapes(SizeReader &Reader, bool KnowsDtype = true)
      : Reader(Reader), KnowsDtype(KnowsDtype) {}
  /// What \p L makes of its first input.
  TensorType output(const Layer &L, const TensorType &In) const;

private:
  DimList batched(const TensorType &In, unsigned Spatial) const;
  TensorType last(const TensorType &In, const Dim &From, const Dim &To) const;
  TensorType convolved(const Layer &L, const TensorType &In) const;
  TensorType pooled(const Layer &L, const TensorType &In) const;
  TensorType embedded(const Layer &L, const TensorType &In) const;
  TensorType flattened(const Layer &L, const TensorType &In) const;
  TensorType recurrent(const Layer &L, const TensorType &In) const;
  TensorType withParameters(const Layer &L, const TensorType &In) const;
  TensorType withoutParameters(const Layer &L, const TensorType &In) const;
  Dtype parameterDtype(const Layer &L, const TensorType &In) const;
  TensorType throughAll(const Layer &L, TensorType In) const;

  SizeReader &Reader;
  bool KnowsDtype;
};

/// Dimensions \p First to \p Last of \p In become one.
TensorType flatten(const TensorType &In, int64_t First, int64_t Last);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_LAYERSHAPES_H
