//===-- Values.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Values.h"

#include "checks/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

ValueTable::ValueTable(const ResourceFacts &Facts, Logic &L, const Loops &Rounds)
    : Facts(Facts), L(L), Rounds(Rounds), Context(Facts.Function->getASTContext()),
      Places(*Facts.Cfg, Facts.Writes) {
  for (unsigned Block = 0; Block < Facts.Blocks.size(); ++Block)
    for (const ResourceEvent &E : Facts.Blocks[Block])
      if (E.Kind == ResourceEventKind::Acquire)
        BlockOf.try_emplace(E.Site, Block);
      else if (E.When)
        Asked.try_emplace(E.When->Call, Block);
  findAcquired();
}

ValueId ValueTable::add(PlaceValue V) {
  Values.push_back(std::move(V));
  return Values.size() - 1;
}

ValueId ValueTable::fact(Condition C) {
  if (C->kind() == dataflow::Formula::Literal)
    return number(Linear::constant(C->literal()));
  return add({std::nullopt, C, {}, 0});
}

//===-- What is not known -------------------------------------------------===//

/// The type in which the device's calls, or a function that takes a resource here, say
/// whether they failed.
bool ValueTable::saysWhetherFailed(QualType T) const {
  T = T.getCanonicalType().getUnqualifiedType();
  return isDeviceStatus(T) ||
         (T->isEnumeralType() && llvm::any_of(Facts.Sites, [&](const Site &Taken) {
            const auto *Call = dyn_cast<CallExpr>(Taken.Call);
            return Call && Call->getType().getCanonicalType().getUnqualifiedType() == T;
          }));
}

Term ValueTable::termOf(QualType T) const {
  Term Out;
  if (T->isBooleanType())
    Out.Max = 1;
  if (T->isUnsignedIntegerType() || T->isPointerType())
    Out.Min = 0;
  if (saysWhetherFailed(T))
    Out.Status = Term::OfCall;
  Out.IsCertain = !T->isPointerType();
  return Out;
}

ValueId ValueTable::unknown(PlaceId P, bool IsCertain, bool IsInitial) {
  Term T = termOf(Places[P].type());
  T.IsCertain |= IsInitial;
  if (T.Status == Term::NoStatus)
    T.Mentions.push_back(&Places[P].last());
  T.IsCertain &= IsCertain;
  T.Loops = Around;
  return number(Linear::term(L.add(std::move(T))));
}

ValueId ValueTable::changing(PlaceId P) { return unknown(P, true); }

ValueId ValueTable::read(PlaceId P, const PlaceValues &Now) {
  if (auto It = Now.find(P); It != Now.end() && !Places[P].IsShared)
    return It->second;
  auto [It, New] = Initial.try_emplace(P, 0);
  if (New) {
    LoopSet Here = std::exchange(Around, 0);
    It->second = unknown(P, !Places[P].IsShared, /*IsInitial=*/true);
    Around = Here;
    InitialOf[Values[It->second].Number->Terms.front().first] = P;
  }
  return It->second;
}

std::optional<PlaceId> ValueTable::beganAs(TermId T) const {
  auto It = InitialOf.find(T);
  return It == InitialOf.end() ? std::nullopt : std::optional(It->second);
}

LoopSet ValueTable::loopsOf(ValueId V) const {
  LoopSet Out = 0;
  const PlaceValue &Of = Values[V];
  auto AddSum = [&](const Linear &Sum) {
    for (const auto &T : Sum.Terms)
      Out |= L.term(T.first).Loops;
  };
  if (Of.Number)
    AddSum(*Of.Number);
  if (Of.Truth)
    for (unsigned Atom : L.atomsOf(Of.Truth))
      AddSum(L.sumOf(Atom));
  for (const auto &[When, Each] : Of.Choices)
    Out |= loopsOf(Each);
  return Out;
}

