//===-- Unit.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/flow/Unit.h"

#include "checks/facts/FactsGenerator.h"
#include "checks/flow/Freezing.h"
#include "checks/flow/Summarize.h"
#include "checks/flow/state/MemberTypes.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Functions.h"
#include "checks/source/Mentions.h"
#include "checks/source/UserCode.h"
#include "checks/source/members/Access.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

Unit::Unit(ASTContext &Context, llvm::ArrayRef<Decl *> Decls, const AnalyzerOptions &Options,
           AnalyzerStats &Stats)
    : Context(Context), Options(Options), Targets(Decls),
      Order(functionsCalleesFirst(Decls, Targets)), KnownLayers(Context, Model, Decls, Order),
      Leaves(Model, Order), Others(std::make_unique<Imports>(Options.Project, Decls)),
      Decls(Decls) {
  BudgetRecorder Recorder(Stats.OverBudget, this->Options.Limits);
  for (const Decl *D : Decls)
    if (const auto *V = dyn_cast<VarDecl>(D))
      HasGlobalGuard |= Model.guardOf(V->getType()) != Guard::None;
  analyzeBottomUp(Stats);
  analyzeTopDown();
  forgetGraphsOfFrozen();
  for (const FunctionUnit &F : Functions) {
    FunctionAtHand Here(*F.Facts->Function);
    Flow.add(*F.Facts, F.State, [this](const FieldDecl &Member) { return isSeenWhole(Member); });
  }
  addOthersFates();
  Flow.solve();
}

/// Why what \p F does is not known as a whole; nothing where it is.
static llvm::StringRef whyIncomplete(const FunctionUnit &F) {
  if (!F.Facts)
    return "no control-flow graph within the budget";
  if (!F.State.Converged)
    return "grad mode and graphs do not settle within the budget";
  return F.HasErrors ? "compiler errors" : "";
}

void Unit::analyzeBottomUp(AnalyzerStats &Stats) {
  FactsGenerator Generator(Context, Model, Summaries, Targets, *Others);
  for (const FunctionDecl *F : Order) {
    FunctionAtHand Here(*F);
    FunctionUnit U;
    const Understanding Understood = Options.Understood(*F);
    U.HasErrors = Understood == Understanding::InPart;
    U.HasStandIns = Understood == Understanding::WithStandIns;
    U.Facts = Generator.generate(*F);
    if (U.Facts)
      U.State = stateOf(*U.Facts, Mode::On);
    if (llvm::StringRef Reason = whyIncomplete(U); !Reason.empty())
      skip(*F, U, Reason, Stats);
    else
      ++Stats.FunctionsAnalyzed;
    if (U.Facts && U.State.Converged)
      add(*F, std::move(U));
  }
}

void Unit::add(const FunctionDecl &F, FunctionUnit U) {
  const FunctionDecl *Canonical = F.getCanonicalDecl();
  U.NeverRuns = neverRuns(F);
  if (!U.HasErrors) // else a call of it may do anything
    summarizeFor(*Canonical, U);
  IndexOf[Canonical] = Functions.size();
  Functions.push_back(std::move(U));
}

StateResult Unit::stateOf(const FunctionFacts &Facts, Mode Entry, llvm::ArrayRef<TensorType> Given,
                          const MemberTypes *Members) {
  return computeState(Facts, Context, Model, {KnownLayers, Returned, Leaves, KnownFrozen, Members},
                      Entry, Given);
}

/// The calls of this file that hand over tensors, by what they call.
const Unit::GivingCalls &Unit::givingCalls() {
  if (Giving)
    return *Giving;
  Giving.emplace();
  for (const FunctionUnit &Caller : Functions) {
    for (const auto &[Call, Given] : Caller.State.Given)
      (*Giving)[Caller.Facts->Events[Call].Callee->getCanonicalDecl()].push_back({&Caller, Call});
  }
  return *Giving;
}

