//===-- OpShapes.h - What an op makes of its operands' shapes --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape and dtype of the result of a call, by its rule in Shapes.def.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_OPSHAPES_H
#define TENSORLEAK_CHECKS_SHAPES_OPSHAPES_H

#include "checks/shapes/Layers.h"

namespace tensorleak {

/// The element type that all operands have; unknown where they differ.
Dtype commonDtype(llvm::ArrayRef<TensorType> Inputs);

class OpShapes {
public:
  OpShapes(SizeReader &Reader, Layers &Known) : Reader(Reader), Known(Known) {}

  /// Of the op \p E with operands \p Inputs, self first. \p Parts: of a list of
  /// tensors to be joined, each one; empty where they are not known one by one.
  TensorType result(const Effect &E, llvm::ArrayRef<TensorType> Inputs,
                    llvm::ArrayRef<TensorType> Parts, const clang::CallExpr &Call);

private:
  using Tensors = llvm::ArrayRef<TensorType>;
  /// The argument for the parameter \p Name; null where it is not given.
  const clang::Expr *given(llvm::StringRef Name) const;
  bool hasParameter(llvm::StringRef Name) const;
  std::optional<int64_t> numberGiven(llvm::StringRef Name, std::optional<int64_t> Default);
  unsigned tensorArguments() const;

  TensorType shapeOf(const Effect &E, Tensors Inputs, Tensors Parts);
  Dtype dtypeOf(const Effect &E, Tensors Inputs);
  Dtype dtypeOfFactory(Tensors Inputs);
  TensorType elementwise(Tensors Inputs);
  TensorType created();
  TensorType written(const clang::Expr &Data);
  Dim countUpTo(const clang::Expr &End);
  TensorType product(Tensors Inputs);
  TensorType reduced(Tensors Inputs);
  TensorType joined(Tensors Parts);
  TensorType stacked(Tensors Parts);
  TensorType view(ShapeRule Rule, const TensorType &Self);
  TensorType reshaped(const TensorType &Self);
  TensorType permuted(const TensorType &Self);
  TensorType transposed(const TensorType &Self);
  TensorType expanded(const TensorType &Self);
  TensorType repeated(const TensorType &Self);
  TensorType withDim(ShapeRule Rule, const TensorType &Self);
  TensorType indexed(const TensorType &Self);
  Dim cut(const clang::Expr *First, const clang::Expr *End, const Dim &Whole);
  Dim sliced(const clang::Expr &Slice, const Dim &Whole);
  TensorType likeLayer(const Effect &E, Tensors Inputs);

  SizeReader &Reader;
  Layers &Known;
  const clang::CallExpr *Call = nullptr;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_OPSHAPES_H
