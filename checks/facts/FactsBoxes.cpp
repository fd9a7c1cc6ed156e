//===-- FactsBoxes.cpp - Tensors in optionals, smart pointers and pairs ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A box with one tensor is the place of that tensor: what is put into it takes the place of
// what was there.
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "checks/model/ClassNames.h"
#include "checks/model/boxes/ElementKeys.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/members/MemberMoves.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

/// `std::make_shared<Record>(record)`
static bool isMadeOfOne(const CallExpr &Call, llvm::ArrayRef<const Expr *> Operands) {
  const CXXRecordDecl *Made = Operands.size() == 1 ? classMadeBy(Call) : nullptr;
  const CXXRecordDecl *Given = Made ? strip(Operands[0])->getType()->getAsCXXRecordDecl() : nullptr;
  return Given && Given->getCanonicalDecl() == Made->getCanonicalDecl();
}

/// `std::make_unique<Tensor>(x)`: what is in the box is x.
bool FactsGenerator::makesBox(const CallExpr &Call, Args Operands) {
  const bool IsBox = boxKind(Call.getType()) == BoxKind::One && partsOfNewBox(Call);
  if (!Model.holdsTensors(Call.getType()) || !(IsBox || isMadeOfOne(Call, Operands)))
    return false;
  handOverPointers(Call, Operands);
  group(Call);
  return true;
}

/// `std::exchange(x, y)` and `std::swap(x, y)` of tensors: x has what y had. What y has after
/// a swap is not followed: it may be the same, where both were one.
bool FactsGenerator::exchanges(const CallExpr &Call, const Effect &E, Args Operands) {
  auto IsName = [&](const Expr *Arg) {
    const Expr *Name = strip(Arg);
    const auto *Star = dyn_cast<UnaryOperator>(Name);
    bool IsWhole = Star ? pointsToWhole(Star->getSubExpr())
                        : isa<DeclRefExpr, MemberExpr>(Name) && !namesPart(*Name);
    return Model.isTensor(Name->getType()) && IsWhole && placeOf(Name) != NoId;
  };
  const bool Swaps = Call.getType()->isVoidType();
  if (E.What != Does::Shrink || isa<CXXMemberCallExpr>(Call) || Operands.size() != 2 ||
      !IsName(Operands[0]) || (Swaps && !IsName(Operands[1])))
    return false;
  ValueId Put = operand(Operands[1]);
  if (Put == NoId)
    return false;
  emit(EventKind::Store, Call, placeOf(Operands[0]), Put);
  if (Swaps)
    emit(EventKind::StoreWeak, Call, placeOf(Operands[1]), addValue(&Call, Value()));
  return true;
}

/// An empty container that each round of the loop around \p Call makes anew, or each call.
bool FactsGenerator::isMadeEmpty(const Expr &E, const CallExpr &Call) {
  const Expr *Name = strip(&E);
  const auto *Ref = dyn_cast<DeclRefExpr>(Name);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (V && (!V->isLocalVarDecl() || V->isStaticLocal() || !V->hasInit()))
    return false;
  const auto *Made = dyn_cast<CXXConstructExpr>(V ? strip(V->getInit()) : Name);
  return Made && Made->getNumArgs() == 0 && (!V || Out->loopOfDecl(V) == loopOf(Call));
}

/// `std::vector<Tensor> batch; batch.swap(losses);`, `std::vector<Tensor>().swap(losses);`: what
/// was in the other is not there any more. Two lists that both last keep what they have.
void FactsGenerator::emptyOther(const CallExpr &Call, Args Operands) {
  if (Operands.size() != 2 || !Call.getType()->isVoidType() ||
      !Context.hasSameUnqualifiedType(strip(Operands[0])->getType(),
                                      strip(Operands[1])->getType()) ||
      !isMadeEmpty(*Operands[0], Call))
    return;
  if (PlaceId P = placeOf(Operands[1]); P != NoId)
    emit(EventKind::Shrink, Call, P);
}

/// `box.emplace(x)`, `box.reset(new Tensor(x))`, `box.reset()`.
bool FactsGenerator::fillBox(const CallExpr &Call, const Effect &E, Args Operands) {
  const Expr *Self = strip(Operands.front());
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (exchanges(Call, E, Operands) || (E.What != Does::Shrink && addEntry(Call, Operands)))
    return true;
  const CXXRecordDecl *Class = Self->getType()->getAsCXXRecordDecl();
  const bool IsVariant = Class && isVariant(*Class);
  if (!(IsVariant || boxKind(Self->getType()) == BoxKind::One) || !Callee ||
      isa<CXXOperatorCallExpr>(Call))
    return false;
  PlaceId P = placeOf(Self);
  auto Put = tensorOperands(Operands.drop_front());
  bool Swaps = Operands.size() == 2 &&
               Context.hasSameUnqualifiedType(strip(Operands[1])->getType(), Self->getType());
  if (Put.size() == 1 && !Swaps)
    emit(EventKind::Store, Call, P, Put.front());
  else if (Put.empty() && !Swaps && (E.What == Does::Shrink || IsVariant))
    emit(EventKind::Drop, Call, P);
  else
    return false;
  return true;
}

