//===-- ViewShapes.cpp - Results that show another tensor's elements --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/OpShapes.h"

#include "checks/model/arguments/ArgumentTypes.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static bool isMinusOne(const Dim &D) { return D && D->number() == -1; }

static bool isNegative(const Dim &D) { return D && D->number().value_or(0) < 0; }

/// `view({n, -1})`: what is left for -1.
TensorType OpShapes::reshaped(const TensorType &Self) {
  const Expr *Size = given("size");
  auto Dims = Reader.sizes(Size ? Size : given("shape"));
  if (!Dims || llvm::count_if(*Dims, isNegative) > 1)
    return {};
  auto Rest = llvm::find_if(*Dims, isMinusOne);
  if (Rest != Dims->end()) {
    *Rest = SymbolicSize(1);
    auto All = Self.elements(), Others = makeShape(*Dims)->elements();
    *Rest = All && Others ? quotient(*All, *Others) : std::nullopt;
  }
  return llvm::any_of(*Dims, isNegative) ? TensorType() : TensorType::of(*Dims, Self.Element);
}

TensorType OpShapes::transposed(const TensorType &Self) {
  DimList Dims = Self.Dims->Dims;
  bool Named = hasParameter("dim0") || hasParameter("axis0");
  if (Dims.size() < 2)
    return {};
  int64_t First = -2, Second = -1;
  if (Named) {
    auto A = numberGiven(hasParameter("dim0") ? "dim0" : "axis0", std::nullopt),
         B = numberGiven(hasParameter("dim1") ? "dim1" : "axis1", std::nullopt);
    if (!A || !B)
      return {};
    First = *A, Second = *B;
  }
  auto A = wrapDim(First, Dims.size()), B = wrapDim(Second, Dims.size());
  if (!A || !B)
    return {};
  std::swap(Dims[*A], Dims[*B]);
  return TensorType::of(std::move(Dims), Self.Element);
}

TensorType OpShapes::permuted(const TensorType &Self) {
  auto Order = Reader.sizes(given("dims"));
  const DimList &Old = Self.Dims->Dims;
  if (!Order || Order->size() != Old.size())
    return {};
  DimList Dims;
  for (const Dim &D : *Order) {
    auto Number = D ? D->number() : std::nullopt;
    auto At = Number ? wrapDim(*Number, Old.size()) : std::nullopt;
    if (!At)
      return {};
    Dims.push_back(Old[*At]);
  }
  return TensorType::of(std::move(Dims), Self.Element);
}

/// The storage stays the base's; this is what the view shows.
TensorType OpShapes::expanded(const TensorType &Self) {
  auto Dims = Reader.sizes(given("size"));
  const DimList &Old = Self.Dims->Dims;
  if (!Dims || Dims->size() < Old.size())
    return {};
  size_t Shift = Dims->size() - Old.size();
  for (size_t I = 0; I < Old.size(); ++I)
    if (isMinusOne((*Dims)[I + Shift]))
      (*Dims)[I + Shift] = Old[I];
  return llvm::any_of(*Dims, isNegative) ? TensorType() : TensorType::of(*Dims, Self.Element);
}

TensorType OpShapes::repeated(const TensorType &Self) {
  auto Times = Reader.sizes(given("repeats"));
  const DimList &Old = Self.Dims->Dims;
  if (!Times || Times->size() < Old.size())
    return {};
  size_t Shift = Times->size() - Old.size();
  for (size_t I = 0; I < Old.size(); ++I) {
    Dim &D = (*Times)[I + Shift];
    D = D && Old[I] ? tensorleak::product(*D, *Old[I]) : std::nullopt;
  }
  return TensorType::of(*Times, Self.Element);
}

