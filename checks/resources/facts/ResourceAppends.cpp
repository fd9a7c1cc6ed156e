//===-- ResourceAppends.cpp - Lists that a loop fills, element by element --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element of a list holds what is not followed. But who puts one behind the others in each
// round of a loop, and gives back a single one by its place, leaves the others.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {

/// No condition stands between \p S and \p Part but those of loops.
bool isAlwaysBelow(const Stmt *S, const Stmt &Part) {
  if (!S || S == &Part)
    return S;
  if (const auto *If = dyn_cast<IfStmt>(S))
    return isAlwaysBelow(If->getCond(), Part);
  if (isa<SwitchStmt, AbstractConditionalOperator, LambdaExpr>(S))
    return false;
  return llvm::any_of(S->children(), [&](const Stmt *Child) { return isAlwaysBelow(Child, Part); });
}

/// How many rounds there are at least, as far as one can tell: a loop is for more than one.
static unsigned leastRounds(const Stmt &Loop, const Stmt *Whole, const ASTContext &Context) {
  constexpr unsigned Several = 2;
  auto Counted = countedLoop(Loop, Whole, Context);
  const unsigned Rounds = Counted ? roundsOf(*Counted, Context) : ManyElements;
  return Rounds == ManyElements ? Several : Rounds;
}

/// What was put into \p P, of the function's own; nothing where that is more than one thing.
std::optional<SiteId> ResourceGenerator::onlySiteAt(PathId P) const {
  std::optional<SiteId> Found;
  for (const auto &Block : Out->Blocks)
    for (const ResourceEvent &E : Block) {
      if (E.Path != P || E.Kind == ResourceEventKind::Declare)
        continue;
      const bool IsStored = E.Kind == ResourceEventKind::Assign;
      if (IsStored && E.Value.empty())
        continue; // `= nullptr`
      const bool IsFresh = IsStored && E.Value.size() == 1 && E.Value[0].What == Atom::Fresh;
      if (Found || !(E.Kind == ResourceEventKind::Acquire || IsFresh))
        return std::nullopt;
      Found = IsFresh ? E.Value[0].Id : E.Site;
    }
  return Found;
}

/// What was put into the variable that \p Value names, or what it takes itself; nothing where
/// that is more than one thing.
std::optional<SiteId> ResourceGenerator::onlySiteOf(const Expr &Value) {
  Operand Atoms = operand(&Value);
  if (Atoms.size() != 1)
    return std::nullopt;
  if (Atoms[0].What == Atom::Fresh)
    return Atoms[0].Id;
  const PathId P = Atoms[0].Id;
  const auto *V = Out->Paths.variable(P);
  const bool IsOwn = Atoms[0].What == Atom::Load && P == Out->Paths.root(V);
  return IsOwn && Out->isOwnVariable(V) ? onlySiteAt(P) : std::nullopt;
}

/// The same of the members of a record: `Level l; cudaMalloc(&l.data, n); all.push_back(l);`.
llvm::SmallVector<SiteId, 2> ResourceGenerator::sitesIn(const Expr &Value) {
  llvm::SmallVector<SiteId, 2> Sites;
  if (auto Id = onlySiteOf(Value))
    Sites.push_back(*Id);
  if (const auto *List = dyn_cast<InitListExpr>(bare(&Value)))
    for (const Expr *Part : List->inits())
      if (Part) // null after errors
        Sites.append(sitesIn(*Part));
  const QualType Type = Value.getType(); // null for a list in code that is half typed
  const PathId Record = !Type.isNull() && Type->isRecordType() ? pathOf(&Value) : NoPath;
  if (Record == NoPath || !Out->isOwnVariable(Out->Paths.variable(Record)))
    return Sites;
  for (PathId P = 0; P < Out->Paths.size(); ++P)
    if (auto Id = Out->Paths.parent(P) == Record ? onlySiteAt(P) : std::nullopt)
      Sites.push_back(*Id);
  return Sites;
}

/// The number of the first element that \p Call, in \p Loop, puts into the list \p Object, as far
/// as the loop's counter tells; where other calls put something there too, that cannot be told.
unsigned ResourceGenerator::firstAppended(const Expr &Call, PathId Object, const Stmt &Loop) {
  const bool AreOthers = anyBelow(Out->Function->getBody(), [&](const Stmt &S) {
    const auto *Other = dyn_cast<CXXMemberCallExpr>(&S);
    auto E = Other && Other != &Call && Other->getMethodDecl()
                 ? Api.effectOf(*Other->getMethodDecl())
                 : std::nullopt;
    return E && E->What == Does::Grow && pathOfObject(Other->getImplicitObjectArgument()) == Object;
  });
  if (AreOthers)
    return ManyElements;
  for (const auto &[Counter, Loops] : ElementLoops)
    for (const ElementLoop &Each : Loops)
      if (Each.Body == loopBody(Loop))
        return Each.First;
  return 0;
}

