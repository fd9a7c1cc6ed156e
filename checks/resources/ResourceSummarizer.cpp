//===-- ResourceSummarizer.cpp --------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/ResourceSummarizer.h"

#include "checks/Budgets.h"
#include "checks/resources/conditions/Values.h"
#include "checks/source/Expressions.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

static bool isReturned(const ResourceSummary::Taken &T) {
  return llvm::any_of(T.Where, [](const RelativeResourcePath &Where) {
    return Where.Root == RelativeResourcePath::Returned;
  });
}

/// Deep call trees stay linear: see Budget::ResourceEffects.
template <typename T> static void addOnce(std::vector<T> &To, T Value) {
  if (!isOver(Budget::ResourceEffects, To.size() + 1) && !llvm::is_contained(To, Value))
    To.push_back(std::move(Value));
}

std::optional<RelativeResourcePath> ResourceSummarizer::relative(PathId P) const {
  RelativeResourcePath R;
  R.Steps = llvm::SmallVector<Step, 3>(Facts.Paths.steps(P));
  const ValueDecl *Variable = Facts.Paths.variable(P);
  if (!Variable)
    return R;
  if (isa<FunctionDecl>(Variable)) {
    R.Root = RelativeResourcePath::Variadic;
    return R;
  }
  if (const auto *Param = dyn_cast<ParmVarDecl>(Variable);
      Param && Param->getDeclContext() == Facts.Function) {
    R.Root = RelativeResourcePath::Param;
    R.Param_ = Param->getFunctionScopeIndex();
    return R;
  }
  const auto *Var = dyn_cast<VarDecl>(Variable);
  if (Facts.isOwnVariable(Variable) || !(Var || isa<BindingDecl>(Variable)) ||
      (Var && Var->hasLocalStorage() && Var->getDeclContext() == Facts.Function))
    return std::nullopt;
  R.Root = RelativeResourcePath::Variable;
  R.Var = Variable;
  return R;
}

void ResourceSummarizer::release(const ResourceEvent &E, const HeldValues &Values) {
  for (const HeldValue &V : Values)
    if (auto Where = V.What == HeldValue::Initial ? relative(V.Id) : std::nullopt;
        Where && !isOver(Budget::ResourceEffects, Out.Releases.size() + 1)) {
      auto Same = llvm::find_if(Out.Releases, [&](const auto &G) { return G.Where == *Where; });
      if (Same == Out.Releases.end())
        Out.Releases.push_back({*Where, E.Accepts});
      else
        Same->Accepts |= E.Accepts;
    }
}

void ResourceSummarizer::escape(const ResourceEvent &E, HeldValue V) {
  auto Where = V.What == HeldValue::Initial ? relative(V.Id) : std::nullopt;
  if (Where)
    addOnce(E.Kind == ResourceEventKind::Doubt ? Out.Doubts : Out.Escapes, *Where);
}

void ResourceSummarizer::view(HeldValue V) {
  if (auto Where = relative(V.Id))
    addOnce(Out.Views, *Where);
}

void ResourceSummarizer::treeEscape(PathId P) {
  if (Facts.isOwnStorage(P))
    return;
  if (auto Where = relative(P))
    addOnce(Out.TreesEscape, *Where);
}

void ResourceSummarizer::rotate(llvm::ArrayRef<PathId> Places) {
  std::vector<RelativeResourcePath> Outside;
  for (PathId P : Places)
    if (auto Where = relative(P); Where && !Facts.isOwnStorage(P))
      Outside.push_back(std::move(*Where));
  if (!Outside.empty())
    addOnce(Out.Rotates, std::move(Outside));
}

