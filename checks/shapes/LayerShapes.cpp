//===-- LayerShapes.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/LayerShapes.h"

using llvm::StringRef;

namespace tensorleak {

//===-- Options -----------------------------------------------------------===//

static Dim defaultOf(const Layer &L, StringRef Name, unsigned Index) {
  for (const auto &[Option, Value] : L.Kind->Defaults) {
    int64_t Number;
    if (Option == Name)
      return Value.getAsInteger(10, Number) ? L.option(Value, Index) : Dim(Number);
  }
  return std::nullopt;
}

Dim Layer::option(StringRef Name, unsigned Index) const {
  auto It = Given.find(Name);
  if (It == Given.end())
    return defaultOf(*this, Name, Index);
  const DimList &Values = It->second;
  if (Values.size() == 1) // one for all
    return Values.front();
  return Index < Values.size() ? Values[Index] : std::nullopt;
}

static std::optional<int64_t> number(const Layer &L, StringRef Name, unsigned Index = 0) {
  Dim D = L.option(Name, Index);
  return D ? D->number() : std::nullopt;
}

static Dim times(const Dim &A, const Dim &B) { return A && B ? product(*A, *B) : std::nullopt; }

//===-- Windows -----------------------------------------------------------===//

/// The numbers that say where windows are, for one dimension.
struct Window {
  int64_t Kernel, Stride, Padding, Dilation;
  int64_t span() const { return Dilation * (Kernel - 1); }
};

static std::optional<Window> windowOf(const Layer &L, unsigned Index) {
  auto Kernel = number(L, "kernel_size", Index), Stride = number(L, "stride", Index),
       Padding = number(L, "padding", Index), Dilation = number(L, "dilation", Index);
  constexpr int64_t Largest = 1 << 20; // of what a window is made of
  for (const auto &Each : {Kernel, Stride, Padding, Dilation})
    if (!Each || *Each < 0 || *Each > Largest)
      return std::nullopt;
  if (*Stride == 0)
    return std::nullopt;
  return Window{*Kernel, *Stride, *Padding, *Dilation};
}

/// How many windows fit into \p In.
static Dim windowsIn(const Layer &L, unsigned Index, const Dim &In) {
  auto W = windowOf(L, Index);
  if (!W || !In || number(L, "ceil_mode").value_or(0))
    return std::nullopt;
  if (W->Stride == 1 && 2 * W->Padding == W->span())
    return In;
  auto N = In->number();
  int64_t Room = N ? *N + 2 * W->Padding - W->span() - 1 : -1;
  return Room < 0 ? Dim() : Dim(Room / W->Stride + 1);
}

/// The other way around: what so many windows cover.
static Dim covered(const Layer &L, unsigned Index, const Dim &In) {
  auto W = windowOf(L, Index);
  auto N = In ? In->number() : std::nullopt, More = number(L, "output_padding", Index);
  if (!W || !N || !More)
    return std::nullopt;
  int64_t Out = (*N - 1) * W->Stride - 2 * W->Padding + W->span() + *More + 1;
  return Out < 0 ? Dim() : Dim(Out);
}

//===-- One layer ---------------------------------------------------------===//

/// The dimensions of \p In; of a tensor of which only the name is known, those of a
/// batch.
DimList LayerShapes::batched(const TensorType &In, unsigned Spatial) const {
  if (!In.Dims || !In.Dims->Parts.empty())
    return {};
  if (In.Dims->hasRank())
    return In.Dims->Dims;
  DimList Out;
  if (!In.Dims->Dims.empty())
    return Out;
  for (unsigned I = 0; I < Spatial + 2; ++I)
    Out.push_back(Reader.dimension(In, I));
  return Out;
}

/// The last dimension becomes \p To; it was \p From.
TensorType LayerShapes::last(const TensorType &In, const Dim &From, const Dim &To) const {
  TensorType Out;
  if (!In.Dims || !In.Dims->Parts.empty())
    return Out;
  DimList Dims = In.Dims->Dims;
  if (!Dims.empty()) {
    Dims.back() = To;
    Out.Dims = In.Dims->Lead ? makeShapeOf(*In.Dims->Lead, Dims) : makeShape(Dims);
  } else if (In.Dims->Lead && From) {
    if (auto Rows = quotient(*In.Dims->Lead, *From))
      Out.Dims = makeShapeOf(*Rows, {To});
  }
  return Out;
}

TensorType LayerShapes::convolved(const Layer &L, const TensorType &In) const {
  unsigned Spatial = L.Kind->Spatial;
  DimList Dims = batched(In, Spatial);
  if (!Spatial || Dims.size() < Spatial + 1 || Dims.size() > Spatial + 2)
    return {};
  unsigned First = Dims.size() - Spatial;
  Dims[First - 1] = L.option("out_channels");
  for (unsigned I = 0; I < Spatial; ++I) {
    Dim &D = Dims[First + I];
    D = L.Kind->Rule == ShapeRule::Conv ? windowsIn(L, I, D) : covered(L, I, D);
  }
  return TensorType::of(std::move(Dims), In.Element);
}

TensorType LayerShapes::pooled(const Layer &L, const TensorType &In) const {
  unsigned Spatial = L.Kind->Spatial;
  DimList Dims = batched(In, Spatial);
  if (!Spatial || Dims.size() < Spatial)
    return {};
  unsigned First = Dims.size() - Spatial;
  for (unsigned I = 0; I < Spatial; ++I)
    Dims[First + I] = L.Kind->Rule == ShapeRule::AdaptivePool ? L.option("output_size", I)
                                                              : windowsIn(L, I, Dims[First + I]);
  return TensorType::of(std::move(Dims), In.Element);
}

TensorType LayerShapes::embedded(const Layer &L, const TensorType &In) const {
  TensorType Out;
  if (!In.Dims || !In.Dims->Parts.empty())
    return Out;
  DimList Dims = In.Dims->Dims;
  Dims.push_back(L.option("embedding_dim"));
  Out.Dims = In.Dims->Lead ? makeShapeOf(*In.Dims->Lead, Dims) : makeShape(Dims);
  return Out;
}

TensorType flatten(const TensorType &In, int64_t First, int64_t Last) {
  if (!In.Dims || !In.Dims->hasRank())
    return {};
  const DimList &Old = In.Dims->Dims;
  auto Begin = wrapDim(First, Old.size()), End = wrapDim(Last, Old.size());
  if (!Begin || !End || *Begin > *End)
    return {};
  DimList Dims(Old.begin(), Old.begin() + *Begin + 1);
  for (unsigned I = *Begin + 1; I <= *End; ++I)
    Dims.back() = times(Dims.back(), Old[I]);
  Dims.append(Old.begin() + *End + 1, Old.end());
  return TensorType::of(std::move(Dims), In.Element);
}

TensorType LayerShapes::flattened(const Layer &L, const TensorType &In) const {
  auto First = number(L, "start_dim"), Last = number(L, "end_dim");
  if (!First || !Last)
    return {};
  bool KeepsBatch = *First == 1 && *Last == -1 && In.Dims && !In.Dims->hasRank();
  Dim Batch = KeepsBatch ? Reader.dimension(In, 0) : std::nullopt;
  if (!Batch || !In.Dims->elements())
    return flatten(In, *First, *Last);
  return TensorType::of({Batch, quotient(*In.Dims->elements(), *Batch)}, In.Element);
}

/// The output of all steps, and the state of each layer and direction after the last.
TensorType LayerShapes::recurrent(const Layer &L, const TensorType &In) const {
  bool IsPair = L.Kind->Rule == ShapeRule::RecurrentPair;
  auto BatchFirst = number(L, "batch_first"), Both = number(L, "bidirectional");
  bool IsProjected = IsPair && number(L, "proj_size") != 0;
  if (!BatchFirst || !Both || IsProjected)
    return {};
  Dim Hidden = L.option("hidden_size");
  SymbolicSize Directions = *Both ? 2 : 1;
  TensorType Steps = last(In, L.option("input_size"), times(Directions, Hidden));
  TensorType State;
  if (In.Dims && (!In.Dims->hasRank() || In.Dims->Dims.size() == 3))
    State = TensorType::of({times(Directions, L.option("num_layers")),
                            Reader.dimension(In, *BatchFirst ? 0 : 1), Hidden},
                           Dtype());
  Steps.Element = State.Element = In.Element;
  return makeTuple({Steps, IsPair ? makeTuple({State, State}) : State});
}

TensorType LayerShapes::throughAll(const Layer &L, TensorType In) const {
  for (const Layer &Each : L.Modules)
    In = output(Each, In);
  return In;
}

/// Layers that show their input's elements anew, or leave their shape as it is.
TensorType LayerShapes::withoutParameters(const Layer &L, const TensorType &In) const {
  switch (L.Kind->Rule) {
  case ShapeRule::Same:
    return In;
  case ShapeRule::Pool:
  case ShapeRule::AdaptivePool:
    return pooled(L, In);
  case ShapeRule::Flatten:
    return flattened(L, In);
  case ShapeRule::Attention:
    return makeTuple({In, TensorType()});
  default: // Sequence
    return throughAll(L, In);
  }
}

TensorType LayerShapes::withParameters(const Layer &L, const TensorType &In) const {
  switch (L.Kind->Rule) {
  case ShapeRule::Linear:
    return last(In, L.option("in_features"), L.option("out_features"));
  case ShapeRule::Conv:
  case ShapeRule::ConvTranspose:
    return convolved(L, In);
  case ShapeRule::Embedding:
    return embedded(L, In);
  case ShapeRule::Cell:
  case ShapeRule::CellPair:
    return last(In, L.option("input_size"), L.option("hidden_size"));
  case ShapeRule::Reduce: // a loss; options could say not to reduce
    return L.Given.empty() ? TensorType::of({}, Dtype()) : TensorType();
  default:
    return {};
  }
}

/// What the parameters are that the input meets.
Dtype LayerShapes::parameterDtype(const Layer &L, const TensorType &In) const {
  bool FromIndices = L.Kind->Rule == ShapeRule::Embedding;
  if (In.Element.isFloating() && !FromIndices)
    return In.Element;
  bool IsDefault = KnowsDtype && (FromIndices || In.Element == Dtype());
  return {IsDefault ? Dtype::Float : Dtype::Unknown};
}

TensorType LayerShapes::output(const Layer &L, const TensorType &Given) const {
  if (!L.Kind)
    return {};
  TensorType In = Given;
  switch (L.Kind->Rule) {
  case ShapeRule::Same:
  case ShapeRule::Pool:
  case ShapeRule::AdaptivePool:
  case ShapeRule::Flatten:
  case ShapeRule::Attention:
  case ShapeRule::Sequence:
    return withoutParameters(L, In);
  default:
    break;
  }
  In.Element = parameterDtype(L, In);
  if (L.Kind->Rule == ShapeRule::Recurrent || L.Kind->Rule == ShapeRule::RecurrentPair)
    return recurrent(L, In);
  TensorType Out = withParameters(L, In);
  Out.Element = In.Element;
  return L.Kind->Rule == ShapeRule::CellPair ? makeTuple({Out, Out}) : Out;
}

} // namespace tensorleak