/// \p Call puts \p Value behind the others.
void ResourceGenerator::noteAppended(const CallExpr &Call, PathId Object, const Expr &Value) {
  const Stmt *Body = Out->Function->getBody();
  const Stmt *Loop = loopAround(Body, Call);
  if (!isAlwaysBelow(Body, Call))
    return;
  for (SiteId Id : sitesIn(Value)) {
    Site &S = Out->Sites[Id];
    if ((Loop && !contains(Loop, S.Call)) || !isAlwaysBelow(Body, *S.Call))
      continue;
    S.Appended = Loop ? leastRounds(*Loop, Body, Context) : 1;
    S.First = Loop ? firstAppended(Call, Object, *Loop) : 0;
  }
}

/// `v[i] = made();`, `v[i] = p;`
void ResourceGenerator::noteStored(const Expr &Element, const Expr &Value) {
  auto Id = indexOf(&Element) ? onlySiteOf(Value) : std::nullopt;
  if (Id && !Out->Sites[*Id].several())
    fillElements(*Id, *Out->Sites[*Id].Call, Element);
}

/// A callee that \p Call runs puts something behind the others.
void ResourceGenerator::noteAppendedTo(SiteId Id, const Expr &Call) {
  const Stmt *Body = Out->Function->getBody();
  const Stmt *Loop = loopAround(Body, Call);
  Out->Sites[Id].Appended = Loop ? leastRounds(*Loop, Body, Context) : 1;
  Out->Sites[Id].First = ManyElements;
}

/// The container of which \p Element names a single element, and which one: `v[0]`, `v.at(0)`, or,
/// as another place each time, `v.front()` and `v.back()`.
static std::pair<const Expr *, std::optional<int64_t>> placeOf(const Expr &Element,
                                                               const ASTContext &Context) {
  const auto *Call = dyn_cast<CallExpr>(&Element);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee)
    return {};
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(Call);
  if (Op && Op->getOperator() == OO_Subscript && !Op->getArg(1)->getType()->isRecordType())
    return {Op->getArg(0), constantIn(Context, Op->getArg(1))};
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member || !isOfStandardClass(*Callee) || !Callee->getReturnType()->isReferenceType())
    return {};
  const Expr *Object = Member->getImplicitObjectArgument();
  if (Call->getNumArgs() == 0)
    return {Object, -int64_t(Call->getExprLoc().getRawEncoding())};
  const bool IsNumber = Call->getNumArgs() == 1 && Call->getArg(0)->getType()->isIntegerType();
  return {Object, IsNumber ? constantIn(Context, Call->getArg(0)) : std::nullopt};
}

/// The next call of the function finds another element there.
bool ResourceGenerator::isShrunkHere(const Expr &Container) {
  const PathId Object = pathOfObject(&Container);
  if (Object == NoPath || Out->isOwnStorage(Object) || isa<CXXDestructorDecl>(Out->Function))
    return false;
  return anyBelow(Out->Function->getBody(), [&](const Stmt &S) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    auto E = Method ? Api.effectOf(*Method) : std::nullopt;
    return E && E->What == Does::Shrink &&
           pathOfObject(Call->getImplicitObjectArgument()) == Object;
  });
}

/// \p E, or what the variable was given that it reads: `float *last = v.back(); free(last);`.
static const Expr &asGiven(const Expr &E, const Stmt &Body) {
  const VarDecl *V = constantName(E, Body);
  return *bare(V && V->getInit() ? V->getInit() : &E);
}

/// `while (!v.empty()) { free(v[0]); v.erase(v.begin()); }`
bool ResourceGenerator::mayBeAnother(const Expr &Element) {
  const Expr *Container = placeOf(asGiven(Element, *Out->Function->getBody()), Context).first;
  return Container && isShrunkHere(*Container);
}

/// `free(all[current])` in a destructor, or of the function's own: one element, whichever that is.
bool ResourceGenerator::isSingleForGood(const Expr &Element) {
  const auto *Part = dyn_cast<ArraySubscriptExpr>(&Element);
  const PathId All = Part ? pathOf(&Element) : NoPath;
  return All != NoPath && !constant(Part->getIdx()) &&
         (isa<CXXDestructorDecl>(Out->Function) || (Out->isOwnVariable(Out->Paths.variable(All)) &&
                                                    !isa<ParmVarDecl>(Out->Paths.variable(All))));
}

/// `free(v[0])`, once: in a loop, another may have come there.
std::optional<int64_t> ResourceGenerator::elementFreedBy(const CallExpr &Call, const Expr &Arg) {
  const Expr &Given = asGiven(Arg, *Out->Function->getBody());
  auto [Container, Place] = placeOf(Given, Context);
  if (isSingleForGood(Given))
    Place = -int64_t(Call.getExprLoc().getRawEncoding());
  else if (!Place || isShrunkHere(*Container))
    return std::nullopt;
  return loopAround(Out->Function->getBody(), Call) ? std::nullopt : Place;
}

