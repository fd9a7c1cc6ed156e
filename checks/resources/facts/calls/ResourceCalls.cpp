//===-- ResourceCalls.cpp - Calls, and what a summary says of them ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/source/References.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace tensorleak {

SiteId ResourceGenerator::addSite(Site S) {
  Out->Sites.push_back(std::move(S));
  return Out->Sites.size() - 1;
}

const ResourceSummary *ResourceGenerator::summaryOf(const FunctionDecl &F) const {
  auto It = Summaries.find(F.getCanonicalDecl());
  return It == Summaries.end() ? Others.resources(F) : &It->second;
}

/// A launch, or the `<<<...>>>` part of one.
static bool isKernel(const CallExpr &Call, const FunctionDecl *Callee, ASTContext &Context) {
  return isa<CUDAKernelCallExpr>(Call) ||
         (Callee &&
          (Callee->hasAttr<CUDAGlobalAttr>() || Callee == Context.getcudaConfigureCallDecl()));
}

/// A library's function that tells no status, such as one that prints, leaves the last error
/// as it is.
bool ResourceGenerator::maySetLastError(const CallExpr &Call) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return !isForeign(Callee) || isKernel(Call, Callee, Context) || isDeviceStatus(Call.getType()) ||
         !Model.effectsOf(*Callee).empty();
}

//===-- Functions of the file ---------------------------------------------===//

PathId ResourceGenerator::translate(const CallShape &C, const RelativeResourcePath &P) {
  llvm::ArrayRef<Step> Steps = P.Steps;
  PathId Base = NoPath;
  switch (P.Root) {
  case RelativeResourcePath::This:
    Base = C.Object;
    break;
  case RelativeResourcePath::Variable:
    Base = pathOfCaptured(*P.Var, Steps);
    break;
  case RelativeResourcePath::Param: {
    if (P.Param_ >= C.Arguments.size())
      return NoPath;
    const Expr *Arg = C.Arguments[P.Param_];
    if (auto Each = EachElement.find(Arg); Each != EachElement.end()) {
      Base = Each->second;
      break;
    }
    Base = Steps.empty() || !(Steps.front() == Step::star()) ? NoPath : elementOf(*Arg);
    if (Base != NoPath) { // `*it`
      Steps = Steps.drop_front();
      break;
    }
    bool Through = !Steps.empty() && Steps.front().What == Step::Star &&
                   !C.Callee.getParamDecl(P.Param_)->getType()->isReferenceType();
    Base = Through ? pathThrough(Arg, Steps.front().Index) : pathOf(Arg);
    Steps = Steps.drop_front(Through);
    break;
  }
  case RelativeResourcePath::Variadic:
  case RelativeResourcePath::Returned:
    break;
  }
  return Base == NoPath ? NoPath : Out->Paths.extend(Base, Steps);
}

Operand ResourceGenerator::translateValue(const CallShape &C, const RelativeResourcePath &P) {
  if (P.Root == RelativeResourcePath::Variadic) {
    Operand All;
    for (const Expr *Arg :
         C.Arguments.drop_front(std::min<size_t>(C.Callee.getNumParams(), C.Arguments.size())))
      for (const Atom &A : operand(Arg))
        All.push_back(A);
    return All;
  }
  if (P.Root == RelativeResourcePath::Param && P.Steps.empty() && P.Param_ < C.Arguments.size() &&
      !EachElement.count(C.Arguments[P.Param_]))
    return operand(C.Arguments[P.Param_]);
  if (const Expr *Record = recordAt(C, P))
    if (const ReturnedPart *Part = partOf(*Record, P.Steps))
      return Part->Value;
  PathId Path = translate(C, P);
  return Path == NoPath ? Operand() : Operand{{Atom::Load, Path}};
}

static bool hasField(llvm::ArrayRef<Step> Steps) {
  return llvm::any_of(Steps, [](const Step &S) { return S.What == Step::Field; });
}

