//===-- FactsValues.cpp - Which place, which value an expression is -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Places ------------------------------------------------------------===//

/// Of this object.
PlaceId FactsGenerator::placeOfOwn(const FieldDecl &Member) {
  PlaceId This = Out->Places.intern({Place::This, nullptr, NoId});
  return Out->Places.intern({Place::This, &Member, This});
}

PlaceId FactsGenerator::placeOfVar(const ValueDecl &V) {
  if (auto It = Aliases.find(&V); It != Aliases.end())
    return It->second;
  Place P;
  P.Decl = &V;
  const auto *Var = dyn_cast<VarDecl>(&V);
  if (Var && Var->hasGlobalStorage())
    P.Root = Place::Static;
  else if (isOfSplicedBody(V))
    P.OfSplice = true;
  else if (V.getDeclContext() != Out->Function)
    P.Root = Place::Captured;
  else
    P.Root = isa<ParmVarDecl>(V) ? Place::Param : Place::Local;
  return Out->Places.intern(P);
}

PlaceId FactsGenerator::placeOfMember(const MemberExpr &M) {
  const auto *Field = dyn_cast<FieldDecl>(M.getMemberDecl());
  if (!Field)
    return isa<VarDecl>(M.getMemberDecl()) ? placeOfVar(*M.getMemberDecl()) : NoId;
  PlaceId Object = placeOf(M.getBase());
  if (Object == NoId)
    return NoId;
  // Entries of library pairs and nodes are folded into what holds them.
  if (Field->getParent()->isInStdNamespace())
    return Object;
  return Out->Places.intern({Out->Places[Object].Root, Field, Object});
}

/// `session.log()`: the reference that a function in view returns is what it refers to.
PlaceId FactsGenerator::placeOfUserCall(const CallExpr &Call, const FunctionDecl &Callee) {
  const Summary *S = summaryOf(&Callee);
  if (!S || S->ReturnedPlaces.empty() || Model.effectOf(Callee))
    return NoId;
  Args Operands(Call.getArgs(), Call.getNumArgs());
  const Expr *Object = nullptr;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(&Call))
    Object = M->getImplicitObjectArgument();
  else if (isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee)) {
    Object = Operands.front();
    Operands = Operands.drop_front();
  }
  return placeReturned(Callee, *S, Operands, Object);
}

/// `running() = x`: a function in view gives the variable itself.
bool FactsGenerator::namesTensor(const CallExpr &Call, const FunctionDecl &Callee) {
  const PlaceId P =
      Callee.getReturnType()->isLValueReferenceType() ? placeOfUserCall(Call, Callee) : NoId;
  return P != NoId && Out->Places[P].Decl && Model.isTensor(Out->Places[P].Decl->getType());
}

/// Calls that give a reference into what they are called on.
PlaceId FactsGenerator::placeOfCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return NoId;
  if (PlaceId P = placeOfUserCall(Call, *Callee); P != NoId)
    return P;
  const Expr *Self = objectOrFirst(&Call);
  if (!Self)
    return NoId;
  // Iterators, smart pointers and module holders of any library: `*it`, `p->`.
  OverloadedOperatorKind Op = Callee->getOverloadedOperator();
  if (Op == OO_Arrow || (Op == OO_Star && Callee->getNumParams() == 0))
    return placeOf(Self);
  if (auto E = Model.effectOf(*Callee)) {
    bool Refers = E->What == Does::Element || E->What == Does::Forward1 ||
                  E->What == Does::RequireGrad || E->What == Does::InPlace ||
                  E->What == Does::DetachSelf;
    PlaceId P = Refers ? placeOf(Self) : NoId;
    return P != NoId && E->What == Does::Element ? entryOf(Call, P) : P;
  }
  return Op == OO_Subscript ? placeOf(Self) : NoId;
}

PlaceId FactsGenerator::placeOf(const Expr *E) {
  E = strip(E);
  if (!E)
    return NoId;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return isa<VarDecl, BindingDecl>(Ref->getDecl()) ? placeOfVar(*Ref->getDecl()) : NoId;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return placeOfMember(*M);
  if (isa<CXXThisExpr>(E))
    return placeOfThis();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
    return placeOf(U->getSubExpr());
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return placeOf(A->getBase());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return placeOfCall(*Call);
  return NoId;
}

//===-- Pointers ----------------------------------------------------------===//

/// What the pointer \p V begins with: its initializer, or of a parameter what the call gives.
const Expr *FactsGenerator::pointerGiven(const ValueDecl &V) const {
  const auto *Param = dyn_cast<ParmVarDecl>(&V);
  if (!Param)
    return cast<VarDecl>(V).getInit();
  for (const Splice &S : Out->Splices)
    if (S.Body == Param->getDeclContext() && Param->getFunctionScopeIndex() < S.Operands.size())
      return S.Operands[Param->getFunctionScopeIndex()];
  return nullptr;
}

