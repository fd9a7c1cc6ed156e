//===-- ValueConditions.cpp - What comparisons and writes say of values ---===//
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

//===-- Conditions --------------------------------------------------------===//

std::vector<std::pair<Condition, ValueId>> ValueTable::choicesOf(ValueId V) {
  if (Values[V].Number)
    return {{L.always(), V}};
  if (Condition C = Values[V].Truth) {
    ValueId One = number(Linear::constant(1)), Zero = number(Linear::constant(0));
    return {{C, One}, {L.no(C), Zero}};
  }
  return Values[V].Choices;
}

Condition ValueTable::compareNumbers(Opcode Op, const Linear &A, const Linear &B) {
  auto Less = A.plus(B, -1), Greater = B.plus(A, -1);
  if (!Less || !Greater) { // numbers that nobody compares
    Term T;
    T.IsCertain = false;
    return L.isZero(Linear::term(L.add(T)));
  }
  switch (Op) {
  case BO_LT:
    return L.isNegative(*Less);
  case BO_GT:
    return L.isNegative(*Greater);
  case BO_LE:
    return L.no(L.isNegative(*Greater));
  case BO_GE:
    return L.no(L.isNegative(*Less));
  case BO_EQ:
    return L.isZero(*Less);
  default:
    return L.no(L.isZero(*Less));
  }
}

Condition ValueTable::compare(Opcode Op, ValueId A, ValueId B) {
  if (Values[A].Number && Values[B].Number)
    return compareNumbers(Op, Linear(*Values[A].Number), Linear(*Values[B].Number));
  Condition Out = L.never();
  for (const auto &[WhenA, EachA] : choicesOf(A))
    for (const auto &[WhenB, EachB] : choicesOf(B))
      Out = L.either(Out, L.both(L.both(WhenA, WhenB), compare(Op, EachA, EachB)));
  return Out;
}

Condition ValueTable::isLess(ValueId V, int64_t Bound) {
  return compare(BO_LT, V, number(Linear::constant(Bound)));
}

Condition ValueTable::holds(ValueId V) {
  if (Condition C = Values[V].Truth)
    return C;
  return compare(BO_NE, V, number(Linear::constant(0)));
}

Condition ValueTable::truth(const Expr *E, const PlaceValues &Now) { return holds(value(E, Now)); }

Condition ValueTable::equals(const Expr *E, int64_t Constant, const PlaceValues &Now) {
  return compare(BO_EQ, value(E, Now), number(Linear::constant(Constant)));
}

void ValueTable::forEachNumber(ValueId V, llvm::function_ref<void(const Linear *)> Visit) const {
  if (Values[V].Choices.empty())
    return Visit(Values[V].Number ? &*Values[V].Number : nullptr);
  for (const auto &[When, Each] : Values[V].Choices)
    forEachNumber(Each, Visit);
}

//===-- Writes ------------------------------------------------------------===//

/// What a call returned is not known, and stays the same as long as the variable keeps it.
ValueId ValueTable::answer(PlaceId P, const Expr &From) {
  Term T = termOf(Places[P].type());
  if (T.Status == Term::NoStatus) {
    T.Mentions.push_back(&Places[P].last());
    mentions(&From, [&](const Expr &Part) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
      if (Ref && isa<VarDecl>(Ref->getDecl()))
        T.AskedAbout.push_back(Ref->getDecl());
      return false;
    });
  }
  T.Loops = Around;
  return number(Linear::term(L.add(std::move(T))));
}

bool ValueTable::isUnderstood(ValueId V) const {
  auto IsKnown = [&](const Linear &Sum) {
    return llvm::all_of(Sum.Terms, [&](const auto &T) {
      return L.term(T.first).IsCertain && L.term(T.first).AskedAbout.empty();
    });
  };
  const PlaceValue &Of = Values[V];
  return (!Of.Number || IsKnown(*Of.Number)) &&
         (!Of.Truth ||
          llvm::all_of(L.atomsOf(Of.Truth), [&](unsigned Atom) { return IsKnown(L.sumOf(Atom)); }));
}

/// `bool ok = check(cudaMalloc(&p, n));`: whoever leaves by the variable leaves by the call.
void ValueTable::keepFailure(ValueId V, const Expr &From, const PlaceValues &Now) {
  if (!From.getType()->isBooleanType() || isUnderstood(V))
    return;
  if (Condition Failed = allFailed(From, Now); !Failed->isLiteral(true))
    Failures[V] = Failed;
}

/// What \p S, or the calls among its arguments, should have taken is not there.
Condition ValueTable::failedIn(const Stmt &S) {
  Condition Out = L.always();
  auto Add = [&](const Expr *E) {
    auto Told = Facts.Statuses.find(E);
    if (Told != Facts.Statuses.end())
      for (SiteId Id : Told->second.Sites)
        if (Condition Had = taken(Id); !Had->isLiteral(true))
          Out = L.both(Out, L.no(Had));
  };
  const auto *Call = dyn_cast<CallExpr>(&S);
  if (!Call)
    return Out;
  Add(Call);
  for (const Expr *Arg : Call->arguments())
    Add(bare(Arg));
  return Out;
}