/// The tensors of the box are one, which it has always or not at all.
bool FactsGenerator::isOneTensor(QualType Box) {
  auto Holds = [&](QualType Part) { return Model.holdsTensors(Part); };
  return boxKind(Box) == BoxKind::One ||
         (boxKind(Box) == BoxKind::Parts && llvm::count_if(partsOf(Box), Holds) == 1);
}

/// Whether \p Lhs, which is assigned to, is one of several tensors in its place: a part of a
/// pair, or of an entry of a container.
bool FactsGenerator::namesPart(const Expr &Lhs) {
  if (const auto *Call = dyn_cast<CallExpr>(&Lhs)) {
    auto Access = boxAccess(*Call);
    const Expr *Box = Access ? strip(Access->Box) : nullptr;
    return Access && (!isOneTensor(Box->getType()) || namesPart(*Box));
  }
  const auto *M = dyn_cast<MemberExpr>(&Lhs);
  if (!M || !cast<CXXRecordDecl>(M->getMemberDecl()->getDeclContext())->isInStdNamespace())
    return false;
  const Expr *Pair = strip(M->getBase());
  return !isa<DeclRefExpr, MemberExpr>(Pair) || !isOneTensor(Pair->getType()) || namesPart(*Pair);
}

//===-- Records ------------------------------------------------------------===//

/// `Batch batch{x, y}`: each of the fields has its own value.
void FactsGenerator::storeFields(PlaceId P, const InitListExpr &List, const Stmt &S) {
  const RecordDecl *Record = List.getType()->getAsRecordDecl();
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  bool IsLibrarys = Record && Record->isInStdNamespace(); // std::array
  if (!Record || IsLibrarys || Record->isUnion() || (Class && Class->getNumBases() > 0)) {
    emit(EventKind::Store, S, P, operandOrUnknown(List)).Declares = true;
    return;
  }
  emit(EventKind::Store, S, P).Declares = true;
  unsigned I = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField() || I == List.getNumInits())
      continue;
    const Expr *Init = List.getInit(I++);
    if (Init && (Model.holdsTensors(Field->getType()) || Field->getType()->isPointerType()))
      emit(EventKind::Store, S, Out->Places.intern({Out->Places[P].Root, Field, P}),
           operandOrUnknown(*Init))
          .Declares = true;
  }
}

//===-- Entries of containers -----------------------------------------------===//

/// The entries of a map with constant keys are told apart, like the fields of a record.
PlaceId FactsGenerator::entryOf(PlaceId Container, QualType Type, const Expr *Key) {
  bool IsMap = Model.isKeyed(Type) && Model.holdsTensors(Type);
  auto Constant = IsMap ? constantKey(Key, Context) : std::nullopt;
  if (!Constant)
    return Container;
  const Place Whole = Out->Places[Container];
  return Out->Places.intern({Whole.Root, Whole.Decl, Container, Whole.OfSplice, Constant->Number});
}

/// `map["loss"]`, `map.at(0)`.
PlaceId FactsGenerator::entryOf(const CallExpr &Call, PlaceId Container) {
  unsigned Key = isa<CXXMemberCallExpr>(Call) ? 0 : 1;
  if (Call.getNumArgs() != Key + 1 || !Call.isLValue())
    return Container;
  return entryOf(Container, strip(objectOrFirst(&Call))->getType(), Call.getArg(Key));
}

/// Nothing has been put into the variable \p Container since it was made, in the round at hand.
bool FactsGenerator::isStillEmpty(PlaceId Container, const Stmt &At) {
  if (Out->Places[Container].isField() || loopOf(At) != Out->loopOfDecl(Container))
    return false;
  bool IsMade = false; // blocks are visited in order
  for (const Event &E : Out->Events) {
    if (E.Place == NoId || Out->rootOf(E.Place) != Container || E.Kind == EventKind::Use)
      continue;
    if (E.Place != Container || E.Kind != EventKind::Store || !E.Declares || E.Val != NoId)
      return false;
    IsMade = true;
  }
  return IsMade;
}