bool ValueTable::isCertainNumber(ValueId V) const {
  bool IsCertain = isPlainNumber(V);
  forEachNumber(V, [&](const Linear *Sum) {
    IsCertain &=
        Sum && llvm::all_of(Sum->Terms, [&](const auto &T) { return L.term(T.first).IsCertain; });
  });
  return IsCertain;
}

/// `k % 3`: the same numbers give the same one.
bool ValueTable::isComputed(const Expr &E, const PlaceValues &Now) {
  const auto *Op = dyn_cast<BinaryOperator>(&E);
  return Op && E.getType()->isIntegerType() &&
         (Op->isMultiplicativeOp() || Op->isShiftOp() || Op->isBitwiseOp()) &&
         isInteger(*bare(Op->getLHS())) && isInteger(*bare(Op->getRHS())) &&
         isCertainNumber(value(Op->getLHS(), Now)) && isCertainNumber(value(Op->getRHS(), Now));
}

/// What `k % n` and `k & n` can be, where `k` counts something.
static std::optional<int64_t> mostOf(const Expr &E, ASTContext &Context) {
  const auto *Op = cast<BinaryOperator>(&E);
  const auto By = constantOf(*Op->getRHS(), Context);
  if (!By || *By <= 0 || (Op->getOpcode() != BO_Rem && Op->getOpcode() != BO_And))
    return std::nullopt;
  return Op->getOpcode() == BO_Rem ? *By - 1 : *By;
}

/// What looks the same and reads the same values is the same, unless it can have effects.
ValueId ValueTable::opaque(const Expr &E, const PlaceValues &Now) {
  llvm::FoldingSetNodeID Key;
  Term T = termOf(E.getType());
  describe(E, Now, Key, T.Loops);
  auto [It, New] = Opaque.try_emplace(Key, 0);
  if (!New)
    return It->second;
  T.IsComputed = isComputed(E, Now);
  if (T.IsComputed && (T.Max = mostOf(E, Context)))
    T.Min = 0;
  T.IsCertain = T.Status != Term::NoStatus || T.IsComputed;
  const bool IsNamed = !T.IsCertain || T.IsComputed;
  mentions(&E, [&](const Expr &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    const auto *Member = dyn_cast<MemberExpr>(&Part);
    if (Ref && IsNamed && !isa<EnumConstantDecl>(Ref->getDecl()))
      T.Mentions.push_back(Ref->getDecl());
    if (Member && IsNamed)
      T.Mentions.push_back(Member->getMemberDecl());
    return false;
  });
  return It->second = number(Linear::term(L.add(std::move(T))));
}

//===-- Expressions -------------------------------------------------------===//

bool ValueTable::isInteger(const Expr &E) const {
  QualType T = E.getType();
  return !T.isNull() && !E.isTypeDependent() && !E.containsErrors() &&
         (T->isIntegralOrEnumerationType() || T->isPointerType() || T->isNullPtrType());
}

/// `typeid(T) == typeid(float)`, in an instance of a template.
static std::optional<bool> comparesTypes(const CXXOperatorCallExpr &Op, ASTContext &Context) {
  if (Op.getOperator() != OO_EqualEqual || Op.getNumArgs() != 2)
    return std::nullopt;
  const auto *A = dyn_cast<CXXTypeidExpr>(bare(Op.getArg(0)));
  const auto *B = dyn_cast<CXXTypeidExpr>(bare(Op.getArg(1)));
  if (!A || !B || !A->isTypeOperand() || !B->isTypeOperand())
    return std::nullopt;
  return Context.hasSameType(A->getTypeOperand(Context), B->getTypeOperand(Context));
}

std::optional<int64_t> constantOf(const Expr &E, ASTContext &Context) {
  Expr::EvalResult R;
  if (E.isValueDependent() || E.containsErrors())
    return std::nullopt;
  if (E.getType()->isIntegralOrEnumerationType() && E.EvaluateAsInt(R, Context))
    if (std::optional<int64_t> Value = R.Val.getInt().tryExtValue();
        Value && llvm::isInt<40>(*Value))
      return Value;
  if (E.isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull))
    return 0;
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E))
    return comparesTypes(*Op, Context);
  return std::nullopt;
}

