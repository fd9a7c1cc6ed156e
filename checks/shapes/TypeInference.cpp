//===-- TypeInference.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/TypeInference.h"

#include "checks/shapes/SymbolMap.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

TypeInference::TypeInference(const FunctionFacts &Facts, ASTContext &Context, ApiModel &Model,
                             TypeSources Sources, Now Current)
    : Facts(Facts), Model(Model), Sources(Sources), Current(std::move(Current)),
      Reader(Context, Model, Facts.Function, [this](const Expr &E) { return typeOf(E); }),
      Ops(Reader, Sources.Known) {
  Reader.setConstructed(
      [Known = &Sources.Known](const ValueDecl &D) { return Known->givenFor(D); });
  for (const Splice &S : Facts.Splices)
    Reader.addBody(*S.Body, S.Operands);
  for (ValueId V = 0; V < Facts.Values.size(); ++V)
    if (Facts.Values[V].E)
      ValueOf.try_emplace(Facts.Values[V].E, V);
}

//===-- Tensors that have only a name ---------------------------------------===//

/// The variable, with the members that lead to the place.
std::string TypeInference::spelled(PlaceId P) const {
  const Place &At = Facts.Places[P];
  if (!At.isField())
    return At.Decl ? At.Decl->getNameAsString() : std::string();
  std::string Object = spelled(At.Parent);
  bool IsThis = Facts.Places[At.Parent].Root == Place::This && Object.empty();
  if (Object.empty() && !IsThis)
    return {};
  return IsThis ? At.Decl->getNameAsString() : Object + "." + At.Decl->getNameAsString();
}

TensorType TypeInference::named(PlaceId P) {
  auto [It, Fresh] = Names.try_emplace(P);
  const ValueDecl *D = Facts.Places[P].Decl;
  if (!Fresh || !D || D->getType()->isPointerType() || !Model.isTensor(D->getType()))
    return It->second;
  if (std::string Name = spelled(P); !Name.empty())
    It->second.Dims = Reader.shapeOfNamed(D, Name);
  return It->second;
}

TensorType TypeInference::typeOf(const Expr &E) {
  const Expr *S = strip(&E);
  if (auto It = ValueOf.find(S); It != ValueOf.end())
    return Current.OfValue(It->second);
  PlaceId P = NoId;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    P = Facts.Places.find(Ref->getDecl(), NoId);
  else if (const auto *M = dyn_cast<MemberExpr>(S)) {
    const Expr *Base = strip(M->getBase());
    const auto *Ref = dyn_cast<DeclRefExpr>(Base);
    bool IsThis = isa<CXXThisExpr>(Base);
    PlaceId Object = IsThis || Ref ? Facts.Places.find(Ref ? Ref->getDecl() : nullptr, NoId) : NoId;
    P = Object == NoId ? NoId : Facts.Places.find(M->getMemberDecl(), Object);
  }
  return P == NoId ? TensorType() : Current.OfPlace(P);
}

//===-- Results of calls ----------------------------------------------------===//

/// The tensors of `cat({a, b})`, where all of them are known one by one.
llvm::SmallVector<TensorType, 4> TypeInference::joinedParts(const Value &V) {
  llvm::SmallVector<TensorType, 4> Parts;
  const Value *List = V.Inputs.size() == 1 ? &Facts.Values[V.Inputs.front()] : nullptr;
  const InitListExpr *Braces = List && List->E ? bracesIn(List->E) : nullptr;
  while (List && List->From == Source::Group && List->Inputs.size() == 1 &&
         Facts.Values[List->Inputs.front()].From == Source::Group)
    List = &Facts.Values[List->Inputs.front()];
  bool Whole =
      List && Braces && List->From == Source::Group && Braces->getNumInits() == List->Inputs.size();
  if (Whole)
    for (ValueId In : List->Inputs)
      Parts.push_back(Current.OfValue(In));
  return Parts;
}