/// What all calls of \p F in this file hand to it; empty where there is none.
std::vector<TensorType> Unit::givenTo(const FunctionDecl &F) {
  std::vector<TensorType> Joined;
  bool IsFirst = true;
  for (auto [Caller, Call] : givingCalls().lookup(F.getCanonicalDecl())) {
    const auto &InCalls = stateInCalls(*Caller).Given;
    auto Given = InCalls.find(Call);
    if (Given == InCalls.end())
      continue;
    if (std::exchange(IsFirst, false))
      Joined.assign(Given->second.begin(), Given->second.end());
    Joined.resize(std::min(Joined.size(), Given->second.size()));
    for (unsigned I = 0; I < Joined.size(); ++I)
      joinType(Joined[I], Given->second[I]);
  }
  for (TensorType &T : Joined)
    if (!T.hasFixedShape())
      T = TensorType(); // the caller's names say nothing here
  return Joined;
}

const MemberTypes &Unit::membersAtEntry() {
  if (!AtEntry)
    AtEntry = findMemberTypes(Functions,
                              {[this](const FieldDecl &Member) {
                                 return Model.isTensor(Member.getType()) && isSeenWhole(Member);
                               },
                               [this](const FunctionUnit &F, const MemberTypes &Members) {
                                 FunctionAtHand Here(*F.Facts->Function);
                                 return stateOf(*F.Facts, F.Entry, {}, &Members);
                               }});
  return *AtEntry;
}

/// \p Facts speak of a member that is in \p Members.
static bool namesAnyOf(const FunctionFacts &Facts, const MemberTypes &Members) {
  for (PlaceId P = 0; P < Facts.Places.size() && !Members.empty(); ++P)
    if (const auto *Member = dyn_cast_or_null<FieldDecl>(Facts.Places[P].Decl);
        Member && Members.count(Member))
      return true;
  return false;
}

const StateResult &Unit::stateInCalls(const FunctionUnit &F) {
  auto [It, IsNew] = InCalls.try_emplace(F.Facts.get());
  if (!IsNew) // also while it is computed: a function that calls itself
    return It->second ? *It->second : F.State;
  std::vector<TensorType> Given = givenTo(*F.Facts->Function);
  const MemberTypes &Members = membersAtEntry();
  if (llvm::any_of(Given, [](const TensorType &T) { return T.Dims != nullptr; }) ||
      namesAnyOf(*F.Facts, Members)) {
    FunctionAtHand Here(*F.Facts->Function);
    auto State = std::make_unique<StateResult>(stateOf(*F.Facts, F.Entry, Given, &Members));
    if (State->Converged)
      return *(InCalls[F.Facts.get()] = std::move(State));
  }
  return F.State;
}

void Unit::summarizeFor(const FunctionDecl &F, const FunctionUnit &U) {
  if (auto Effects = summarize(*U.Facts, U.State, Model))
    Summaries[&F] = std::move(*Effects);
  TensorType Type =
      returnedType(*U.Facts, [&](unsigned I) { return U.State.AtEvent[I].Info.Type; });
  if (Type.Dims)
    Returned[&F] = Type;
}

/// Nothing is known of what \p F does: it may let go of whatever it can reach. Where the compiler
/// dropped some of it, that freezes and trains nothing unless it names what does.
void Unit::skip(const FunctionDecl &F, const FunctionUnit &U, llvm::StringRef Reason,
                AnalyzerStats &Stats) {
  Stats.Skipped.push_back({F.getQualifiedNameAsString(), Reason.str()});
  Reach Of = reachOf(F);
  const bool IsKept = U.HasErrors && U.Facts && U.State.Converged;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&F); Method && IsKept)
    llvm::append_range(Of.Shared, Method->getParent()->fields()); // dropped code may name any
  auto IsAboutGradients = [this](llvm::StringRef Name) { return Model.isAboutGradients(Name); };
  const bool Freezes = !IsKept || lacksMentionsOf(IsAboutGradients, F);
  for (const ValueDecl *D : Of.Shared) {
    if (IsKept && isBeyondDroppedCode(F, *D))
      continue;
    Flow.addUnknown(*D);
    Shrunk.insert(D);
    if (Freezes)
      Frozen.insert(D);
  }
  CalledUnseen.insert(Of.Calls.begin(), Of.Calls.end());
  if (Freezes) // else no dropped code holds a guard: the calls that are seen show all of them
    CalledBlind.insert(Of.Calls.begin(), Of.Calls.end());
}

