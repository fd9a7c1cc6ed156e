//===-- OpShapes.cpp - Results that are new tensors -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/OpShapes.h"

#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Arguments ---------------------------------------------------------===//

const Expr *OpShapes::given(StringRef Name) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || isa<CXXOperatorCallExpr>(Call))
    return nullptr;
  for (unsigned I = 0; I < Callee->getNumParams() && I < Call->getNumArgs(); ++I)
    if (Callee->getParamDecl(I)->getName() == Name)
      return isa<CXXDefaultArgExpr>(Call->getArg(I)) ? nullptr : Call->getArg(I);
  return nullptr;
}

bool OpShapes::hasParameter(StringRef Name) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && llvm::any_of(Callee->parameters(),
                                [&](const ParmVarDecl *P) { return P->getName() == Name; });
}

/// \p Default where it is not given; nothing where it is no known number.
std::optional<int64_t> OpShapes::numberGiven(StringRef Name, std::optional<int64_t> Default) {
  const Expr *Arg = given(Name);
  return Arg ? Reader.number(Arg) : Default;
}

unsigned OpShapes::tensorArguments() const {
  ApiModel &Model = Reader.model();
  unsigned N = llvm::count_if(Call->arguments(), [&](const Expr *Arg) {
    return !isa<CXXDefaultArgExpr>(Arg) && Model.isTensor(strip(Arg)->getType());
  });
  return N + isa<CXXMemberCallExpr>(Call);
}

//===-- Shapes ------------------------------------------------------------===//

TensorType OpShapes::created() {
  TensorType Out;
  for (StringRef Size : {"size", "sizes"})
    if (auto Dims = Reader.sizes(given(Size)))
      Out.Dims = makeShape(std::move(*Dims));
  for (StringRef Count : {"steps", "n", "window_length"})
    if (const Expr *N = given(Count))
      Out.Dims = makeShape({Reader.size(N)});
  if (const Expr *End = given("end"); End && !given("steps"))
    Out.Dims = makeShape({countUpTo(*End)});
  if (const Expr *Data = given("tensor_data_container"))
    return written(*Data);
  return given("s") ? TensorType::of({}, Dtype()) : Out;
}

/// How many entries arange() makes.
Dim OpShapes::countUpTo(const Expr &End) {
  const Expr *Start = given("start");
  if (given("step") || !Reader.size(&End))
    return std::nullopt;
  auto First = numberGiven("start", 0), Last = Reader.number(&End);
  if (!Start || First == 0)
    return Reader.size(&End);
  return First && Last && *Last >= *First ? Dim(*Last - *First) : std::nullopt;
}

/// `{{1, 2}, {3, 4}}`, or one number. What else tensor() takes has its size at run time.
TensorType OpShapes::written(const Expr &Data) {
  DimList Dims;
  const Expr *Entry = &Data;
  for (const InitListExpr *List = bracesIn(Entry); List; List = bracesIn(Entry)) {
    Dims.push_back(SymbolicSize(int64_t(List->getNumInits())));
    if (!List->getNumInits())
      return TensorType::of(std::move(Dims), Dtype());
    Entry = List->getInit(0);
  }
  bool IsNumber = unwrap(Entry)->getType()->isArithmeticType();
  return IsNumber ? TensorType::of(std::move(Dims), Dtype()) : TensorType();
}

TensorType OpShapes::elementwise(Tensors Inputs) {
  if (Inputs.size() < tensorArguments())
    return {};
  TensorType Out = Inputs.front();
  for (const TensorType &In : Inputs.drop_front())
    Out.Dims = broadcast(Out.Dims, In.Dims);
  return Out;
}