/// Views that change one dimension.
TensorType OpShapes::withDim(ShapeRule Rule, const TensorType &Self) {
  DimList Dims = Self.Dims->Dims;
  bool IsFirst = Rule == ShapeRule::Slice || (Rule == ShapeRule::Select && !hasParameter("dim"));
  auto Which = numberGiven("dim", IsFirst ? std::optional<int64_t>(0) : std::nullopt);
  auto At = Which ? wrapDim(*Which, Dims.size() + (Rule == ShapeRule::Unsqueeze)) : std::nullopt;
  if (!At)
    return {};
  switch (Rule) {
  case ShapeRule::Unsqueeze:
    Dims.insert(Dims.begin() + *At, SymbolicSize(1));
    break;
  case ShapeRule::Select:
    Dims.erase(Dims.begin() + *At);
    break;
  case ShapeRule::Squeeze:
    if (!Dims[*At] || !Dims[*At]->number())
      return {}; // it goes only if it is 1
    if (Dims[*At]->number() == 1)
      Dims.erase(Dims.begin() + *At);
    break;
  case ShapeRule::Slice:
    Dims[*At] = given("step") ? std::nullopt : cut(given("start"), given("end"), Dims[*At]);
    break;
  default: // Narrow
    Dims[*At] = Reader.size(given("length"));
  }
  return TensorType::of(std::move(Dims), Self.Element);
}

/// What a TensorIndex is made of.
static const Expr *indexIn(const Expr *Entry) {
  const auto *Made = dyn_cast<CXXConstructExpr>(strip(Entry));
  return Made && Made->getNumArgs() ? strip(Made->getArg(0)) : nullptr;
}

static bool isA(ArgumentType Type, const Expr &E) { return argumentType(E.getType()) == Type; }

/// \p E is an argument that says something: not left out, and no nullopt.
static bool isGiven(const Expr *E) {
  return E && !isa<CXXDefaultArgExpr>(E) && !isA(ArgumentType::Nullopt, *unwrap(E));
}

/// A variable and what is added to it: `y - 4`; the variable is null for other expressions.
static std::pair<const VarDecl *, int64_t> offsetFrom(const Expr *E, SizeReader &Reader) {
  E = unwrap(E)->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return {dyn_cast<VarDecl>(Ref->getDecl()), 0};
  const auto *Sum = dyn_cast<BinaryOperator>(E);
  auto By = Sum && Sum->isAdditiveOp() ? Reader.number(Sum->getRHS()) : std::nullopt;
  if (!By)
    return {};
  auto [Variable, Off] = offsetFrom(Sum->getLHS(), Reader);
  return {Variable, Off + (Sum->getOpcode() == BO_Sub ? -*By : *By)};
}

/// `y - 4` up to `y + 5`: so many as lie between them, or fewer where the whole ends before.
static std::optional<int64_t> lengthBetween(const Expr *First, const Expr *End,
                                            SizeReader &Reader) {
  auto [Begin, From] = offsetFrom(First, Reader);
  auto [Behind, To] = offsetFrom(End, Reader);
  return Begin && Begin == Behind && To > From ? std::optional(To - From) : std::nullopt;
}

/// From \p First up to \p End, of which either may be left out; the length is known where they
/// count from the beginning.
Dim OpShapes::cut(const Expr *First, const Expr *End, const Dim &Whole) {
  if (!isGiven(First) && !isGiven(End))
    return Whole;
  if (auto Length =
          isGiven(First) && isGiven(End) ? lengthBetween(First, End, Reader) : std::nullopt)
    return SymbolicSize(*Length);
  Dim Begin = isGiven(First) ? Reader.size(First) : Dim(SymbolicSize(0));
  Dim Behind = isGiven(End) ? Reader.size(End) : Whole;
  auto All = Whole ? Whole->number() : std::nullopt, From = Begin ? Begin->number() : std::nullopt,
       To = Behind ? Behind->number() : std::nullopt;
  if (!All || !From || !To || *From < 0 || *To < 0)
    return std::nullopt;
  return SymbolicSize(std::max<int64_t>(0, std::min(*To, *All) - *From));
}

/// The `Slice` of an index, which has no step.
Dim OpShapes::sliced(const Expr &Slice, const Dim &Whole) {
  const auto *Made = dyn_cast<CXXConstructExpr>(&Slice);
  bool IsWhole = Made && Made->getNumArgs() == 3 && !isGiven(Made->getArg(2));
  return IsWhole ? cut(Made->getArg(0), Made->getArg(1), Whole) : std::nullopt;
}