ValueId ValueTable::value(const Expr *E, const PlaceValues &Now) {
  const Expr *Whole = E;
  E = bare(E);
  if (auto C = constantOf(*E, Context))
    return number(Linear::constant(*C));
  if (!isInteger(*E) || !isInteger(*Whole))
    return opaque(*Whole, Now);
  if (auto P = Places.find(E))
    return read(*P, Now);
  if (const CallExpr *Pair = askedPair(*E))
    return number(Linear::term(resultOf(*Pair)));
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return valueOfUnary(*Op, Now);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return valueOfBinary(*Op, Now);
  if (const auto *Either = dyn_cast<ConditionalOperator>(E)) {
    Condition When = truth(Either->getCond(), Now);
    ValueId A = value(Either->getTrueExpr(), Now), B = value(Either->getFalseExpr(), Now);
    return add({std::nullopt,
                nullptr,
                {{When, A}, {L.no(When), B}},
                1 + std::max(Values[A].Depth, Values[B].Depth)});
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (auto Told = valueOfCall(*Call, Now))
      return *Told;
    if (auto Answer = answerAbout(*Call, Now))
      return *Answer;
  }
  return opaque(*E, Now);
}

ValueId ValueTable::valueOfUnary(const UnaryOperator &Op, const PlaceValues &Now) {
  const Expr *Sub = Op.getSubExpr();
  std::optional<ValueId> Out;
  if (Op.getOpcode() == UO_LNot)
    return fact(L.no(truth(Sub, Now)));
  if (Op.getOpcode() == UO_Plus || Op.isPrefix()) // the step is done
    return value(Sub, Now);
  if (Op.getOpcode() == UO_Minus)
    Out = sum(number({}), value(Sub, Now), -1);
  if (Op.isPostfix())
    Out = sum(value(Sub, Now), number(Linear::constant(1)), Op.isIncrementOp() ? -1 : 1);
  return Out ? *Out : opaque(Op, Now);
}

ValueId ValueTable::valueOfBinary(const BinaryOperator &Op, const PlaceValues &Now) {
  const Expr *Left = Op.getLHS(), *Right = Op.getRHS();
  std::optional<ValueId> Out;
  if (Op.isAssignmentOp())
    return value(Left, Now); // it is done
  if (Op.getOpcode() == BO_Comma)
    return value(Right, Now);
  if (Op.getOpcode() == BO_LAnd)
    return fact(L.both(truth(Left, Now), truth(Right, Now)));
  if (Op.getOpcode() == BO_LOr)
    return fact(L.either(truth(Left, Now), truth(Right, Now)));
  if (!isInteger(*bare(Left)) || !isInteger(*bare(Right)))
    return opaque(Op, Now);
  if (Op.isEqualityOp() || Op.isRelationalOp())
    return fact(compare(Op.getOpcode(), value(Left, Now), value(Right, Now)));
  if (Op.isAdditiveOp() && Op.getType()->isIntegerType())
    Out = sum(value(Left, Now), value(Right, Now), Op.getOpcode() == BO_Add ? 1 : -1);
  else if (auto By = Op.getOpcode() == BO_Mul ? constantOf(*Right, Context) : std::nullopt)
    Out = sum(number({}), value(Left, Now), *By);
  else if (auto By = Op.getOpcode() == BO_Mul ? constantOf(*Left, Context) : std::nullopt)
    Out = sum(number({}), value(Right, Now), *By);
  return Out ? *Out : opaque(Op, Now);
}

std::optional<ValueId> ValueTable::sum(ValueId A, ValueId B, int64_t Times) {
  if (!Values[A].Number || !Values[B].Number)
    return std::nullopt;
  auto Sum = Values[A].Number->plus(*Values[B].Number, Times);
  return Sum ? std::optional(number(std::move(*Sum))) : std::nullopt;
}

} // namespace tensorleak
