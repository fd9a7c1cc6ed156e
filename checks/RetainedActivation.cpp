//===-- RetainedActivation.cpp - tensor-retained-activation ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, with their graphs or without, that stay in something which outlives
// the step: containers, accumulators, hidden state, persistent buffers.
//
//===----------------------------------------------------------------------===//
#include "checks/Rules.h"

#include "checks/analysis/FactsGenerator.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak {
namespace {

/// How long a holder lives, compared with the step.
enum class Span : uint8_t {
  Step,     ///< it dies with the step, or we cannot tell
  Call,     ///< a local that is declared outside the loop
  Caller,   ///< a parameter by reference, or captured
  Program,  ///< a static, a global or a member
};

class Checker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (unsigned I = 0; I < Facts.Events.size(); ++I) {
      E = &Facts.Events[I];
      At = &F.State.AtEvent[I];
      if (!At->Reached || E->Place == NoId)
        continue;
      if (E->Kind == EventKind::Grow)
        checkGrow();
      else if (E->Kind == EventKind::Store && !E->Declares)
        checkStore();
      else if (E->Kind == EventKind::Mutate)
        checkMutate();
      else if (E->Kind == EventKind::Hook)
        checkHook();
      else if (E->Kind == EventKind::Register)
        checkRegister();
    }
  }

private:
  // What the events are asked.
  void checkGrow();
  void checkStore();
  void checkMutate();
  void checkHook();
  void checkRegister();
  bool addsInStepLoop() const;
  std::optional<TensorType> pinnedBase() const;
  void reportView(const TensorType &Whole);
  void reportUnusedGraph(Span S);

  // Facts about the holder.
  Span spanOf(PlaceId P) const;
  bool repeats(Span S) const;
  bool isInConstructor() const;
  bool isReportedByCaller() const;
  bool letsGoInLoop(PlaceId P, LoopId L) const;
  bool isResetElsewhere(PlaceId P) const;
  bool isVisibleWhole(PlaceId P) const;
  bool inStepContext() const;
  LoopId repeatingLoop() const;
  bool backwardInLoop(LoopId L) const;
  bool wasBackwarded() const;
  bool keepsTensors(ValueId V) const;
  bool keepsNodesOnly() const;
  bool isTrimOfItself(const Event &Store) const;
  uint8_t fate() const { return U.flow().fateOf(Facts, E->Place); }

  TensorType keptAtLeast() const;
  /// \p Kept: of which the size is known to stay in every step.
  Diagnosis &report(Level L, std::string Message, bool WithGraph, const TensorType &Kept = {});
  void addDetach(Diagnosis &D) const;
  std::string holderName() const;
  void addPath(Diagnosis &D, bool WithGraph);

  const Event *E = nullptr;
  const EventState *At = nullptr;
};

//===-- The holder --------------------------------------------------------===//

Span Checker::spanOf(PlaceId P) const {
  const Place &Root = Facts.Places[Facts.rootOf(P)];
  if (Root.Root == Place::This || Root.Root == Place::Static)
    return Span::Program;
  if (Root.Root == Place::Captured)
    return Span::Caller;
  if (Root.Root == Place::Param) {
    QualType T = Root.Decl->getType();
    bool Shared = T->isReferenceType() || T->isPointerType() ||
                  U.model().classify(T) == TypeClass::Tensor;
    return Shared && !T.getNonReferenceType().isConstQualified() ? Span::Caller : Span::Step;
  }
  // A member of a local object lives as long as the object.
  return Span::Call;
}

/// The outermost loop around the event that the holder outlives.
LoopId Checker::repeatingLoop() const {
  LoopId DeclaredIn = Facts.loopOfDecl(E->Place), Outermost = NoId;
  for (LoopId L = E->InLoop; L != NoId && L != DeclaredIn; L = Facts.Loops[L].Parent)
    Outermost = L;
  return Outermost;
}

bool Checker::isInConstructor() const {
  return isa<CXXConstructorDecl>(Facts.Function);
}

/// Anything in the file that runs a model makes a call of this function a step.
bool Checker::inStepContext() const {
  return F.CallsInStepLoop > 0 || U.contains(F, NoId, EventKind::Forward) ||
         U.contains(F, NoId, EventKind::Backward);
}

bool Checker::repeats(Span S) const {
  if (S == Span::Step || isInConstructor())
    return false;
  return S == Span::Program || repeatingLoop() != NoId;
}

