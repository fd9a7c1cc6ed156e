//===-- ValueAnswers.cpp - What calls return, and what that says ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/conditions/Values.h"

#include "checks/model/boxes/Boxes.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/calls/AskedResults.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

//===-- Status of calls ---------------------------------------------------===//

/// A macro's argument may be evaluated again where the call has failed:
/// `if (call) report(call)`. Whoever wrote it has one call.
static std::pair<unsigned, unsigned> writtenAt(const Expr &E, const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  SourceLocation Loc = E.getExprLoc();
  return {Sources.getSpellingLoc(Loc).getRawEncoding(),
          Sources.getExpansionLoc(Loc).getRawEncoding()};
}

LoopSet ValueTable::loopsAround(SiteId Id) const {
  auto It = BlockOf.find(Id);
  return It == BlockOf.end() ? 0 : Rounds.around(It->second);
}

TermId ValueTable::statusOf(SiteId Id) {
  const Expr &Call = *Facts.Sites[Id].Call;
  auto [It, New] = Statuses.try_emplace(writtenAt(Call, Context), 0);
  if (New) {
    Term T = termOf(Call.getType());
    T.Status = Term::OfTake;
    T.ZeroMeansFailed = Call.getType()->isBooleanType();
    T.IsCertain = true;
    T.Loops = loopsAround(Id);
    It->second = L.add(std::move(T));
  }
  return It->second;
}

/// The call says whether it has taken something.
bool ValueTable::isStatus(const CallExpr &Call) const {
  auto It = Facts.Statuses.find(&Call);
  return It != Facts.Statuses.end() && !It->second.Sites.empty();
}

TermId ValueTable::resultOf(const CallExpr &Call) {
  if (isStatus(Call))
    return statusOf(Facts.Statuses.find(&Call)->second.Sites.front());
  auto [It, New] = Statuses.try_emplace(writtenAt(Call, Context), 0);
  if (New) {
    const bool IsPair = Call.getType()->isRecordType(); // whose bool is the answer
    Term T = termOf(IsPair ? Context.BoolTy : Call.getType());
    T.IsCertain = true;
    T.Loops = Rounds.around(Asked.lookup(&Call));
    It->second = L.add(std::move(T));
  }
  return It->second;
}

/// `all.emplace(key, p).second`.
const CallExpr *ValueTable::askedPair(const Expr &E) const {
  const auto *Call = dyn_cast_or_null<CallExpr>(pairAskedBy(E));
  return Call && Asked.count(Call) ? Call : nullptr;
}

/// `auto [it, isNew] = all.emplace(key, p);`
const CallExpr *ValueTable::pairKept(const Stmt &S, PlaceId P) const {
  const auto *V = dyn_cast_or_null<VarDecl>(Places[P].Chain.front().Decl);
  const auto *D = dyn_cast<DeclStmt>(&S);
  if (!D || !V || !V->getInit() || !Places[P].type()->isBooleanType() ||
      !llvm::is_contained(D->decls(), V))
    return nullptr;
  const auto *Call = dyn_cast<CallExpr>(bare(V->getInit()));
  return Call && Asked.count(Call) ? Call : nullptr;
}

Condition ValueTable::answered(const CallAnswer &A) {
  Condition IsZero = L.isZero(Linear::term(resultOf(*A.Call)));
  return A.IsZero ? IsZero : L.no(IsZero);
}

Condition ValueTable::taken(SiteId Id) {
  const Site &S = Facts.Sites[Id];
  Condition Had = L.always();
  if (auto It = Facts.Statuses.find(S.Call);
      It != Facts.Statuses.end() && llvm::is_contained(It->second.Sites, Id)) {
    TermId T = statusOf(Id);
    Condition IsZero = L.isZero(Linear::term(T));
    Had = L.term(T).ZeroMeansFailed ? L.no(IsZero) : IsZero;
  }
  if (!S.SomeWays)
    return Had;
  auto [It, New] = DecidedByCallee.try_emplace(Id, 0);
  if (New) {
    Term T;
    T.Max = 1;
    T.Min = 0;
    T.IsCertain = false;
    T.Loops = loopsAround(Id);
    It->second = L.add(std::move(T));
  }
  return L.both(Had, L.no(L.isZero(Linear::term(It->second))));
}