/// \p Pointer is, or always has, the address of a variable or member, not of an element; or that
/// is up to a caller who is not in view.
bool FactsGenerator::pointsToWhole(const Expr *Pointer) const {
  llvm::DenseSet<const ValueDecl *> Seen;
  while (const Expr *E = strip(Pointer)) {
    if (const auto *Address = dyn_cast<UnaryOperator>(E)) {
      const Expr *Whole = strip(Address->getSubExpr());
      const auto *Star = dyn_cast<UnaryOperator>(Whole); // &*p
      if (Address->getOpcode() != UO_AddrOf || !Star || Star->getOpcode() != UO_Deref)
        return Address->getOpcode() == UO_AddrOf && isa<DeclRefExpr, MemberExpr>(Whole);
      Pointer = Star->getSubExpr();
      continue;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!V || !V->getType()->isPointerType() || Reassigned.count(V) || !Seen.insert(V).second)
      return false;
    Pointer = pointerGiven(*V);
    if (!Pointer)
      return isa<ParmVarDecl>(V);
  }
  return false;
}

//===-- Values ------------------------------------------------------------===//

ValueId FactsGenerator::addValue(const Expr *E, Value V) {
  ValueId Id = Out->Values.size();
  V.E = E;
  Out->Values.push_back(std::move(V));
  ExprValues[E] = Id;
  return Id;
}

int FactsGenerator::elementRead(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const TemplateArgumentList *Args =
      Callee && Callee->isInStdNamespace() ? Callee->getTemplateSpecializationArgs() : nullptr;
  bool IsIndexed = Args && Args->size() && Args->get(0).getKind() == TemplateArgument::Integral;
  return IsIndexed ? int(Args->get(0).getAsIntegral().getExtValue()) : -1;
}

/// The tuple that `std::get<N>` reads, where that is an element of another one.
static const Expr *innerTuple(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  const Expr *Inner = Call && Call->getNumArgs() == 1 ? strip(Call->getArg(0)) : nullptr;
  return Inner && FactsGenerator::elementRead(*Inner) >= 0 ? Inner : nullptr;
}

ValueId FactsGenerator::load(const Expr &E, PlaceId P) {
  if (const Expr *Inner = elementRead(E) < 0 ? nullptr : innerTuple(E))
    return element(E, load(*Inner, P));
  Value V;
  V.From = Source::Load;
  V.Loaded = P;
  V.Part = elementRead(E);
  return addValue(&E, std::move(V));
}

ValueId FactsGenerator::load(PlaceId P) {
  Value V;
  V.From = Source::Load;
  V.Loaded = P;
  Out->Values.push_back(std::move(V));
  return Out->Values.size() - 1;
}

/// `f(x).second`: a member of a temporary is a part of the temporary's value.
ValueId FactsGenerator::memberOf(const MemberExpr &M) {
  const auto *Field = dyn_cast<FieldDecl>(M.getMemberDecl());
  ValueId Whole = Field && Model.holdsTensors(M.getType()) ? operand(M.getBase()) : NoId;
  if (Whole == NoId)
    return NoId;
  Value V;
  V.From = Source::Group;
  V.Inputs.push_back(Whole);
  if (Model.classify(M.getBase()->getType()) == TypeClass::TensorTuple) // std::pair
    V.Part = Field->getFieldIndex();
  return addValue(&M, std::move(V));
}