/// Notes what \p E lets go of or freezes, for the rules that ask file-wide.
void Unit::noteRelease(const FunctionUnit &F, const Event &E) {
  const FunctionFacts &Facts = *F.Facts;
  if (F.NeverRuns)
    return;
  if (events::has(E.Kind, events::Sheds) && E.Place != NoId)
    Shrunk.insert(Facts.Places[E.Place].Decl);
  if (E.Kind == EventKind::Freeze)
    noteFreeze(Facts, E);
}

llvm::ArrayRef<const FunctionUnit *>
Unit::functionsThat(Asked Question, const ValueDecl &D,
                    llvm::function_ref<bool(const FunctionUnit &)> Does) const {
  const auto [At, IsNew] = Answers.try_emplace({Question, &D});
  if (!IsNew)
    return At->second;
  for (const FunctionUnit &F : Functions)
    if (Does(F))
      At->second.push_back(&F);
  return At->second;
}

bool Unit::isFrozen(const ValueDecl *D) const {
  return AnyFrozen || isFrozenHere(D) || (D && (Others->stateOf(*D) & IsFrozen));
}

bool Unit::isCallContextKnown(const FunctionUnit &F) const {
  const FunctionDecl &Function = *F.Facts->Function;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  // What other files' callers do with the result is known in part: their calls can
  // silence a rule, not make it sure.
  const bool IsCalledHere = F.CallSites > Others->callsOf(Function).Calls;
  return IsCalledHere || Function.isMain() || (Method && Method->getParent()->isLambda());
}

/// Who may call it without being seen: a library that knows its name, another file.
static bool mayBeCalledUnseen(ApiModel &Model, const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  bool IsOthers = Method && (Method->isVirtual() || Method->getParent()->isLambda());
  return IsOthers || F.isMain() || F.isExternC() || F.isOverloadedOperator() ||
         isa<CXXConversionDecl>(F) || Model.effectOf(F) || !isInMainFile(*F.getFirstDecl());
}

bool Unit::neverRuns(const FunctionDecl &F) {
  return isa<CXXMethodDecl>(F) && !isa<CXXConstructorDecl, CXXDestructorDecl>(F) &&
         !F.isReferenced() && !F.isTemplateInstantiation() && !mayBeCalledUnseen(Model, F) &&
         llvm::any_of(Order, [](const FunctionDecl *Each) { return Each->isMain(); });
}

bool Unit::isOnlyCalledHere(const FunctionDecl &F) {
  const FunctionDecl *Canonical = F.getCanonicalDecl();
  if (mayBeCalledUnseen(Model, F) || CalledUnseen.count(Canonical) || Others->callsOf(F).Calls)
    return false;
  if (!Named)
    Named = functionsNamed(Decls);
  return !Named->count(Canonical);
}

/// Whether each method has a body here, or is known from another file.
static bool allBodiesVisible(const CXXRecordDecl &R, Imports &Others) {
  return llvm::all_of(R.methods(), [&](const CXXMethodDecl *M) {
    return M->isImplicit() || M->isDefaulted() || M->isDeleted() || M->hasBody() ||
           Others.function(*M);
  });
}

/// Only methods with visible bodies can name \p Field: it is private, or a class around it is.
static bool isPrivate(const FieldDecl &Field, Imports &Others) {
  const Decl *Hidden = hiddenPartAround(Field);
  return Hidden && Hidden->getAccess() == AS_private &&
         allBodiesVisible(*cast<CXXRecordDecl>(Hidden->getDeclContext()), Others);
}

bool Unit::isSeenWhole(const ValueDecl &D) const {
  bool InMainFile = isInMainFile(D);
  const auto *Field = dyn_cast<FieldDecl>(&D);
  if (!Field)
    return InMainFile;
  const auto *Class = dyn_cast<CXXRecordDecl>(Field->getParent());
  if (!Class || !allBodiesVisible(*Class, *Others))
    return false;
  return InMainFile || isPrivate(*Field, *Others);
}

Mode Unit::modeOutside(const FunctionDecl &F) {
  if (HasGlobalGuard)
    return Mode::Either;
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!Method)
    return Mode::On;
  for (const FieldDecl *Field : Method->getParent()->fields()) // a guard of the object's own
    if (Model.guardOf(Field->getType()) != Guard::None)
      return Mode::Either;
  return Mode::On;
}