/// `map.emplace("loss", x)`: one more entry, or the one that is there stays.
bool FactsGenerator::addEntry(const CallExpr &Call, Args Operands) {
  PlaceId Container = placeOf(Operands.front());
  auto Added = tensorOperands(Operands.drop_front());
  if (Operands.size() != 3 || Added.size() != 1)
    return false;
  PlaceId Entry = entryOf(Container, strip(Operands[0])->getType(), Operands[1]);
  if (Entry == Container)
    return false;
  bool IsFirst = isStillEmpty(Container, Call);
  emit(IsFirst ? EventKind::Store : EventKind::StoreWeak, Call, Entry, Added.front());
  return true;
}

/// `x.resize(x.size() + 1)`, or `x.resize(n + 1)` where the member n counts on: longer by one.
bool FactsGenerator::isLengthened(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || Method->getName() != "resize" || !Call.getNumArgs())
    return false;
  const auto *Sum = dyn_cast<BinaryOperator>(strip(Call.getArg(0)));
  if (!Sum || Sum->getOpcode() != BO_Add)
    return false;
  const PlaceId Self = placeOf(Member->getImplicitObjectArgument());
  auto IsOwnSize = [&](const Expr &E) {
    const auto *Size = dyn_cast<CXXMemberCallExpr>(&E);
    return Size && placeOf(Size->getImplicitObjectArgument()) == Self;
  };
  const FunctionDecl &Here = InBody == NoId ? *Out->Function : *Out->Splices[InBody].Body;
  auto IsCounter = [&](const Expr &E) {
    const auto *M = dyn_cast<MemberExpr>(&E);
    const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
    return Field && Here.getBody() && moves(*Here.getBody(), *Field, Goes::Up) &&
           !mayComeBack(*Field, Goes::Up);
  };
  return mentions(Sum, IsOwnSize) || mentions(Sum, IsCounter);
}

/// What the place got one element more for just before: `x.emplace_back(); x.back() = y;`.
Event *FactsGenerator::emptyGrowthOf(PlaceId P) {
  for (size_t Index = Out->Events.size(); Index > FirstOfBlock; --Index) {
    Event &E = Out->Events[Index - 1];
    if (E.Kind == EventKind::Grow && E.Place == P)
      return E.Val == NoId && !E.Callee ? &E : nullptr;
  }
  return nullptr;
}

void FactsGenerator::assignElement(const Expr &At, const Expr &Subscript, ValueId V) {
  const auto &Call = cast<CallExpr>(Subscript);
  const Expr *Container = objectOrFirst(&Call);
  PlaceId P = placeOf(Container);
  if (P == NoId)
    return;
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (PlaceId Entry = placeOf(&Subscript);
      Entry != P && Entry != NoId && Out->Places[Entry].isEntry()) {
    emit(EventKind::Store, At, Entry, V);
    return;
  }
  bool Subscripts = Callee && Callee->getOverloadedOperator() == OO_Subscript;
  QualType Type = strip(Container)->getType();
  if (Event *Empty = Model.isKeyed(Type) ? nullptr : emptyGrowthOf(P)) {
    Empty->Kind = EventKind::Use;
    emit(EventKind::Grow, At, P, V).Bounded = Empty->Bounded;
    return;
  }
  if (!Subscripts || !Model.isKeyed(Type) || !Model.holdsTensors(Type)) {
    if (const Expr *Key = keyOfPlace(Subscript))
      setKey(emit(EventKind::StoreWeak, At, P, V), Key);
    else
      emit(EventKind::StoreWeak, At, P, V);
    return;
  }
  Event &Grow = emit(EventKind::Grow, At, P, V);
  setKey(Grow, Call.getArg(Call.getNumArgs() - 1));
  Grow.Bounded |= isBoundedBySize(At, P);
}

//===-- Keys --------------------------------------------------------------===//

/// The key of the element that \p Lhs is, or is a member of: `x[key]`, `x.at(key).field`.
const Expr *FactsGenerator::keyOfPlace(const Expr &Lhs) {
  const Expr *E = strip(&Lhs);
  const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(E);
  if (Arrow && followsPointer(*Arrow))
    return keyOfPlace(*Arrow->getArg(0));
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return keyOfPlace(*Member->getBase());
  return keyOfElement(*E, Model);
}

/// `emplace(key, x)`, `insert({key, x})`.
static const Expr *keyAmong(llvm::ArrayRef<const Expr *> Given) {
  const Expr *First = Given.empty() ? nullptr : Given.front();
  const auto *Pair = Given.size() == 1 ? dyn_cast<CXXConstructExpr>(bare(First)) : nullptr;
  return Pair && Pair->getNumArgs() == 2 ? Pair->getArg(0) : First;
}

bool FactsGenerator::keyVaries(const Expr *Key) const {
  const Expr *E = strip(Key);
  Expr::EvalResult Result;
  if (!E || isa<StringLiteral>(E) || E->isValueDependent())
    return false;
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return llvm::any_of(C->arguments(), [&](const Expr *Arg) {
      return !isa<CXXDefaultArgExpr>(Arg) && keyVaries(Arg);
    });
  return !E->EvaluateAsRValue(Result, Context);
}