/// What a summary brought here is reported where it stands, unless only the
/// caller knows the holder.
bool Checker::isReportedByCaller() const {
  Span S = spanOf(E->Place);
  if (E->Callee && S == Span::Program)
    return true;
  return S == Span::Caller && F.CallSites > 0;
}

/// `x = x.slice(...)`: a sliding window.
bool Checker::isTrimOfItself(const Event &Store) const {
  if (Store.Val == NoId)
    return false;
  const Value &V = Facts.Values[Store.Val];
  if (V.From != Source::Api || V.Api.What != Does::View || V.Inputs.empty())
    return false;
  const Value &Self = Facts.Values[V.Inputs.front()];
  return Self.From == Source::Load && Self.Loaded == Store.Place;
}

bool Checker::letsGoInLoop(PlaceId P, LoopId L) const {
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &Other = Facts.Events[I];
    if (Other.Place != P || (L != NoId && !Facts.isInside(Other.InLoop, L)))
      continue;
    if (Other.Kind == EventKind::Shrink || Other.Kind == EventKind::DetachSelf ||
        Other.Kind == EventKind::Drop)
      return true;
    if (Other.Kind == EventKind::Store && isTrimOfItself(Other))
      return true;
    bool Restarts = Other.Kind == EventKind::Store && !Other.Declares &&
                    !dependsOnItself(Facts, Other.Val, P, L, /*WithGraph=*/true);
    if (Restarts && &Other != E)
      return true;
  }
  return false;
}

/// Another function of the file empties, resets or detaches the holder.
bool Checker::isResetElsewhere(PlaceId P) const {
  const ValueDecl *D = Facts.Places[P].Decl;
  if (U.shrinksSomewhere(D))
    return true;
  for (const FunctionUnit &Other : U.functions())
    for (const Event &Store : Other.Facts->Events)
      if (Store.Kind == EventKind::Store && !Store.Declares && Store.Place != NoId &&
          Other.Facts->Places[Store.Place].Decl == D && Other.Facts.get() != &Facts &&
          !isa<CXXConstructorDecl>(Other.Facts->Function) &&
          !dependsOnItself(*Other.Facts, Store.Val, Store.Place, NoId, true))
        return true;
  return false;
}

/// Whether each method has a body here, or is known from another file.
static bool allBodiesVisible(const CXXRecordDecl &R, Imports &Others) {
  return llvm::all_of(R.methods(), [&](const CXXMethodDecl *M) {
    return M->isImplicit() || M->isDefaulted() || M->isDeleted() || M->hasBody() ||
           Others.function(*M);
  });
}

/// Whether nobody outside this file's view can let go of what the holder holds.
bool Checker::isVisibleWhole(PlaceId P) const {
  const Place &Holder = Facts.Places[P];
  const SourceManager &SM = U.context().getSourceManager();
  bool InMainFile = SM.isInMainFile(SM.getExpansionLoc(Holder.Decl->getLocation()));
  const auto *Field = dyn_cast<FieldDecl>(Holder.Decl);
  if (!Field)
    return InMainFile || spanOf(P) == Span::Call;
  const auto *Class = dyn_cast<CXXRecordDecl>(Field->getParent());
  if (!Class || !allBodiesVisible(*Class, U.others()))
    return false;
  return InMainFile || Field->getAccess() == AS_private;
}

//===-- Growing containers ------------------------------------------------===//

static std::optional<int64_t> numberOfElements(const TensorType &T) {
  auto Count = T.elements();
  return Count ? Count->number() : std::nullopt;
}

/// The large tensor, made anew in every round, that a small view of it is kept of.
std::optional<TensorType> Checker::pinnedBase() const {
  if (E->Val == NoId || Facts.Values[E->Val].Inputs.size() != 1)
    return std::nullopt;
  const Value &View = Facts.Values[Facts.Values[E->Val].Inputs.front()];
  if (View.From != Source::Api || View.Api.What != Does::View || View.Inputs.empty())
    return std::nullopt;
  const Value &Base = Facts.Values[View.Inputs.front()];
  auto Part = numberOfElements(At->Info.Type);
  if (Base.From != Source::Load || !Part)
    return std::nullopt;
  constexpr int64_t WorthACopy = 16; // the base is this many times the view
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &Made = Facts.Events[I];
    if (Made.Kind != EventKind::Store || Made.Place != Base.Loaded || Made.InLoop != E->InLoop)
      continue;
    const TensorType &Whole = F.State.AtEvent[I].Info.Type;
    auto Count = numberOfElements(Whole);
    return Count && *Count >= WorthACopy * *Part ? std::optional(Whole) : std::nullopt;
  }
  return std::nullopt;
}