/// The user's own forward pass behind `net(x)` and `net->forward(x)`.
const FunctionDecl *TypeInference::forwardOf(const Expr &Object, const CallExpr &Call) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (Callee && Sources.Returned.count(Callee->getCanonicalDecl()))
    return Callee;
  const CXXRecordDecl *Class = Model.moduleClass(Object.getType());
  unsigned Given = Call.getNumArgs() - isa<CXXOperatorCallExpr>(Call);
  const FunctionDecl *Found = nullptr;
  for (const CXXMethodDecl *M : Class ? Class->methods() : CXXRecordDecl::method_range({}, {})) {
    auto E = Model.effectOf(*M);
    if (!E || E->What != Does::Forward || M->getNumParams() != Given ||
        !Sources.Returned.count(M->getCanonicalDecl()))
      continue;
    if (Found)
      return nullptr;
    Found = M;
  }
  return Found;
}

TensorType TypeInference::ofModule(const Value &V, llvm::ArrayRef<TensorType> Inputs,
                                   const CallExpr &Call) {
  const Expr *Object = nullptr;
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call))
    Object = Method->getImplicitObjectArgument();
  else if (isa<CXXOperatorCallExpr>(Call))
    Object = Call.getArg(0);
  if (!Object || V.Api.has(Assumed))
    return {};
  if (Model.layerName(Object->getType()).empty())
    return ofFunction(forwardOf(*Object, Call), Call);
  const ValueDecl *D = moduleDecl(Object);
  const Layer *L = D ? Sources.Known.find(*D) : nullptr;
  LayerShapes Shapes(Reader, !Sources.Known.convertsDtype());
  return L && !Inputs.empty() ? Shapes.output(*L, Inputs.front()) : TensorType();
}

/// What \p Callee returns, with this call's arguments for its parameters.
TensorType TypeInference::ofFunction(const FunctionDecl *Callee, const CallExpr &Call) {
  auto It = Callee ? Sources.Returned.find(Callee->getCanonicalDecl()) : Sources.Returned.end();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (It == Sources.Returned.end() || (Method && Method->isVirtual())) // which one runs?
    return {};
  unsigned Skipped = isa<CXXOperatorCallExpr>(Call); // the object
  auto ArgumentOf = [&](const void *Root) -> const Expr * {
    for (const ParmVarDecl *P : It->first->parameters()) {
      unsigned At = P->getFunctionScopeIndex() + Skipped;
      if (P == Root && At < Call.getNumArgs())
        return Call.getArg(At);
    }
    return nullptr;
  };
  return replaceSymbols(It->second, [&](const Symbol &S) -> Dim {
    const Expr *Arg = ArgumentOf(S.Root);
    if (!Arg)
      return std::nullopt;
    if (S.Part == Symbol::Whole)
      return Reader.size(Arg);
    TensorType Given = typeOf(*Arg);
    return S.Part == Symbol::Elements ? Given.elements() : Reader.dimension(Given, S.Part);
  });
}

TensorType TypeInference::ofApi(const Value &V, llvm::ArrayRef<TensorType> Inputs,
                                const CallExpr &Call) {
  switch (V.Api.What) {
  case Does::Forward:
    return ofModule(V, Inputs, Call);
  case Does::Register: // a parameter or buffer: the very tensor
    return Inputs.size() == 1 ? Inputs.front() : TensorType();
  default:
    return Ops.result(V.Api, Inputs, joinedParts(V), Call);
  }
}

TensorType TypeInference::result(const Value &V) {
  const auto *Call = dyn_cast_or_null<CallExpr>(V.E);
  if (!Call)
    return {};
  if (V.From == Source::UserCall)
    return ofFunction(Call->getDirectCallee(), *Call);
  llvm::SmallVector<TensorType, 3> Inputs;
  for (ValueId In : V.Inputs)
    Inputs.push_back(Current.OfValue(In));
  return ofApi(V, Inputs, *Call);
}

TensorType returnedType(const FunctionFacts &Facts,
                        llvm::function_ref<TensorType(unsigned)> AtEvent) {
  std::optional<TensorType> Out;
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    if (Facts.Events[I].Kind != EventKind::Return)
      continue;
    if (Out)
      joinType(*Out, AtEvent(I));
    else
      Out = AtEvent(I);
  }
  return Out.value_or(TensorType());
}

} // namespace tensorleak