/// Matrices, or batches of them; a matrix and a vector.
TensorType OpShapes::product(Tensors Inputs) {
  if (Inputs.size() != 2)
    return {};
  const ShapeRef &A = Inputs[0].Dims, &B = Inputs[1].Dims;
  if (!A || !B || !A->hasRank() || !B->hasRank() || A->Dims.size() < 2 || B->Dims.empty())
    return {};
  size_t RankA = A->Dims.size(), RankB = B->Dims.size();
  const Dim &Inner = RankB == 1 ? B->Dims[0] : B->Dims[RankB - 2];
  auto Left = A->Dims.back() ? A->Dims.back()->number() : std::nullopt,
       Right = Inner ? Inner->number() : std::nullopt;
  if (Left && Right && *Left != *Right)
    return {};
  DimList Out(A->Dims.begin(), A->Dims.end() - 1);
  if (RankB > 2) {
    auto Batch = broadcast(makeShape(DimList(A->Dims.begin(), A->Dims.end() - 2)),
                           makeShape(DimList(B->Dims.begin(), B->Dims.end() - 2)));
    if (!Batch)
      return {};
    Out = Batch->Dims;
    Out.push_back(A->Dims[RankA - 2]);
  }
  if (RankB >= 2)
    Out.push_back(B->Dims.back());
  TensorType T;
  T.Dims = makeShape(std::move(Out));
  return T;
}

/// The numbers of \p Dims, from the front, each within \p Rank.
static std::optional<llvm::SmallVector<unsigned, 4>> indices(const std::optional<DimList> &Dims,
                                                             size_t Rank) {
  llvm::SmallVector<unsigned, 4> Out;
  if (!Dims)
    return std::nullopt;
  for (const Dim &D : *Dims) {
    auto Number = D ? D->number() : std::nullopt;
    auto At = Number ? wrapDim(*Number, Rank) : std::nullopt;
    if (!At)
      return std::nullopt;
    Out.push_back(*At);
  }
  return Out;
}

TensorType OpShapes::reduced(Tensors Inputs) {
  TensorType Out;
  const Expr *Which = given("dim");
  if (hasParameter("other")) // max(a, b)
    return elementwise(Inputs);
  bool SaysHow = given("reduction") || given("options"); // a loss may stay as large as it is
  if (!Which && !SaysHow) {
    Out.Dims = makeShape({});
    return Out;
  }
  auto Keeps = numberGiven("keepdim", 0);
  const ShapeRef &Self = Inputs.front().Dims;
  if (!Which || !Keeps || !Self || !Self->hasRank())
    return Out;
  auto Removed = indices(Reader.sizes(Which), Self->Dims.size());
  if (!Removed)
    return Out;
  DimList Dims;
  for (unsigned I = 0; I < Self->Dims.size(); ++I)
    if (!llvm::is_contained(*Removed, I))
      Dims.push_back(Self->Dims[I]);
    else if (*Keeps)
      Dims.push_back(SymbolicSize(1));
  Out.Dims = makeShape(std::move(Dims));
  bool IsPair = !Reader.model().isTensor(Call->getType()); // the values and their indices
  return IsPair ? makeTuple({TensorType{Out.Dims, Inputs.front().Element},
                             TensorType{Out.Dims, {Dtype::Long}}})
                : Out;
}

static Dim sum(const Dim &A, const Dim &B) {
  auto L = A ? A->number() : std::nullopt, R = B ? B->number() : std::nullopt;
  return L && R ? Dim(*L + *R) : std::nullopt;
}

TensorType OpShapes::joined(Tensors Parts) {
  auto Which = numberGiven("dim", 0);
  if (Parts.empty() || !Which)
    return {};
  const ShapeRef &First = Parts.front().Dims;
  auto At = First && First->hasRank() ? wrapDim(*Which, First->Dims.size()) : std::nullopt;
  if (!At)
    return {};
  DimList Out = First->Dims;
  for (const TensorType &Part : Parts.drop_front()) {
    if (!Part.Dims || !Part.Dims->hasRank() || Part.Dims->Dims.size() != Out.size())
      return {};
    Out[*At] = sum(Out[*At], Part.Dims->Dims[*At]);
  }
  return TensorType::of(std::move(Out), commonDtype(Parts));
}