/// A container, tuple, record or choice made of several values; a box of one tensor is that.
ValueId FactsGenerator::group(const Expr &E) {
  Value V;
  V.From = Source::Group;
  for (const Stmt *Child : E.children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
      if (ValueId In = operand(Sub); In != NoId)
        V.Inputs.push_back(In);
  if (V.Inputs.size() == 1 && isOneTensor(E.getType()))
    return ExprValues[&E] = V.Inputs.front();
  return V.Inputs.empty() ? NoId : addValue(&E, std::move(V));
}

/// The member \p Index of the record that \p Whole is, where that is written in braces.
ValueId FactsGenerator::listedPart(ValueId Whole, unsigned Index) {
  const Value *V = Whole == NoId ? nullptr : &Out->Values[Whole];
  const auto *List =
      V && V->From == Source::Group && V->E ? dyn_cast<InitListExpr>(strip(V->E)) : nullptr;
  if (!List || Index >= List->getNumInits())
    return NoId;
  unsigned Before = 0, All = 0;
  for (const auto &[I, Init] : llvm::enumerate(List->inits())) {
    const bool Holds = Model.holdsTensors(Init->getType());
    Before += Holds && I < Index;
    All += Holds;
  }
  const bool AreKnown =
      All == V->Inputs.size() && Model.holdsTensors(List->getInit(Index)->getType());
  return AreKnown ? V->Inputs[Before] : NoId;
}

/// What max or topk gives second are indices, which carry no graph.
ValueId FactsGenerator::partOf(ValueId Whole, unsigned Index, const Stmt &At) {
  if (ValueId Listed = listedPart(Whole, Index); Listed != NoId)
    return Listed;
  if (Index != 1 || Whole == NoId || Out->Values[Whole].From != Source::Api ||
      !Out->Values[Whole].Api.has(WithIndices))
    return Whole;
  Value V;
  V.From = Source::Api;
  V.Api = {Does::ComputeConst, None, Out->Values[Whole].Api.Name};
  V.E = Out->Values[Whole].E;
  V.Inputs = {Whole};
  Out->Values.push_back(std::move(V));
  ValueId Id = Out->Values.size() - 1;
  emit(EventKind::Compute, At, NoId, Id);
  return Id;
}

ValueId FactsGenerator::operand(const Expr *E) {
  E = strip(E);
  if (!E)
    return NoId;
  if (auto It = ExprValues.find(E); It != ExprValues.end())
    return It->second;
  const QualType T = E->getType(); // null for lists in code that the compiler gave up on
  bool Reads =
      !T.isNull() && (Model.holdsTensors(T) || T->isPointerType() || Model.isTensorIterator(T));
  if (PlaceId P = placeOf(E); P != NoId && Reads)
    return load(*E, P);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return memberOf(*M);
  if (isa<CXXConstructExpr, InitListExpr, CXXStdInitializerListExpr, AbstractConditionalOperator>(
          E))
    return group(*E);
  return NoId;
}

/// `std::get<1>(f(x))`: one element of what the call gives.
ValueId FactsGenerator::element(const Expr &E, ValueId Whole) {
  Value V;
  V.From = Source::Group;
  V.Inputs.push_back(Whole);
  V.Part = elementRead(E);
  return addValue(&E, std::move(V));
}

/// What \p Call reads of \p Whole: all of it, or the element that `std::get` names.
ValueId FactsGenerator::elementOf(const CallExpr &Call, ValueId Whole) {
  int Index = elementRead(Call);
  ValueId Own = Index < 0 ? Whole : partOf(Whole, Index, Call);
  return Index < 0 || Own != Whole ? Own : element(Call, Whole);
}

ValueId FactsGenerator::operandOrUnknown(const Expr &E) {
  if (ValueId V = operand(&E); V != NoId)
    return V;
  const Expr *Stripped = strip(&E);
  bool Empty =
      isa<InitListExpr, CXXConstructExpr, CXXNullPtrLiteralExpr, CXXDefaultInitExpr>(Stripped);
  return Empty ? NoId : addValue(Stripped, Value());
}

llvm::SmallVector<ValueId, 2> FactsGenerator::tensorOperands(Args Operands) {
  llvm::SmallVector<ValueId, 2> Values;
  for (const Expr *Arg : Operands)
    if (ValueId V = operand(Arg); V != NoId)
      Values.push_back(V);
  return Values;
}

PlaceId FactsGenerator::placeBehind(ValueId V) const {
  while (V != NoId) { // values are made from older ones
    const Value &Val = Out->Values[V];
    if (Val.From == Source::Load)
      return Val.Loaded;
    bool IsElement = Val.From == Source::Group && Val.Part >= 0;
    bool Shares = Val.From == Source::Api && !Val.Inputs.empty() &&
                  (Val.Api.What == Does::View || Val.Api.What == Does::Detach ||
                   Val.Api.What == Does::InPlace || Val.Api.What == Does::RequireGrad);
    if (!Shares && !IsElement)
      return NoId;
    V = Val.Inputs.front();
  }
  return NoId;
}

bool FactsGenerator::isGradient(ValueId V) const {
  if (V == NoId)
    return false;
  const Value &Val = Out->Values[V];
  if (Val.From == Source::Load)
    return GradientOf.count(Val.Loaded);
  if (Val.From != Source::Api)
    return false;
  if (Val.Api.What == Does::GradOf)
    return true;
  bool Shares = Val.Api.What == Does::Detach || Val.Api.What == Does::View;
  return Shares && !Val.Inputs.empty() && isGradient(Val.Inputs.front());
}

PlaceId FactsGenerator::ownerOfGradient(ValueId V) const {
  const Value &Val = Out->Values[V];
  if (Val.From == Source::Load) {
    auto It = GradientOf.find(Val.Loaded);
    return It == GradientOf.end() ? NoId : It->second;
  }
  if (Val.Inputs.empty())
    return NoId;
  return Val.Api.What == Does::GradOf ? placeBehind(Val.Inputs.front())
                                      : ownerOfGradient(Val.Inputs.front());
}

} // namespace tensorleak