/// `Ellipsis` or `"..."`: all dimensions that the index does not speak of.
static bool isEllipsis(const Expr &Index) {
  return isA(ArgumentType::Ellipsis, Index) || isa<StringLiteral>(Index.IgnoreParenImpCasts());
}

static bool isNumber(const Expr &Index) {
  return Index.getType()->isIntegerType() && !Index.getType()->isBooleanType();
}

/// How many dimensions \p Entries speak of, one by one.
static size_t dimsNamed(llvm::ArrayRef<Expr *> Entries) {
  return llvm::count_if(Entries, [](const Expr *Entry) {
    const Expr *Index = indexIn(Entry);
    return Index && (isNumber(*Index) || isA(ArgumentType::Slice, *Index));
  });
}

/// `x.index({0, Slice(1, 3), None})`, `x.index({Ellipsis, Slice(1, 3)})`.
TensorType OpShapes::indexed(const TensorType &Self) {
  const Expr *List = given("indices");
  const InitListExpr *Braces = List ? bracesIn(List) : nullptr;
  const DimList &Old = Self.Dims->Dims;
  DimList Dims;
  size_t Next = 0;
  llvm::ArrayRef<Expr *> Left = Braces ? Braces->inits() : llvm::ArrayRef<Expr *>();
  for (; !Left.empty(); Left = Left.drop_front()) {
    const Expr *Index = indexIn(Left.front());
    if (Index && isA(ArgumentType::Nullopt, *Index)) {
      Dims.push_back(SymbolicSize(1));
    } else if (Index && isEllipsis(*Index)) {
      for (const size_t Until = Old.size() - std::min(Old.size(), dimsNamed(Left)); Next < Until;)
        Dims.push_back(Old[Next++]);
    } else if (Index && Next < Old.size() && isA(ArgumentType::Slice, *Index)) {
      Dims.push_back(sliced(*Index, Old[Next++]));
    } else if (!Index || Next++ >= Old.size() || !isNumber(*Index)) {
      return {};
    }
  }
  Dims.append(Old.begin() + Next, Old.end());
  return Braces ? TensorType::of(std::move(Dims), Self.Element) : TensorType();
}

/// `x[i]` with a number; with anything else it may be of any shape.
static bool selectsOne(const CallExpr &Call) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
  if (!Op)
    return true;
  return Op->getNumArgs() == 2 && unwrap(Op->getArg(1))->getType()->isIntegralOrEnumerationType();
}

TensorType OpShapes::view(ShapeRule Rule, const TensorType &Self) {
  if (Rule == ShapeRule::Reshape)
    return reshaped(Self);
  if (!Self.Dims || !Self.Dims->Parts.empty())
    return {};
  if (Rule == ShapeRule::Flatten) {
    auto First = numberGiven("start_dim", 0), Last = numberGiven("end_dim", -1);
    if (!First || !Last)
      return {};
    if (*First == 0 && *Last == -1 && Self.elements())
      return TensorType::of({Self.elements()}, Self.Element);
    return flatten(Self, *First, *Last);
  }
  if (!Self.Dims->hasRank())
    return {};
  switch (Rule) {
  case ShapeRule::Transpose:
    return transposed(Self);
  case ShapeRule::Permute:
    return permuted(Self);
  case ShapeRule::Expand:
    return expanded(Self);
  case ShapeRule::Repeat:
    return repeated(Self);
  case ShapeRule::Index:
    return indexed(Self);
  case ShapeRule::Select:
    return selectsOne(*Call) ? withDim(Rule, Self) : TensorType();
  case ShapeRule::Unsqueeze:
  case ShapeRule::Squeeze:
  case ShapeRule::Narrow:
  case ShapeRule::Slice:
    return withDim(Rule, Self);
  default:
    return {};
  }
}

} // namespace tensorleak