void ResourceSummarizer::take(RelativeResourcePath Where, SiteId Id, bool Maybe) {
  const Site &S = Facts.Sites[Id];
  for (ResourceSummary::Taken &T : Out.Takes) {
    if (llvm::is_contained(T.Where, Where)) { // another branch puts this there instead
      T.Also |= only(S.What) | S.Also;
      return;
    }
    if (T.Site != Id || S.IntoNamed)
      continue;
    T.Where.push_back(std::move(Where));
    T.Maybe |= Maybe; // a getter that fills the member at the first call returns it too
    return;
  }
  if (!isOver(Budget::ResourceEffects, Out.Takes.size() + 1))
    Out.Takes.push_back({Id,
                         {std::move(Where)},
                         S.What,
                         S.Inner.isValid() ? S.Inner : S.Call->getExprLoc(),
                         S.Bytes,
                         Maybe,
                         S.Also,
                         S.IntoNamed ? 0 : S.Elements,
                         S.Appended,
                         S.Index});
}

void ResourceSummarizer::returned(HeldValue V, llvm::ArrayRef<Step> Part) {
  RelativeResourcePath Where;
  Where.Root = RelativeResourcePath::Returned;
  Where.Steps.assign(Part.begin(), Part.end());
  if (V.isResource())
    return take(std::move(Where), V.Id, /*Maybe=*/false);
  auto From = relative(V.Id);
  if (From && V.What == HeldValue::Address && Part.empty() && !Facts.isOwnStorage(V.Id))
    addOnce(Out.ReturnsAddresses, *From);
  if (!From || V.What != HeldValue::Initial)
    return;
  const bool IsParam = From->Root == RelativeResourcePath::Param && From->Steps.empty();
  if (!IsParam)
    Returned.push_back({V.Id, {std::move(Where), std::move(*From)}});
  else if (!llvm::is_contained(Out.ReturnsParams, From->Param_))
    Out.ReturnsParams.push_back(From->Param_);
}

/// `if (ready) return;` comes before what the rest of the function takes.
void ResourceSummarizer::passBy(llvm::function_ref<bool(SiteId)> MayBeMissing) {
  for (ResourceSummary::Taken &T : Out.Takes)
    if (!T.Maybe && !isReturned(T))
      T.Maybe = MayBeMissing(T.Site);
}

/// A loop without rounds is no way of its own.
static bool isFilledByLoop(const ResourceFacts &Facts, PathId P, const HeldValues &Values) {
  std::set<SiteId> Sites;
  return llvm::all_of(Values,
                      [&](const HeldValue &V) {
                        if (!V.isResource())
                          return V.What == HeldValue::Initial && V.Id == P;
                        Sites.insert(V.Id);
                        return Facts.Sites[V.Id].Elements > 0;
                      }) &&
         Sites.size() == 1;
}

/// What the caller reaches by \p P has now what was at the path of \p V before.
void ResourceSummarizer::stored(PathId P, HeldValue V) {
  auto Where = relative(P), From = relative(V.Id);
  if (From && Where && !isOver(Budget::ResourceEffects, Out.Stores.size() + 1))
    addOnce(Out.Stores, {*Where, *From});
  else if (From)
    addOnce(Out.Escapes, *From);
}

void ResourceSummarizer::exit(const Stmt *At, const ResourceState &S, ResourceTransfer &Transfer) {
  Out.ReleasesAll = S.AllReleased && (Out.ReleasesAll || !AnyExit);
  AnyExit = true;
  HeldValues Kept = S.LetGo;
  for (const auto &[P, Values] : S.Holders) {
    if (Transfer.isOwnStorage(P, S))
      continue;
    if (!Values.count({HeldValue::Initial, P}))
      Replaced.insert(P);
    auto Where = relative(P);
    const bool HasOthers = !Facts.Paths.isExact(P) && Values.count({HeldValue::Initial, P});
    for (const HeldValue &V : Values) {
      if (Where && V.What == HeldValue::Resource && Transfer.mayOwn(V, S))
        take(*Where, V.Id,
             /*Maybe=*/Values.size() > 1u + HasOthers && !isFilledByLoop(Facts, P, Values));
      if (V.What == HeldValue::Address)
        treeEscape(V.Id); // `parent->child = this`
      if (V.What != HeldValue::Initial || V.Id == P)
        continue;
      stored(P, V);
      Kept.insert(V);
    }
  }
  addAnswers(At, S, std::move(Kept));
}