//===-- Answers about numbers -----------------------------------------------===//

/// It has nothing to do with how a call went.
bool ValueTable::isPlainNumber(ValueId V) const {
  bool IsPlain = !Failures.count(V);
  forEachNumber(V, [&](const Linear *Sum) {
    IsPlain &=
        Sum && llvm::all_of(Sum->Terms, [&](const auto &T) {
          return L.term(T.first).Status == Term::NoStatus && L.term(T.first).AskedAbout.empty();
        });
  });
  return IsPlain;
}

/// `std::mt19937 &`: an object of the library that holds nothing of others.
static bool isPlainObject(QualType Param) {
  const QualType T = Param.getNonReferenceType();
  const auto *Class = T->getAsCXXRecordDecl();
  return Class && Class->isInStdNamespace() && !isContainer(T) && boxKind(T) == BoxKind::None;
}

/// What \p E is made of, and reads, is what another expression may be made of and read as well.
void ValueTable::describe(const Expr &E, const PlaceValues &Now, llvm::FoldingSetNodeID &Key,
                          LoopSet &In) {
  if (E.HasSideEffects(Context)) {
    Key.AddPointer(&E);
    In |= Around;
    return;
  }
  E.Profile(Key, Context, /*Canonical=*/true);
  std::set<PlaceId> Mentioned;
  Places.mentioned(E, Mentioned);
  for (PlaceId P : Mentioned) {
    ValueId V = read(P, Now);
    Key.AddInteger(V);
    In |= loopsOf(V);
  }
}

/// A function that is asked about numbers knows nothing of who owns what.
bool ValueTable::isAskedAboutNumbers(const CallExpr &Call, const PlaceValues &Now) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || isa<CXXMethodDecl>(Callee) || !Call.getType()->isBooleanType() ||
      Call.getNumArgs() == 0 || Call.getNumArgs() != Callee->getNumParams())
    return false;
  return llvm::all_of(llvm::zip(Call.arguments(), Callee->parameters()), [&](const auto &Given) {
    const auto [Arg, Param] = Given;
    const QualType T = Param->getType();
    return isPlainObject(T) || (T->isArithmeticType() && isPlainNumber(value(Arg, Now)));
  });
}

/// `accepts(energy, rng)`: about the same numbers it gives the same answer.
std::optional<ValueId> ValueTable::answerAbout(const CallExpr &Call, const PlaceValues &Now) {
  if (!isAskedAboutNumbers(Call, Now))
    return std::nullopt;
  Term T = termOf(Call.getType());
  llvm::FoldingSetNodeID Key;
  Key.AddPointer(Call.getDirectCallee()->getCanonicalDecl());
  for (const auto [Arg, Param] : llvm::zip(Call.arguments(), Call.getDirectCallee()->parameters()))
    if (isPlainObject(Param->getType())) { // which is another one after that
      Key.AddPointer(Arg);
      T.Loops |= Around;
    } else {
      describe(*Arg, Now, Key, T.Loops);
    }
  auto [It, New] = Opaque.try_emplace(Key, 0);
  if (!New)
    return It->second;
  mentions(&Call, [&](const Expr &Part) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&Part))
      T.Mentions.push_back(Ref->getDecl());
    return false;
  });
  T.AskedAbout = T.Mentions;
  return It->second = number(Linear::term(L.add(std::move(T))));
}

Replies ValueTable::knownReplies(const ParmVarDecl &Argument, const Stmt &Body) {
  auto [It, New] = RepliesTo.try_emplace(&Argument);
  if (New)
    It->second = repliesTo(Argument, Body);
  return It->second;
}

ValueId ValueTable::replied(const Reply &R, ValueId Argument) {
  return R.Is == Reply::TheArgument ? Argument : number(Linear::constant(R.Value));
}