/// Whether it has taken anything it says in an argument: `bool grow(Buffer &, cudaError_t &)`.
static bool tellsByArgument(const FunctionDecl &Callee) {
  return llvm::any_of(Callee.parameters(), [](const ParmVarDecl *P) {
    const QualType Told = P->getType()->isPointerType() ? P->getType()->getPointeeType()
                                                        : P->getType().getNonReferenceType();
    return Told != P->getType() && !Told.isConstQualified() && isDeviceStatus(Told);
  });
}

void ResourceGenerator::applyTaken(const CallShape &C, const ResourceSummary::Taken &T,
                                   CallStatus &Told) {
  if (!C.Call)
    return;
  llvm::SmallVector<PathId, 2> Targets;
  const RelativeResourcePath *Returned = nullptr;
  bool OfCallee = true;
  for (const RelativeResourcePath &Where : T.Where) {
    // Members and globals are the callee's to speak of; see RecordOwnership.
    OfCallee &= hasField(Where.Steps) || Where.Root == RelativeResourcePath::Variable;
    if (Where.Root == RelativeResourcePath::Returned)
      Returned = &Where;
    else if (PathId Target = translate(C, Where); Target != NoPath)
      Targets.push_back(Target);
  }
  if (!Returned && Targets.empty())
    return;
  SiteId Id = addSite(
      {T.What, C.Call, T.At, T.Bytes, OfCallee, T.Also, T.Maybe || tellsByArgument(C.Callee)});
  fillElements(Id, C, T);
  if (Returned && Returned->Steps.empty()) {
    Results[C.Call].push_back({Atom::Fresh, Id});
    if (Targets.empty())
      noteUnnamed(Id, *C.Call);
  }
  if (Returned && !Returned->Steps.empty())
    Parts[C.Call].push_back({llvm::SmallVector<Step, 3>(Returned->Steps), Id});
  if (!Returned)
    Told.Sites.push_back(Id);
  if (!Targets.empty() || Returned->Steps.empty()) // else taken where the parts are stored
    emitTaken(C, T, Id, Targets);
}

void ResourceGenerator::emitTaken(const CallShape &C, const ResourceSummary::Taken &T, SiteId Id,
                                  llvm::ArrayRef<PathId> Targets) {
  ResourceEvent &Taken = emit(ResourceEventKind::Acquire, C.At);
  Taken.Site = Id;
  Taken.Path = Targets.empty() ? NoPath : Targets.front();
  Taken.ByCallee = true;
  Taken.Maybe = T.Maybe;
  for (PathId Also : Targets.drop_front(!Targets.empty())) {
    ResourceEvent &Store = emit(ResourceEventKind::Assign, C.At);
    Store.Path = Also;
    Store.Value = {{Atom::Fresh, Id}};
    Store.ByCallee = true;
  }
}

/// Whether \p Where is in the memory that the callee takes.
static bool isBelowTaken(const RelativeResourcePath &Where, const ResourceSummary &S) {
  auto IsAbove = [&](RelativeResourcePath Taken) {
    llvm::ArrayRef Steps(Where.Steps);
    bool Below = Steps.size() > Taken.Steps.size() &&
                 Steps.take_front(Taken.Steps.size()) == llvm::ArrayRef(Taken.Steps);
    Taken.Steps = Where.Steps;
    return Below && Taken == Where;
  };
  return llvm::any_of(
      S.Takes, [&](const ResourceSummary::Taken &T) { return llvm::any_of(T.Where, IsAbove); });
}

bool ResourceGenerator::isAsked(const CallExpr &Call) {
  if (!Asked)
    Asked.emplace(*Out->Function->getBody());
  return Asked->contains(Call);
}