void Checker::reportView(const TensorType &Whole) {
  const Value &View = Facts.Values[Facts.Values[E->Val].Inputs.front()];
  const ValueDecl *Base = Facts.Places[Facts.Values[View.Inputs.front()].Loaded].Decl;
  report(Level::Warning,
         "a view of " + quoted(*Base) + " is kept in " + holderName() + " and pins all of " +
             quoted(*Base) + sizeSuffix(Whole, " per step") +
             "; store a 'clone()' of the part that is needed",
         /*WithGraph=*/false, Whole);
}

/// Emptied now and then, and until then full of graphs that nothing ever runs.
void Checker::reportUnusedGraph(Span S) {
  bool MayBeRun = fate() & (ReachesBackward | ReachesReturn | ReachesUnknown);
  if (MayBeRun || S != Span::Call || At->Info.Carries != Graph::Yes || wasBackwarded())
    return;
  report(Level::Note,
         "what is added to " + holderName() + " carries a graph that is never run backward; all " +
             "activations stay alive until it is emptied; store 'detach()', or run without grad",
         /*WithGraph=*/true);
}

void Checker::checkGrow() {
  Span S = spanOf(E->Place);
  LoopId L = repeatingLoop();
  if (!repeats(S) || E->Bounded || (E->Keyed && !E->KeyVaries) || isReportedByCaller())
    return;
  if (letsGoInLoop(E->Place, L) || (S == Span::Program && isResetElsewhere(E->Place)))
    return reportUnusedGraph(S);
  if (auto Whole = L == NoId ? std::nullopt : pinnedBase())
    return reportView(*Whole);
  if (fate() & (ReachesBackward | ReachesUnknown))
    return;
  Graph G = At->Info.Carries;
  if (G == Graph::Yes) {
    bool Freed = wasBackwarded();
    bool Sure = S == Span::Call ? !(fate() & ReachesReturn)
                                : S == Span::Program && isVisibleWhole(E->Place);
    if (S == Span::Call && !Facts.Places[E->Place].isField() &&
        (fate() & ReachesReturn) && (fate() & ReachesGraphUse))
      return; // features that are combined and returned: a forward pass
    std::string What = Freed ? "the autograd nodes of the step stay"
                             : "every activation of the step stays";
    Diagnosis &D = report(Sure && !Freed ? Level::Warning : Level::Note,
           "what is added to " + holderName() + " still carries its graph; " + What +
               " alive with it" + sizeSuffix(keptAtLeast(), " per step", "at least") +
               "; store 'detach()' or 'item()', or run without grad",
           /*WithGraph=*/true, keptAtLeast());
    if (Sure)
      addDetach(D);
    return;
  }
  bool PerCall = inStepContext() || (isa<CXXMethodDecl>(Facts.Function) && E->InLoop == NoId);
  if (S != Span::Program || !PerCall || !isVisibleWhole(E->Place))
    return;
  bool OfModel = At->Info.Carries == Graph::No && U.contains(F, NoId, EventKind::Forward) &&
                 isa_and_nonnull<CallExpr>(producer(Facts, E->Val));
  report(OfModel ? Level::Warning : Level::Note,
         holderName() + " grows with every step and nothing ever empties it" +
             sizeSuffix(At->Info.Type, " per step") + "; bound it or clear it",
         /*WithGraph=*/false, At->Info.Type);
}

//===-- Values that are computed from themselves --------------------------===//

bool Checker::backwardInLoop(LoopId L) const { return U.contains(F, L, EventKind::Backward); }

/// What is kept was backward-ed by itself: its saved tensors are gone.
bool Checker::wasBackwarded() const {
  llvm::SmallVector<ValueId, 4> Kept(E->Args.begin(), E->Args.end());
  Kept.push_back(E->Val);
  return wasRunBackward(Facts, Kept, E->Place);
}