/// `if (table) return table;` gives what an earlier call has put there; the other way out fills it.
void ResourceSummarizer::judgeGetters() {
  for (ResourceSummary::Taken &T : Out.Takes)
    T.Maybe |= isReturned(T) && llvm::any_of(Returned, [&](const auto &Each) {
                 return llvm::is_contained(T.Where, Each.second.From);
               });
}

void ResourceSummarizer::judgeReturned() {
  judgeGetters();
  for (auto &[P, Each] : Returned)
    addOnce(Replaced.count(P) ? Out.MovesOut : Out.Returns, std::move(Each));
}

//===-- What is kept only where the result says so ------------------------===//

std::optional<bool> ResourceSummarizer::isZero(const Stmt *At, ASTContext &Context) {
  const auto *Return = dyn_cast_or_null<ReturnStmt>(At);
  auto Value =
      Return && Return->getRetValue() ? constantOf(*Return->getRetValue(), Context) : std::nullopt;
  return Value ? std::optional(*Value == 0) : std::nullopt;
}

/// `return queue.push(p);` is two ways out: one has kept what the other has not.
void ResourceSummarizer::addAnswers(const Stmt *At, const ResourceState &S, HeldValues Kept) {
  const auto *Return = dyn_cast_or_null<ReturnStmt>(At);
  const auto *Call =
      Return && Return->getRetValue() ? dyn_cast<CallExpr>(bare(Return->getRetValue())) : nullptr;
  std::optional<bool> OnZero;
  HeldValues Left = Kept;
  for (const auto &[V, Calls] : S.Offered) {
    Kept.insert(V);
    auto It = Calls.find(Call);
    if (It != Calls.end())
      OnZero = It->second;
    if (It != Calls.end() && Calls.size() == 1 && !S.LetGo.count(V))
      Left.erase(V);
    else
      Left.insert(V);
  }
  if (OnZero)
    Answers.push_back({!*OnZero, std::move(Left), S.Null});
  Answers.push_back(
      {OnZero ? OnZero : isZero(At, Facts.Function->getASTContext()), std::move(Kept), S.Null});
}

/// Whether a function that returns zero has kept \p V, and one that does not return it has left it;
/// false for the opposite. A null pointer is nobody's.
std::optional<bool> ResourceSummarizer::acceptingAnswer(HeldValue V) const {
  std::optional<bool> Refusing;
  for (const Answer &A : Answers)
    if (!A.Kept.count(V) && !A.Null.count(V)) {
      if (!A.IsZero || Refusing.value_or(*A.IsZero) != *A.IsZero)
        return std::nullopt;
      Refusing = A.IsZero;
    }
  const bool IsClear = Refusing && llvm::all_of(Answers, [&](const Answer &A) {
                         return !A.Kept.count(V) || (A.IsZero && *A.IsZero != *Refusing);
                       });
  return IsClear ? std::optional(!*Refusing) : std::nullopt;
}

/// A plain value that the caller still has when the function has returned.
static bool leavesItToCaller(const ParmVarDecl &Param) {
  const QualType Type = Param.getType().getNonReferenceType();
  const auto *Class = Type->getAsCXXRecordDecl();
  const bool IsPlain =
      Class ? Class->hasDefinition() && Class->hasTrivialDestructor() : Type->isScalarType();
  return IsPlain && (Type == Param.getType() || Type.isConstQualified());
}

void ResourceSummarizer::judgeAccepted() {
  HeldValues Kept;
  for (const Answer &A : Answers)
    Kept.insert(A.Kept.begin(), A.Kept.end());
  for (const HeldValue &V : Kept) {
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(Facts.Paths.variable(V.Id));
    auto What = Param && leavesItToCaller(*Param) ? relative(V.Id) : std::nullopt;
    const bool IsPart =
        What && llvm::all_of(What->Steps, [](const Step &S) { return S.What == Step::Field; });
    if (auto OnZero = IsPart ? acceptingAnswer(V) : std::nullopt)
      addOnce(Out.Accepts, {std::move(*What), *OnZero});
  }
}

} // namespace tensorleak