/// `note(cudaMalloc(&p, n), ok);`, `take(&p, status);`: whoever leaves by what is written there
/// leaves by the call.
ValueId ValueTable::writtenBy(const Stmt &S, PlaceId P, bool IsCertain) {
  ValueId V = unknown(P, IsCertain);
  if (Condition Failed = failedIn(S); !Failed->isLiteral(true))
    Failures[V] = Failed;
  return V;
}

ValueId ValueTable::assigned(PlaceId P, const Expr &From, const PlaceValues &Now) {
  const auto *Call = dyn_cast_or_null<CallExpr>(bare(&From));
  if (!isInteger(From)) // `Status status = load(&p);`
    return Call ? writtenBy(*Call, P, true) : unknown(P, true);
  bool IsAnswer = Call && !constantOf(From, Context) && !valueOfCall(*Call, Now);
  ValueId V = IsAnswer ? answer(P, From) : value(&From, Now);
  if (isOver(Budget::NestedChoices, Values[V].Depth))
    return unknown(P, true);
  keepFailure(V, From, Now);
  return V;
}

//===-- What calls take -----------------------------------------------------===//

/// Variables and members that a call puts a resource into, by its address.
void ValueTable::findAcquired() {
  for (const std::vector<ResourceEvent> &Events : Facts.Blocks)
    for (const ResourceEvent &E : Events) {
      if (E.Kind != ResourceEventKind::Acquire || E.Path == NoPath || E.Maybe)
        continue;
      ConditionPlaces::Chain Chain{Facts.Paths.last(Facts.Paths.rootOf(E.Path))};
      auto Steps = Facts.Paths.steps(E.Path);
      Chain.append(Steps.begin(), Steps.end());
      bool IsPlain = llvm::all_of(
          Steps, [](const Step &S) { return S.What == Step::Field || S.What == Step::Held; });
      if (auto P = IsPlain ? Places.find(Chain) : std::nullopt;
          P && Places[*P].type()->isPointerType())
        Acquired[{E.At, *P}] = E.Site;
    }
}

/// A pointer is not null where the call has put something there, and keeps its value else.
std::optional<ValueId> ValueTable::acquired(PlaceId P, const Stmt &At, const PlaceValues &Now) {
  auto It = Acquired.find({&At, P});
  if (It == Acquired.end())
    return std::nullopt;
  Term T = termOf(Places[P].type());
  T.Min = 1;
  T.Loops = Around;
  T.Mentions.push_back(&Places[P].last());
  ValueId Taken = number(Linear::term(L.add(std::move(T))));
  Condition Had = taken(It->second);
  return Had->isLiteral(true) ? Taken : choose(P, {{Had, Taken}, {L.no(Had), read(P, Now)}});
}

ValueId ValueTable::stepped(PlaceId P, const Expr &By, const PlaceValues &Now) {
  const auto *Set = dyn_cast<BinaryOperator>(&By);
  if (Set && Set->getOpcode() == BO_Assign)
    return assigned(P, *Set->getRHS(), Now);
  std::optional<ValueId> Out;
  if (const auto *Step = dyn_cast<UnaryOperator>(&By))
    Out = sum(read(P, Now), number(Linear::constant(1)), Step->isIncrementOp() ? 1 : -1);
  else if (Set && (Set->getOpcode() == BO_AddAssign || Set->getOpcode() == BO_SubAssign))
    Out = sum(read(P, Now), value(Set->getRHS(), Now), Set->getOpcode() == BO_AddAssign ? 1 : -1);
  return Out ? *Out : unknown(P, true);
}

void ValueTable::apply(const Stmt &S, PlaceValues &Now) {
  Places.forEachWrite(S, [&](PlaceId P, const Expr *By) {
    bool IsDeclared = isa<DeclStmt>(S);
    if (auto Taken = acquired(P, S, Now))
      Now[P] = *Taken;
    else if (const CallExpr *Pair = By ? nullptr : pairKept(S, P))
      Now[P] = number(Linear::term(resultOf(*Pair)));
    else if (!By || By->getType().isNull())
      Now[P] = writtenBy(S, P, IsDeclared);
    else
      Now[P] = IsDeclared ? assigned(P, *By, Now) : stepped(P, *By, Now);
  });
}

ValueId ValueTable::choose(PlaceId P, std::vector<std::pair<Condition, ValueId>> Choices) {
  unsigned Depth = 0;
  for (const auto &[When, V] : Choices)
    Depth = std::max(Depth, Values[V].Depth + 1);
  if (isOver(Budget::NestedChoices, Depth) || isOver(Budget::Choices, Choices.size()))
    return unknown(P, false);
  return add({std::nullopt, nullptr, std::move(Choices), Depth});
}

} // namespace tensorleak