/// `succeeded(cudaMalloc(&p, n), "p")`: the body says what it returns for a success.
std::optional<ValueId> ValueTable::repliedTo(const CallExpr &Call, const PlaceValues &Now) {
  std::optional<ValueId> Out;
  forEachGiven(Call, [&](const ParmVarDecl &Argument, const Expr &Given, const Stmt &Body) {
    if (Out || !isInteger(*bare(&Given)))
      return;
    const Replies R = knownReplies(Argument, Body);
    if (!R.tellApart())
      return;
    const ValueId V = value(&Given, Now);
    const ValueId OnZero = replied(R.OnZero, V), OnOther = replied(R.OnOther, V);
    const Condition Held = holds(V);
    Out =
        add({std::nullopt, nullptr, {{L.no(Held), OnZero}, {Held, OnOther}}, 1 + Values[V].Depth});
  });
  return Out;
}

/// `checked(cudaMalloc(&p, n), __FILE__, __LINE__)` returns the status that it was given.
std::optional<ValueId> ValueTable::valueOfCall(const CallExpr &Call, const PlaceValues &Now) {
  if (isStatus(Call) || Asked.count(&Call))
    return number(Linear::term(resultOf(Call)));
  if (auto Told = repliedTo(Call, Now))
    return Told;
  for (const Expr *Arg : Call.arguments()) {
    if (!Context.hasSameUnqualifiedType(Arg->getType(), Call.getType()))
      continue;
    ValueId V = value(Arg, Now);
    const auto &Sum = Values[V].Number;
    if (Sum && Sum->Terms.size() == 1 && L.term(Sum->Terms.front().first).Status == Term::OfTake)
      return V;
  }
  return std::nullopt;
}

Condition ValueTable::keptFailures(const Expr &E, const PlaceValues &Now) {
  Condition Out = L.always();
  mentions(&E, [&](const Expr &Part) {
    const bool IsVariable = isa<DeclRefExpr, MemberExpr>(Part);
    auto Object = IsVariable && Part.getType()->isRecordType() ? Places.find(&Part) : std::nullopt;
    auto Kept = Object                          ? Failures.find(read(*Object, Now))
                : IsVariable && isInteger(Part) ? Failures.find(value(&Part, Now))
                                                : Failures.end();
    if (Kept != Failures.end())
      Out = L.both(Out, Kept->second);
    return false;
  });
  return Out;
}

/// What the object that \p Part names was made from, for good: `const Result &r = equal(status,
/// 0)`.
static const Expr *askedThrough(const Expr &Part) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  const bool IsAnswer = V && V->isLocalVarDecl() && !V->isStaticLocal() &&
                        V->getType().getNonReferenceType()->isRecordType() &&
                        V->getType().getNonReferenceType().isConstQualified();
  return IsAnswer ? V->getInit() : nullptr;
}

Condition ValueTable::allFailed(const Expr &E, const PlaceValues &Now) {
  Condition Out = keptFailures(E, Now);
  mentions(&E, [&](const Expr &Part) {
    if (const Expr *Asked = askedThrough(Part))
      Out = L.both(Out, allFailed(*Asked, Now));
    if (const auto *Call = dyn_cast<CallExpr>(&Part); Call && Call->getType()->isRecordType())
      Out = L.both(Out, failedIn(*Call));
    bool IsOperand = isa<CallExpr, DeclRefExpr, MemberExpr>(Part) && isInteger(Part);
    if (!IsOperand)
      return false;
    const auto Sum = Values[value(&Part, Now)].Number;
    if (!Sum || Sum->Terms.size() != 1)
      return false;
    const Term &T = L.term(Sum->Terms.front().first);
    Condition IsZero = L.isZero(*Sum);
    if (T.Status != Term::NoStatus)
      Out = L.both(Out, T.ZeroMeansFailed ? IsZero : L.no(IsZero));
    return false;
  });
  return Out;
}

} // namespace tensorleak
