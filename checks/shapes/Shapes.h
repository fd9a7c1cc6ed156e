//===-- Shapes.h - What a tensor looks like, as far as the source says -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes whose dimensions are numbers, symbols or unknown, and dtypes. How ops
// and layers change them is in OpShapes.h and LayerShapes.h.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_SHAPES_H
#define TENSORLEAK_CHECKS_SHAPES_SHAPES_H

#include "checks/shapes/SymbolicSize.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <vector>

namespace tensorleak {

/// c10::ScalarType by its own numbers; Unknown where no option fixed it.
struct Dtype {
  int Code = Unknown;
  static constexpr int Unknown = -1;
  static constexpr int Long = 4;
  static constexpr int Float = 6;
  static constexpr int Bool = 11;
  bool isFloating() const;
  /// Bytes of an element; 0 when unknown.
  unsigned size() const;
  friend bool operator==(Dtype A, Dtype B) { return A.Code == B.Code; }
};

using Dim = std::optional<SymbolicSize>; ///< nothing: a dimension of unknown size
using DimList = llvm::SmallVector<Dim, 4>;
struct Shape;
/// Shapes are shared and never changed: the dataflow copies them at every step.
using ShapeRef = llvm::IntrusiveRefCntPtr<const Shape>;

struct TensorType {
  ShapeRef Dims = nullptr; ///< null: nothing is known
  Dtype Element;

  std::optional<SymbolicSize> elements() const;
  /// Bytes of the whole tensor, where shape and dtype are numbers.
  std::optional<int64_t> bytes() const;
  /// The bytes that it has where every dimension whose size is a variable has one element, as
  /// none is empty: `{n, 4096}` has as many as `{1, 4096}` or more.
  std::optional<int64_t> leastBytes() const;
  /// The same as a formula, "2048 * batch"; empty where it is a number or unknown.
  std::string bytesFormula() const;
  /// All dimensions are numbers.
  bool hasFixedShape() const;
  /// Of a tuple, its element \p Index; of anything else, itself.
  TensorType part(int Index) const;
  static TensorType of(DimList Dims, Dtype Element);
};

struct Shape : llvm::RefCountedBase<Shape> {
  DimList Dims;
  /// The elements of further dimensions in front, of which there are any number.
  std::optional<SymbolicSize> Lead;
  /// Of a tuple of tensors: what each of them looks like.
  std::vector<TensorType> Parts;

  /// The number of dimensions is known.
  bool hasRank() const { return !Lead && Parts.empty(); }
  std::optional<SymbolicSize> elements() const;
  friend bool operator==(const Shape &A, const Shape &B);
};

bool operator==(const TensorType &A, const TensorType &B);
/// Whether the shapes are the same, as far as they are known.
bool sameShape(const TensorType &A, const TensorType &B);

ShapeRef makeShape(DimList Dims);
/// Of a tensor of which only the name is known: \p Elements is its `numel()`.
ShapeRef makeShapeOf(const SymbolicSize &Elements, DimList Trailing = {});
TensorType makeTuple(std::vector<TensorType> Parts);

/// The shape of an elementwise result; null where it cannot be told, or there is none.
ShapeRef broadcast(const ShapeRef &A, const ShapeRef &B);

/// \p Into becomes what holds for both.
void joinType(TensorType &Into, const TensorType &From);

/// \p Index counted from the end where it is negative; nothing when out of range.
std::optional<unsigned> wrapDim(int64_t Index, size_t Rank);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_SHAPES_H
