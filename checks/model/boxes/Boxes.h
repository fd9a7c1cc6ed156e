//===-- Boxes.h - Objects of the C++ library that have others in them ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optional, a unique_ptr, a pair or a tuple is a box: what it holds lives and ends with it,
// and has no other name than the one by way of the box. So what holds for a variable holds for
// what stands in a box.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_BOXES_H
#define TENSORLEAK_CHECKS_MODEL_BOXES_H

#include "clang/AST/ExprCXX.h"
#include <optional>

namespace tensorleak {

enum class BoxKind : uint8_t {
  None,
  One,   ///< std::optional, std::unique_ptr with the deleter of the library
  Parts, ///< std::pair, std::tuple
};

BoxKind boxKind(clang::QualType T);
/// The types of what a box of type \p T holds, in order.
llvm::SmallVector<clang::QualType, 4> partsOf(clang::QualType T);

/// `std::nullopt`, c10::nullopt.
bool isNullOpt(const clang::Expr &Value);

/// A call that names a part of a box.
struct BoxAccess {
  const clang::Expr *Box = nullptr;
  unsigned Part = 0;
  bool GivesPointer = false; ///< `box->` and `box.get()`, not the part itself
};
/// `*box`, `box->`, `box.value()`, `std::get<0>(box)` and the like; nothing for other calls.
std::optional<BoxAccess> boxAccess(const clang::CallExpr &Call);
/// `std::get<T>(v)`, `std::get_if<T>(&v)` and `std::holds_alternative<T>(v)` of a std::variant, by
/// its type or its number; nothing for other calls. The last of them only asks, and yields a bool.
std::optional<BoxAccess> alternativeNamedBy(const clang::CallExpr &Call);
/// What \p E names by way of boxes: `box` in `**box`; \p E itself where it names none.
const clang::Expr *outermostBox(const clang::Expr *E);

/// `std::make_shared<T>(...)`, `std::make_pair(a, b)` and the like.
bool isMaker(const clang::Expr &E);
/// Those that make a box: not `std::make_shared<T>(...)`.
bool isBoxMaker(const clang::Expr &E);
/// The class of which `std::make_shared<T>(...)` and the like make an object for a pointer; null
/// where that is no class, or not in view.
const clang::CXXRecordDecl *classMadeBy(const clang::CallExpr &Maker);
/// What the parts of the new box \p E are made of, in order: `std::make_pair(a, b)` or
/// `std::optional<T>(a)`. Nothing where \p E makes no box, or from something else.
std::optional<llvm::ArrayRef<const clang::Expr *>> partsOfNewBox(const clang::Expr &E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_BOXES_H