/// The answer with which the callee takes what it is given, and without which that stays with this
/// function: `if (!queue.push(frame)) cudaFree(frame);`. Where nobody asks, it takes it.
std::optional<CallAnswer> ResourceGenerator::answerOf(const CallShape &C, const ResourceSummary &S,
                                                      const RelativeResourcePath &Given) {
  const auto *Call = dyn_cast_or_null<CallExpr>(C.Call);
  auto Is = [&](const ResourceSummary::Accepted &A) { return A.What == Given; };
  auto It = llvm::find_if(S.Accepts, Is);
  if (!Call || It == S.Accepts.end() || !isAsked(*Call))
    return std::nullopt;
  return CallAnswer{Call, It->OnZero};
}

/// The constructor puts it into a member which its object does not own.
bool ResourceGenerator::isOnlyLent(const CallShape &C, const RelativeResourcePath &Where) const {
  const auto *Made = dyn_cast_or_null<CXXConstructExpr>(C.Call);
  const bool IsMember = Where.Root == RelativeResourcePath::This && Where.Steps.size() == 1;
  const auto *Member =
      Made && IsMember ? dyn_cast_or_null<FieldDecl>(Where.Steps.front().Decl) : nullptr;
  return Member && Flags.isOnlyLent(*Made, *Member);
}

/// What the callee stores, before it takes anything; but what goes into the memory that it
/// takes is there only afterwards.
void ResourceGenerator::applyStores(const CallShape &C, const ResourceSummary &S, bool BelowTaken) {
  for (const ResourceSummary::Stored &Each : S.Stores) {
    if (isBelowTaken(Each.Where, S) != BelowTaken || isOnlyLent(C, Each.Where))
      continue;
    Operand Value = translateValue(C, Each.From);
    PathId Target = translate(C, Each.Where);
    if (Target == NoPath) {
      emitValue(ResourceEventKind::Escape, C.At, std::move(Value), answerOf(C, S, Each.From));
    } else if (!Value.empty()) {
      ResourceEvent &Store = emit(ResourceEventKind::Assign, C.At);
      Store.Path = Target;
      Store.Value = std::move(Value);
      Store.ByCallee = true;
      Store.When = answerOf(C, S, Each.From);
    }
  }
}

void ResourceGenerator::applySummary(const CallShape &C, const ResourceSummary &S) {
  if (C.Call)
    nameReturned(C, S);
  if (S.ReleasesAll)
    emit(ResourceEventKind::ReleaseAll, C.At);
  for (const ResourceSummary::Given &G : S.Releases)
    if (Operand Value = translateValue(C, G.Where); !Value.empty()) {
      ResourceEvent &Freed = emit(ResourceEventKind::Release, C.At);
      Freed.Value = anyInLoop(C.At, std::move(Value));
      Freed.Accepts = G.Accepts;
      Freed.ByCallee = true;
      Freed.When = answerOf(C, S, G.Where);
    }
  for (const RelativeResourcePath &P : S.Escapes)
    emitValue(ResourceEventKind::Escape, C.At, translateValue(C, P), answerOf(C, S, P));
  for (const RelativeResourcePath &P : S.Doubts)
    emitValue(ResourceEventKind::Doubt, C.At, translateValue(C, P));
  applyViews(C, S);
  for (const RelativeResourcePath &P : S.TreesEscape)
    emitTree(C.At, translate(C, P));
  mayLeave(C.At, C.Call ? &C.Callee : nullptr);
  letGoOfSwapped(C, S);
  applyRotations(C, S);
  applyStores(C, S, /*BelowTaken=*/false);
  CallStatus Told;
  for (const ResourceSummary::Taken &T : S.Takes)
    applyTaken(C, T, Told);
  applyStores(C, S, /*BelowTaken=*/true);
  doubtSecondNames(C, S);
  if (!C.Call)
    return;
  if (!Told.Sites.empty())
    Out->Statuses[C.Call] = Told;
  handOnReturned(C, S);
  if (Discarded.count(C.Call))
    placeTemporary(*C.Call);
  for (unsigned I = 0; I < C.Arguments.size() && I < C.Callee.getNumParams(); ++I)
    if (!S.speaksOf(I))
      dropTemporary(*C.Arguments[I]);
}