TensorType OpShapes::stacked(Tensors Parts) {
  auto Which = numberGiven("dim", 0);
  if (Parts.empty() || !Which || !Parts.front().Dims || !Parts.front().Dims->hasRank())
    return {};
  DimList Out = Parts.front().Dims->Dims;
  auto At = wrapDim(*Which, Out.size() + 1);
  if (!At)
    return {};
  Out.insert(Out.begin() + *At, SymbolicSize(int64_t(Parts.size())));
  return TensorType::of(std::move(Out), commonDtype(Parts));
}

//===-- Functions that do what a layer does ---------------------------------===//

/// What a layer's options would say, from the weight: the output's channels first.
static bool readWeight(Layer &L, ShapeRule Rule, llvm::ArrayRef<TensorType> Inputs) {
  bool IsKnown = Inputs.size() > 1 && Inputs[1].Dims && Inputs[1].Dims->hasRank() &&
                 Inputs[1].Dims->Dims.size() >= 2;
  if (!IsKnown)
    return false;
  const DimList &Weight = Inputs[1].Dims->Dims;
  bool IsLinear = Rule == ShapeRule::Linear;
  L.Given[IsLinear ? "out_features" : "out_channels"] = {Weight[0]};
  L.Given[IsLinear ? "in_features" : "in_channels"] = {Weight[1]};
  L.Given["kernel_size"] = DimList(Weight.begin() + 2, Weight.end());
  return true;
}

/// The options of a functional form: in an object, or argument by argument.
TensorType OpShapes::likeLayer(const Effect &E, Tensors Inputs) {
  const LayerKind *Like = layerKindLike(E.Shape);
  if (!Like || Inputs.empty())
    return {};
  LayerKind Kind = *Like;
  Kind.Spatial = spatialDimensions(E.Name);
  Layer L;
  L.Kind = &Kind;
  if (const Expr *Options = given("options"))
    L = Known.readOptions(Kind, *Options, Reader);
  else
    for (const ParmVarDecl *P : Call->getDirectCallee()->parameters())
      if (const Expr *Arg = given(P->getName()); Arg && Kind.hasOption(P->getName()))
        L.Given[P->getName()] = Reader.sizes(Arg).value_or(DimList());
  bool HasWeight = E.Shape == ShapeRule::Linear || E.Shape == ShapeRule::Conv;
  if (HasWeight && !readWeight(L, E.Shape, Inputs))
    return {};
  return LayerShapes(Reader, /*KnowsDtype=*/false).output(L, Inputs.front());
}

TensorType OpShapes::shapeOf(const Effect &E, Tensors Inputs, Tensors Parts) {
  switch (E.Shape) {
  case ShapeRule::Factory:
  case ShapeRule::Range:
    return created();
  case ShapeRule::Concat:
    return joined(Parts);
  case ShapeRule::Stack:
    return stacked(Parts);
  case ShapeRule::Unknown:
    return {};
  default:
    break;
  }
  if (Inputs.empty())
    return {};
  switch (E.Shape) {
  case ShapeRule::Same:
    return Inputs.front();
  case ShapeRule::Broadcast:
    return elementwise(Inputs);
  case ShapeRule::MatMul:
    return product(Inputs);
  case ShapeRule::Reduce:
    return reduced(Inputs);
  case ShapeRule::Linear:
  case ShapeRule::Conv:
  case ShapeRule::Pool:
  case ShapeRule::AdaptivePool:
    return likeLayer(E, Inputs);
  default:
    return view(E.Shape, Inputs.front());
  }
}

TensorType OpShapes::result(const Effect &E, Tensors Inputs, Tensors Parts, const CallExpr &At) {
  Call = &At;
  TensorType Out = shapeOf(E, Inputs, Parts);
  bool IsTuple = Out.Dims && !Out.Dims->Parts.empty();
  bool HasOwn = E.Shape == ShapeRule::Concat || E.Shape == ShapeRule::Stack;
  if (!IsTuple && !HasOwn)
    Out.Element = dtypeOf(E, Inputs);
  return Out;
}

} // namespace tensorleak
