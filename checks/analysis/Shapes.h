//===-- Shapes.h - Sizes that the source fixes ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and dtypes from creation calls and constants, carried through ops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_SHAPES_H
#define TENSORLEAK_CHECKS_ANALYSIS_SHAPES_H

#include "checks/analysis/Facts.h"
#include <optional>

namespace tensorleak {

/// A shape whose every dimension is known, or nothing.
struct Shape {
  llvm::SmallVector<int64_t, 4> Dims;
  int64_t elements() const;
  friend bool operator==(const Shape &A, const Shape &B) { return A.Dims == B.Dims; }
};

/// c10::ScalarType by its own numbers; Unknown where no option fixed it.
struct Dtype {
  int Code = Unknown;
  static constexpr int Unknown = -1;
  static constexpr int Float = 6;
  bool isFloating() const;
  /// Bytes of an element; 0 when unknown.
  unsigned size() const;
  friend bool operator==(Dtype A, Dtype B) { return A.Code == B.Code; }
};

/// What a tensor looks like, as far as the source says.
struct TensorType {
  std::optional<Shape> Dims;
  Dtype Element;
  /// Bytes of the whole tensor, if shape and dtype are known.
  std::optional<int64_t> bytes() const;
};

/// The constant value of an integer expression; a local variable that is
/// initialized with a constant and never changed counts as one.
std::optional<int64_t> constantInt(const clang::Expr *E, const clang::FunctionDecl &In);

/// Of a factory call (Does::Create), with the default dtype Float.
TensorType typeOfFactory(const clang::CallExpr &Call, const Effect &E,
                         const clang::FunctionDecl &In, const TensorType *Self);

/// The result of an op with the given operand types; \p Call gives further arguments.
TensorType typeOfResult(const Effect &E, llvm::ArrayRef<TensorType> Inputs,
                        const clang::CallExpr *Call, const clang::FunctionDecl &In);

std::optional<Shape> broadcast(const Shape &A, const Shape &B);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_SHAPES_H
