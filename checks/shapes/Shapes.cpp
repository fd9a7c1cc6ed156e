//===-- Shapes.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/Shapes.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorleak {

unsigned Dtype::size() const {
  // c10/core/ScalarType.h: Byte, Char, Short, Int, Long, Half, Float, Double,
  // ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16.
  static constexpr unsigned Sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2};
  return Code >= 0 && Code < 16 ? Sizes[Code] : 0;
}

bool Dtype::isFloating() const { return (Code >= 5 && Code <= 10) || Code == 15; }

//===-- Sizes -------------------------------------------------------------===//

std::optional<SymbolicSize> Shape::elements() const {
  if (!Parts.empty())
    return std::nullopt;
  std::optional<SymbolicSize> N = Lead ? *Lead : SymbolicSize(1);
  for (const Dim &D : Dims)
    N = N && D ? product(*N, *D) : std::nullopt;
  return N;
}

std::optional<SymbolicSize> TensorType::elements() const {
  return Dims ? Dims->elements() : std::nullopt;
}

static std::optional<SymbolicSize> bytesOf(const TensorType &T) {
  auto Count = T.elements();
  return Count && T.Element.size() ? product(*Count, T.Element.size()) : std::nullopt;
}

std::optional<int64_t> TensorType::bytes() const {
  auto Size = bytesOf(*this);
  return Size ? Size->number() : std::nullopt;
}

std::optional<int64_t> TensorType::leastBytes() const {
  auto Size = bytesOf(*this);
  return Size && Size->divisors().empty() ? std::optional(Size->numericFactor()) : std::nullopt;
}

std::string TensorType::bytesFormula() const {
  auto Size = bytesOf(*this);
  return Size && !Size->number() ? Size->str() : std::string();
}

bool TensorType::hasFixedShape() const {
  auto Count = elements();
  return Count && Count->number();
}

//===-- Making and comparing ----------------------------------------------===//

ShapeRef makeShape(DimList Dims) {
  auto *S = new Shape;
  S->Dims = std::move(Dims);
  return S;
}

ShapeRef makeShapeOf(const SymbolicSize &Elements, DimList Trailing) {
  auto *S = new Shape;
  S->Lead = Elements;
  S->Dims = std::move(Trailing);
  return S;
}

TensorType makeTuple(std::vector<TensorType> Parts) {
  auto *S = new Shape;
  S->Parts = std::move(Parts);
  TensorType T;
  T.Dims = S;
  return T;
}

TensorType TensorType::of(DimList Dims, Dtype Element) {
  TensorType T;
  T.Dims = makeShape(std::move(Dims));
  T.Element = Element;
  return T;
}

TensorType TensorType::part(int Index) const {
  if (!Dims || Dims->Parts.empty() || Index < 0)
    return *this;
  return unsigned(Index) < Dims->Parts.size() ? Dims->Parts[Index] : TensorType();
}

bool operator==(const Shape &A, const Shape &B) {
  return A.Dims == B.Dims && A.Lead == B.Lead && A.Parts == B.Parts;
}

bool sameShape(const TensorType &A, const TensorType &B) {
  return A.Dims == B.Dims || (A.Dims && B.Dims && *A.Dims == *B.Dims);
}

bool operator==(const TensorType &A, const TensorType &B) {
  return A.Element == B.Element && sameShape(A, B);
}

std::optional<unsigned> wrapDim(int64_t Index, size_t Rank) {
  int64_t At = Index < 0 ? Index + int64_t(Rank) : Index;
  if (At < 0 || At >= int64_t(Rank))
    return std::nullopt;
  return unsigned(At);
}

//===-- Two shapes to one -------------------------------------------------===//

static std::optional<int64_t> numberOf(const Dim &D) { return D ? D->number() : std::nullopt; }

/// The dimension of an elementwise result; sets \p Fails where there can be none.
static Dim broadcastDim(const Dim &A, const Dim &B, bool &Fails) {
  auto NumberA = numberOf(A), NumberB = numberOf(B);
  if (NumberA == 1)
    return B;
  if (NumberB == 1)
    return A;
  Fails |= NumberA && NumberB && *NumberA != *NumberB;
  if (NumberA || NumberB) // the other one is equal, or 1
    return NumberA ? A : B;
  return A == B ? A : std::nullopt;
}

/// Whether \p Part, aligned at the end, adds nothing to the shape \p Whole.
static bool fitsInto(const Shape &Part, const Shape &Whole) {
  if (!Part.hasRank() || Part.Dims.size() > Whole.Dims.size())
    return false;
  size_t Shift = Whole.Dims.size() - Part.Dims.size();
  for (size_t I = 0; I < Part.Dims.size(); ++I) {
    const Dim &D = Part.Dims[I], &W = Whole.Dims[I + Shift];
    if (!D || !(D->number() == 1 || (W && *D == *W)))
      return false;
  }
  return true;
}

ShapeRef broadcast(const ShapeRef &A, const ShapeRef &B) {
  if (!A || !B || !A->Parts.empty() || !B->Parts.empty())
    return nullptr;
  if (A == B || *A == *B)
    return A;
  if (fitsInto(*B, *A))
    return A;
  if (fitsInto(*A, *B))
    return B;
  if (!A->hasRank() || !B->hasRank())
    return nullptr;
  const Shape &Long = A->Dims.size() >= B->Dims.size() ? *A : *B;
  const Shape &Short = &Long == A.get() ? *B : *A;
  DimList Out = Long.Dims;
  size_t Shift = Long.Dims.size() - Short.Dims.size();
  bool Fails = false;
  for (size_t I = 0; I < Short.Dims.size(); ++I)
    Out[I + Shift] = broadcastDim(Out[I + Shift], Short.Dims[I], Fails);
  return Fails ? nullptr : makeShape(std::move(Out));
}

static ShapeRef joinShapes(const ShapeRef &A, const ShapeRef &B) {
  if (!A || !B || !A->hasRank() || !B->hasRank() || A->Dims.size() != B->Dims.size())
    return nullptr;
  DimList Out = A->Dims;
  for (size_t I = 0; I < Out.size(); ++I)
    if (!(Out[I] == B->Dims[I]))
      Out[I].reset();
  return makeShape(std::move(Out));
}

void joinType(TensorType &Into, const TensorType &From) {
  if (!sameShape(Into, From))
    Into.Dims = joinShapes(Into.Dims, From.Dims);
  if (!(Into.Element == From.Element))
    Into.Element = Dtype();
}

} // namespace tensorleak
