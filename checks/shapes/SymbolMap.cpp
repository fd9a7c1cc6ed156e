//===-- SymbolMap.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/SymbolMap.h"

namespace tensorleak {

using Replacement = llvm::function_ref<Dim(const Symbol &)>;

static Dim replaced(const Dim &D, Replacement Replace) {
  if (!D || D->number())
    return D;
  Dim Out = SymbolicSize(D->numericFactor());
  for (const Symbol *S : D->factors()) {
    Dim With = Replace(*S);
    Out = Out && With ? product(*Out, *With) : std::nullopt;
  }
  for (const Symbol *S : D->divisors()) {
    Dim With = Replace(*S);
    Out = Out && With ? quotient(*Out, *With) : std::nullopt;
  }
  return Out ? quotient(*Out, D->numericDivisor()) : std::nullopt;
}

TensorType replaceSymbols(const TensorType &T, Replacement Replace) {
  if (!T.Dims)
    return T;
  TensorType Out;
  Out.Element = T.Element;
  if (!T.Dims->Parts.empty()) {
    std::vector<TensorType> Parts;
    for (const TensorType &Part : T.Dims->Parts)
      Parts.push_back(replaceSymbols(Part, Replace));
    return makeTuple(std::move(Parts));
  }
  DimList Dims;
  for (const Dim &D : T.Dims->Dims)
    Dims.push_back(replaced(D, Replace));
  Dim Lead = replaced(T.Dims->Lead, Replace);
  if (!T.Dims->Lead)
    Out.Dims = makeShape(std::move(Dims));
  else if (Lead)
    Out.Dims = makeShapeOf(*Lead, std::move(Dims));
  return Out;
}

} // namespace tensorleak