/// What decides \p E where the function itself calls the body at hand.
const Expr *FactsGenerator::givenByCallers(const Expr *E) const {
  for (SpliceId In = InBody; In != NoId && E; In = Out->Splices[In].Around) {
    const Splice &S = Out->Splices[In];
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(onlyVariable(*E));
    if (Param && Param->getDeclContext() == S.Body)
      E = S.given(*Param);
  }
  return E;
}

/// `step % window`, `step & mask`, or a constant that is one: there are only so many.
static bool isRemainder(const Expr *Key) {
  const Expr *E = strip(Key);
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (V && V->isLocalVarDecl() && V->getType().isConstQualified() && V->getInit())
    E = strip(V->getInit());
  const auto *Op = dyn_cast_or_null<BinaryOperator>(E);
  return Op && (Op->getOpcode() == BO_Rem || Op->getOpcode() == BO_And);
}

void FactsGenerator::setKey(Event &Grow, const Expr *Key) const {
  Grow.Keyed = true;
  Grow.Key = givenByCallers(Key);
  Grow.KeyVaries = !Grow.Key || keyVaries(Grow.Key);
  Grow.Bounded |= isRemainder(Key) || isRemainder(Grow.Key);
}

void FactsGenerator::grow(const CallExpr &Call, const Effect &E, Args Operands, ValueId V) {
  PlaceId P = placeOf(Operands.front());
  Event &Grow = emit(EventKind::Grow, Call, P, V);
  if (E.What == Does::GrowKeyed || Model.isKeyed(strip(Operands.front())->getType()))
    setKey(Grow, keyAmong(Operands.drop_front()));
  Grow.Bounded |= isBoundedBySize(Call, P);
}

//===-- Functions ---------------------------------------------------------===//

/// The tensors of which the lambda has handles of its own.
llvm::SmallVector<ValueId, 2> FactsGenerator::copiedInto(const LambdaExpr &Lambda) {
  auto Inits = Lambda.capture_init_begin();
  llvm::SmallVector<ValueId, 2> Copied;
  for (const LambdaCapture &Capture : Lambda.captures()) {
    const Expr *Init = *Inits++;
    bool Copies = Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByCopy;
    if (ValueId V = Copies ? operand(Init) : NoId; V != NoId)
      Copied.push_back(V);
  }
  return Copied;
}

/// Whose graph it is, is not followed.
static bool runsBackward(const Summary *S) {
  return S && llvm::any_of(S->Effects, [](const SummaryEffect &Effect) {
           return Effect.Kind == EventKind::Backward;
         });
}

/// What the caller gives for the parameter \p Function of a body that stands in the graph, moved
/// or not; \p Function itself where it is something else.
const Expr *FactsGenerator::functionGiven(const Expr *Function) const {
  const Expr *Name = strip(Function);
  if (const auto *Call = dyn_cast<CallExpr>(Name);
      Call && Call->getNumArgs() == 1 && yieldsItsArgument(*Call))
    Name = strip(Call->getArg(0));
  const auto *Ref = dyn_cast<DeclRefExpr>(Name);
  const auto *Param = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
  const Expr *Given = Param ? pointerGiven(*Param) : nullptr;
  return Given ? Given : Function;
}

/// `callbacks.push_back([loss] { ... })`: the list keeps what the lambda captures by copy. Of
/// what else it has nothing is known.
void FactsGenerator::changeFunctions(const CallExpr &Call, const Effect &E, Args Operands) {
  if (E.What == Does::Shrink || yieldsItsArgument(Call)) // clear(), swap(other), std::move
    for (const Expr *Arg : Operands)
      if (PlaceId P = keepsFunctions(strip(Arg)->getType()) ? placeOf(Arg) : NoId; P != NoId)
        emit(EventKind::Shrink, Call, P);
  PlaceId P = placeOf(Operands.front());
  if (P == NoId || (E.What != Does::Grow && E.What != Does::GrowKeyed))
    return;
  Value Kept;
  Kept.From = Source::Group;
  for (const Expr *Each : Operands.drop_front()) {
    const Expr *Arg = functionGiven(Each);
    const LambdaExpr *Lambda = lambdaIn(Arg);
    if (Lambda && !runsBackward(summaryOf(lambdaBody(Arg)))) {
      auto Copied = copiedInto(*Lambda);
      Kept.Inputs.append(Copied.begin(), Copied.end());
    }
  }
  if (!Kept.Inputs.empty())
    grow(Call, E, Operands, addValue(Operands.back(), std::move(Kept)));
}

} // namespace tensorleak