Mode Unit::modeAtCall(const FunctionUnit &Caller, unsigned UserCall) {
  return Caller.Facts->Events[UserCall].OnNewThread ? Mode::On
                                                    : Caller.State.AtEvent[UserCall].GradMode;
}

void Unit::countCalls(const FunctionUnit &F) {
  for (unsigned I = 0; I < F.Facts->Events.size(); ++I) {
    const Event &E = F.Facts->Events[I];
    noteRelease(F, E);
    if (E.Kind != EventKind::UserCall || E.In != NoId) // a callee's own calls are counted there
      continue;
    auto It = IndexOf.find(E.Callee->getCanonicalDecl());
    if (It == IndexOf.end())
      continue;
    FunctionUnit &Callee = Functions[It->second];
    Mode M = modeAtCall(F, I);
    Callee.Entry = Callee.CallSites++ == 0 ? M : Callee.Entry == M ? M : Mode::On;
    Callee.CallsInStepLoop += isStepLoop(F, E.InLoop);
    Callee.RunsInSteps |= isStepLoop(F, E.InLoop) || F.RunsInSteps;
    Callee.CallsInLoop += E.InLoop != NoId || F.runsInLoop();
  }
}

/// The calls of other files count as those of this one.
void Unit::joinOtherCallers(FunctionUnit &F) {
  CallContext Calls = Others->callsOf(*F.Facts->Function);
  if (!Calls.Calls)
    return;
  F.Entry = F.CallSites == 0 || F.Entry == Calls.Entry ? Calls.Entry : Mode::On;
  F.CallSites += Calls.Calls;
  F.CallsInStepLoop += Calls.InStepLoop;
}

/// Where other files let shared variables and parameters end up.
void Unit::addOthersFates() {
  for (const ValueDecl *D : sharedVariables())
    Flow.addFate(*D, Others->stateOf(*D) & 0xff);
  for (const auto &[Function, Known] : Others->functions())
    for (unsigned I = 0; Known && I < Known->ParameterFates.size(); ++I)
      Flow.addFate(*Function->getParamDecl(I), Known->ParameterFates[I]);
}

const Summary *Unit::summaryOf(const FunctionDecl &F) const {
  auto It = Summaries.find(F.getCanonicalDecl());
  return It == Summaries.end() ? nullptr : &It->second;
}

std::vector<const ValueDecl *> Unit::sharedVariables() const {
  llvm::DenseSet<const ValueDecl *> All;
  auto Add = [&All](const ValueDecl *D) {
    const auto *V = dyn_cast_or_null<VarDecl>(D);
    if (isa_and_nonnull<FieldDecl>(D) || (V && V->hasGlobalStorage() && V->isExternallyVisible()))
      All.insert(D);
  };
  llvm::for_each(Flow.variables(), Add);
  llvm::for_each(Shrunk, Add);
  llvm::for_each(Frozen, Add);
  return {All.begin(), All.end()};
}

/// Callers first: a function that is only ever called under a guard runs under it.
void Unit::analyzeTopDown() {
  for (auto It = Functions.rbegin(); It != Functions.rend(); ++It) {
    FunctionAtHand Here(*It->Facts->Function);
    joinOtherCallers(*It);
    if (It->Entry == Mode::On)
      It->Entry = modeOutside(*It->Facts->Function);
    if (It->Entry == Mode::On && CalledBlind.count(It->Facts->Function->getCanonicalDecl()))
      It->Entry = Mode::Either;
    if (It->Entry != Mode::On)
      It->State = stateOf(*It->Facts, It->Entry);
    countCalls(*It);
  }
}

const FunctionUnit *Unit::find(const FunctionDecl &F) const {
  auto It = IndexOf.find(F.getCanonicalDecl());
  return It == IndexOf.end() ? nullptr : &Functions[It->second];
}

bool Unit::contains(const FunctionUnit &F, LoopId L, EventKind Kind) const {
  return llvm::any_of(F.Facts->Events, [&](const Event &E) {
    return E.Kind == Kind && (L == NoId || F.Facts->isInside(E.InLoop, L));
  });
}

bool Unit::isStepLoop(const FunctionUnit &F, LoopId L) const {
  return L != NoId && llvm::any_of(F.Facts->Events, [&](const Event &E) {
           return events::has(E.Kind, events::InSteps) && F.Facts->isInside(E.InLoop, L);
         });
}

} // namespace tensorleak