/// \p P with any element in the place of the last that it names; NoPath where it names none.
static PathId ofAnyElement(PathTable &Paths, PathId P) {
  const Step Last = Paths.last(P);
  if (Last.What == Step::Elem)
    return Paths.extend(Paths.parent(P), Step::elem());
  const PathId Whole = Last.What == Step::Root ? NoPath : ofAnyElement(Paths, Paths.parent(P));
  return Whole == NoPath ? NoPath : Paths.extend(Whole, Last);
}

/// In a loop, a callee that gives back the first element of a list, or a part of that, finds
/// another one there in each round.
Operand ResourceGenerator::anyInLoop(const Stmt &Call, Operand Elements) {
  if (!loopAround(Out->Function->getBody(), Call))
    return Elements;
  for (Atom &A : Elements)
    if (const PathId P = A.What == Atom::Load ? ofAnyElement(Out->Paths, A.Id) : NoPath;
        P != NoPath)
      A.Id = P;
  return Elements;
}

const VariableUses &ResourceGenerator::uses() {
  if (!Uses)
    Uses.emplace(*Out->Function->getBody());
  return *Uses;
}

/// Before the element \p Limit, or \p Behind that.
ElementEnd ResourceGenerator::endAt(const Expr &Limit, int64_t Behind) {
  if (auto Number = constant(&Limit))
    return {nullptr, *Number + Behind};
  const auto *Sum = dyn_cast<BinaryOperator>(bare(&Limit));
  if (auto By = Sum && Sum->isAdditiveOp() ? constant(Sum->getRHS()) : std::nullopt)
    return endAt(*Sum->getLHS(), Behind + (Sum->getOpcode() == BO_Sub ? -*By : *By));
  const VarDecl *V = uses().unchanged(Limit);
  if (V && !isa<ParmVarDecl>(V) && V->getInit())
    if (ElementEnd Begun = endAt(*V->getInit(), Behind); Begun.Number)
      return Begun;
  if (V)
    return {V, Behind};
  const auto *Member = dyn_cast_or_null<FieldDecl>(variableOrMember(&Limit));
  return Member && Counts.isGivenOnce(*Member) ? ElementEnd{Member, Behind} : ElementEnd();
}

/// `i < v.size() - 1`, around what is done to `v[i]`: the last one is none of them.
unsigned ResourceGenerator::sparedAtEnd(const ElementLoop &Loop, const Expr &Element) {
  const VarDecl *Name = constantName(*Loop.Limit, *Out->Function->getBody());
  const Expr *Limit = bare(Name && Name->getInit() ? Name->getInit() : Loop.Limit);
  const auto *Less = dyn_cast<BinaryOperator>(Limit);
  const auto Off = Less && Less->getOpcode() == BO_Sub ? constant(Less->getRHS()) : std::nullopt;
  const auto *Size = dyn_cast<CXXMemberCallExpr>(Off ? bare(Less->getLHS()) : Limit);
  const Expr *Named = &Element;
  while (const auto *Member = dyn_cast<MemberExpr>(Named)) // `v[i].data`
    Named = bare(Member->getBase());
  const auto *Part = dyn_cast<CXXOperatorCallExpr>(Named);
  if (!Size || !Part || Part->getOperator() != OO_Subscript || Size->getNumArgs() != 0 ||
      !Size->getMethodDecl() || !isOfStandardClass(*Size->getMethodDecl()))
    return 0;
  const PathId Of = pathOfObject(Size->getImplicitObjectArgument());
  const int64_t By = Off.value_or(0) + Loop.Ahead;
  return Of != NoPath && Of == pathOf(Part->getArg(0)) && By > 0 ? unsigned(By) : 0;
}

/// That of which each round does \p Call to another element.
const ElementLoop *ResourceGenerator::loopOver(const Expr &Element, const CallExpr &Call) {
  const ValueDecl *Index = indexOf(&Element);
  auto Loops = Index ? ElementLoops.find(Index) : ElementLoops.end();
  if (Loops != ElementLoops.end())
    for (const ElementLoop &Loop : Loops->second)
      if (contains(Loop.Body, &Call))
        return &Loop;
  return nullptr;
}

/// `for (int i = 1; i < n; ++i) free(v[i]);` leaves the first one.
void ResourceGenerator::noteSpared(ResourceEvent &Freed, const CallExpr &Call, const Expr &Arg) {
  const ElementLoop *Loop = loopOver(*bare(&Arg), Call);
  if (!Loop)
    return;
  Freed.Spared = Loop->First + (Loop->Limit ? sparedAtEnd(*Loop, *bare(&Arg)) : 0);
  Freed.Until = Loop->End;
}

} // namespace tensorleak