/// The node of \p V keeps a tensor for its backward: all but sums, differences and
/// products with a plain number.
bool Checker::keepsTensors(ValueId V) const {
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::UserCall)
    return true;
  if (Val.From != Source::Api || !Val.Api.has(Elementwise) || Val.Api.has(LikeSelf))
    return Val.From == Source::Api && Val.Api.What != Does::View && Val.Api.What != Does::Copy &&
           keepsGraph(Val);
  return Val.Api.has(SavesOperands) ? Val.Inputs.size() > 1 : !Val.Api.has(HasInPlace);
}

/// Every step adds nodes, but no memory of tensors (an average of parameters).
bool Checker::keepsNodesOnly() const {
  unsigned Index = E - Facts.Events.data();
  return !anyComputedFrom(Facts, E->Val, Index,
                          [&](ValueId V, unsigned) { return keepsTensors(V); });
}

void Checker::checkStore() {
  Span S = spanOf(E->Place);
  if (S == Span::Caller && !Facts.Places[E->Place].isField())
    return; // rebinding a handle parameter stays here
  if (!repeats(S) || isReportedByCaller())
    return;
  LoopId L = S == Span::Program ? NoId : E->InLoop;
  if (!dependsOnItself(Facts, E->Val, E->Place, L, /*WithGraph=*/true))
    return;
  if (letsGoInLoop(E->Place, L) || (S == Span::Program && isResetElsewhere(E->Place)))
    return;
  bool Concatenates = E->Val != NoId && Facts.Values[E->Val].From == Source::Api &&
                      Facts.Values[E->Val].Api.What == Does::Concat;
  if (At->Info.Carries != Graph::Yes) {
    bool Persistent = S == Span::Program && inStepContext() && isVisibleWhole(E->Place);
    if (Concatenates && (Persistent || S == Span::Call))
      report(Persistent ? Level::Warning : Level::Note,
             holderName() + " grows with every step and is copied whole each time" +
                 "; collect the parts in a bounded container, or write into a preallocated tensor",
             /*WithGraph=*/false);
    return;
  }
  if (S == Span::Call && (fate() & (ReachesReturn | ReachesUnknown)))
    return;
  bool Freed = wasBackwarded() || keepsNodesOnly();
  if ((fate() & ReachesBackward) && !Freed && !(L != NoId && backwardInLoop(L)))
    return;
  if (S == Span::Program && (fate() & ReachesBackward))
    return;
  // The old value is kept where the next one's node needs it.
  TensorType Kept = !Freed && keepsTensors(E->Val) ? keptAtLeast() : TensorType();
  report(Freed ? Level::Note : Level::Warning,
         holderName() + " is computed from itself and still carries its graph; " +
             (Freed ? "the autograd nodes of every step stay alive with it"
                    : "every step's activations stay alive with it") +
             sizeSuffix(Kept, " per step", "at least") +
             "; use 'detach()' or 'item()', or run without grad",
         /*WithGraph=*/true, Kept);
}

void Checker::checkMutate() {
  Span S = spanOf(E->Place);
  if (!repeats(S) || isReportedByCaller() || At->Info.Carries != Graph::Yes ||
      At->GradMode != Mode::On)
    return;
  LoopId L = S == Span::Program ? NoId : E->InLoop;
  if (letsGoInLoop(E->Place, L) || (S == Span::Program && isResetElsewhere(E->Place)))
    return;
  bool Freed = wasBackwarded();
  if (fate() & (ReachesReturn | ReachesUnknown))
    return;
  if ((fate() & ReachesBackward) && !(L != NoId && backwardInLoop(L) && Freed))
    return;
  if (S == Span::Caller)
    return;
  report(Freed ? Level::Note : Level::Warning,
         holderName() + " is written in place with a tensor that carries its graph; " +
             (Freed ? "the autograd nodes of every step stay alive with it"
                    : "every step's activations stay alive with it") +
             "; write 'detach()' or 'item()', or run without grad",
         /*WithGraph=*/true);
}

//===-- Hooks and parts ---------------------------------------------------===//

/// Once more in every step, to something that outlives the steps.
bool Checker::addsInStepLoop() const {
  LoopId L = E->InLoop;
  return L != NoId && U.isStepLoop(F, L) && !E->Callee &&
         !Facts.isInside(Facts.loopOfDecl(Facts.rootOf(E->Place)), L);
}