/// What only the value of \p Call holds: nothing does any more where that is discarded.
void ResourceGenerator::noteUnnamed(SiteId Id, const Expr &Call) {
  Unnamed.insert(Id);
  Out->Sites[Id].Dropped = Discarded.count(&Call);
}

/// `show(make(n))`: what a call returns is handed to one that only uses it, and then nobody has it.
void ResourceGenerator::dropTemporary(const Atom &A) {
  if (A.What == Atom::Fresh && Unnamed.contains(A.Id))
    Out->Sites[A.Id].Dropped = true;
}

void ResourceGenerator::dropTemporary(const Expr &Arg) {
  placeTemporary(Arg);
  if (const Expr *Given = bare(&Arg); isa<CallExpr>(Given))
    for (const Atom &A : operand(Given))
      dropTemporary(A);
}

void ResourceGenerator::dropTemporaries(Args Arguments) {
  for (const Expr *Arg : Arguments)
    dropTemporary(*Arg);
}

//===-- Calls -------------------------------------------------------------===//

/// `a = b` that copies the members one by one.
static bool isPlainCopy(const CXXMethodDecl &Method) {
  return (Method.isCopyAssignmentOperator() || Method.isMoveAssignmentOperator()) &&
         !Method.isUserProvided() && !Method.getParent()->isInStdNamespace();
}

/// The object of which \p Call is a method, or its operator as in `a + b`; and the other operands.
std::pair<PathId, ResourceGenerator::Args> ResourceGenerator::operandsOf(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const Args All(Call.getArgs(), Call.getNumArgs());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    const Expr &Object = *Member->getImplicitObjectArgument();
    if (Callee && summaryOf(*Callee))
      placeTemporary(Object);
    return {pathOfObject(&Object), All};
  }
  if (isa<CXXOperatorCallExpr>(Call) && isa_and_nonnull<CXXMethodDecl>(Callee))
    return {pathOf(All.front()), All.drop_front()};
  return {NoPath, All};
}

void ResourceGenerator::visitCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (yieldsItsArgument(Call)) // see bare()
    return void(giveAway(Call, *Call.getArg(0)));
  if (isKernel(Call, Callee, Context)) // it can use memory, never free or keep it
    return dropTemporaries({Call.getArgs(), Call.getNumArgs()});
  if (const VarDecl *Guard = Guards.disarmedBy(Call))
    return takeBack(Call, *Guard);
  const auto [Object, Arguments] = operandsOf(Call);
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
      Method && isPlainCopy(*Method) && !Arguments.empty())
    return copyRecord(Call, Object, *Arguments.front());
  if (Callee) {
    if (visitBoxCall(Call, Object, Arguments) || applyTorch(Call, *Callee) ||
        visitContainerCall(Call, Object, Arguments) || visitSwap(Call, Arguments) ||
        visitExchange(Call, Arguments) || visitZeroing(Call) || onlyLooks(Call) ||
        visitAlgorithm(Call, Arguments))
      return;
    auto Effects = Model.effectsOf(*Callee);
    if (!Effects.empty() && Effects.front().What != ResourceEffect::Fill)
      return applyModel(Call, Effects);
    if (copyPointees(Call, Effects) || (Model.onlyUses(*Callee) && isForeign(Callee)))
      return dropTemporaries(Arguments);
    const FunctionDecl *Run = functionRun(*Callee, Object);
    if (const ResourceSummary *Known = Run ? summaryOf(*Run) : nullptr) {
      for (const Expr *Arg : Arguments) {
        passLambda(Call, *Arg);
        placeTemporary(*Arg);
      }
      return applySummary({Call, &Call, *Run, Arguments, Object}, *Known);
    }
  }
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (Method && mayChangeParts(*Method))
    changeParts(Call, *Method, Object);
  applyUnknown(Call, Callee, Arguments);
  mayLeave(Call, Callee);
}

} // namespace tensorleak