void Checker::checkHook() {
  auto Ends = [&](const Event &Other) {
    bool Removed = Other.Kind == EventKind::Unhook;
    bool Replaced = Other.Kind == EventKind::Store && Other.Place == E->Place;
    return (Removed || Replaced) && Facts.isInside(Other.InLoop, E->InLoop);
  };
  if (!addsInStepLoop() || llvm::any_of(Facts.Events, Ends))
    return;
  report(E->Args.empty() ? Level::Note : Level::Warning,
         holderName() + " gets one more hook in every step; all of them run, and what they capture "
                        "stays alive; hang it on once, or 'remove_hook' it",
         /*WithGraph=*/false);
}

void Checker::checkRegister() {
  if (!addsInStepLoop())
    return;
  report(Level::Warning,
         holderName() + " gets one more part in every step and keeps all of them; register it "
                        "once, before the loop",
         /*WithGraph=*/false);
}

//===-- Phrasing ----------------------------------------------------------===//

/// Where all uses of the container are seen, and none of them needs the graph, the
/// detached tensor does as well.
void Checker::addDetach(Diagnosis &D) const {
  constexpr uint8_t NeedsGraph =
      ReachesGraphUse | ReachesReturn | ReachesUnknown | ReachesBackward;
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E->At);
  if ((fate() & NeedsGraph) || !Call || E->Callee || Call->getNumArgs() != 1)
    return;
  const Expr *Stored = Call->getArg(0)->IgnoreImplicit();
  bool IsPostfix = isa<DeclRefExpr, MemberExpr, CXXMemberCallExpr>(strip(Stored)) &&
                   U.model().isTensor(strip(Stored)->getType());
  if (!IsPostfix || isa<CallExpr>(Stored) != isa<CallExpr>(strip(Stored)))
    return; // std::move(x) and the like
  const SourceManager &SM = U.context().getSourceManager();
  SourceLocation End = Lexer::getLocForEndOfToken(Stored->getEndLoc(), 0, SM,
                                                  U.context().getLangOpts());
  if (End.isValid())
    D.Fixes.push_back(FixItHint::CreateInsertion(End, ".detach()"));
}

std::string Checker::holderName() const {
  return quoted(*holderDecl(Facts, E->Place)) + " (" + describeHolder(Facts, E->Place) + ")";
}

void Checker::addPath(Diagnosis &D, bool WithGraph) {
  if (WithGraph && At->Info.Origin != NoId)
    if (const Expr *Start = Facts.Values[At->Info.Origin].E)
      if (Start->getBeginLoc() != D.Loc) {
        D.Notes.push_back({Start->getBeginLoc(), "the graph starts here"});
        D.Subject.Producers.push_back(Start->getExprLoc()); // where its activations are made
      }
  if (E->Callee)
    D.Notes.push_back({E->At->getBeginLoc(), "called here in every step"});
  const ValueDecl *Holder = holderDecl(Facts, E->Place);
  D.Notes.push_back({Holder->getLocation(), quoted(*Holder) + " is declared here and outlives the step"});
}

/// Of all that a graph keeps, the tensor that it hangs on. One number is not worth
/// its words.
TensorType Checker::keptAtLeast() const {
  auto Count = numberOfElements(At->Info.Type);
  return Count && *Count <= 1 ? TensorType() : At->Info.Type;
}

Diagnosis &Checker::report(Level L, std::string Message, bool WithGraph, const TensorType &Kept) {
  Diagnosis D;
  D.Rule = RetainedActivation::Name;
  D.TheKind = Kind::Retention;
  D.TheLevel = L;
  D.Loc = placeOfEvent(*E);
  if (!E->Inner.isValid())
    D.Range = E->At->getSourceRange();
  D.Message = std::move(Message);
  setSize(D, Kept);
  const ValueDecl *Holder = holderDecl(Facts, E->Place);
  D.Subject.Holder = Holder->getNameAsString();
  D.Subject.HolderDecl = Holder->getLocation();
  D.Subject.Graph = WithGraph;
  D.Subject.Loop = rangeOfLoop(Facts, repeatingLoop());
  ValueId Made = E->Args.empty() ? E->Val : E->Args.front();
  if (const Expr *P = producer(Facts, Made))
    D.Subject.Producers.push_back(P->getExprLoc());
  addPath(D, WithGraph);
  Out.push_back(std::move(D));
  return Out.back();
}

} // namespace

void RetainedActivation::check(Unit &U, std::vector<Diagnosis> &Out) {
  checkFunctions<Checker>(U, Out);
}

} // namespace tensorleak
