//===-- MissingNoGrad.cpp - tensor-missing-no-grad ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference and evaluation that run with grad mode on: every activation of the
// forward pass is kept for a backward pass that never comes.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

#include "checks/flow/callers/Callers.h"
#include "checks/questions/KeptValues.h"
#include "checks/questions/graphs/UnusedGradients.h"
#include "checks/rules/missing-no-grad/EntryPoints.h"
#include "checks/rules/missing-no-grad/LoadedModules.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>
#include <map>

using namespace clang;

namespace tensorleak {
namespace {

class MissingNoGradChecker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;
  void run();
  /// What \p Call runs here is never differentiated; null for what is returned.
  bool isUnused(const Expr *Call) const;

private:
  bool runsNetwork(const FunctionDecl &Callee) const;
  bool runsModule(const Event &E) const;
  bool isScript(ValueId V) const;
  bool buildsGraph(unsigned Index) const;
  bool isUnused(unsigned Index) const;
  bool isSaidByCallee(unsigned Index) const;
  const Stmt *whereToGuard(const Event &Forward) const;
  bool isOnlyRun(ValueId V, const ValueDecl &Module) const;
  bool needsNoGradient(ValueId V) const;
  bool isDataInDataOut(ValueId V) const;
  bool isHandedOn(unsigned Index) const;
  const Event *forwardAt(const Expr *Call) const;
  const ValueDecl *moduleOf(ValueId V) const;
  bool isFrozen(ValueId V) const;
  bool evaluates(LoopId Outermost) const;
  bool isDetachedAtOnce(const Event &E) const;
  Level levelOf(unsigned Index) const;
  void addFix(Diagnosis &D, const Event &E) const;
  Diagnosis diagnose(unsigned Index, Level L, std::string Message) const;
  void reportUnused(unsigned Index, std::map<LoopId, size_t> &Said);
  void reportHandedOn(unsigned Index);
  std::string nameOf(ValueId V) const;
  void reportUndetached(const UnusedGradients &G);
};

/// It runs a module, or computes from parameters what keeps tensors, and runs nothing backward.
bool MissingNoGradChecker::runsNetwork(const FunctionDecl &Callee) const {
  if (const FunctionUnit *Here = U.find(Callee))
    return buildsGraphOverTensors(*Here) && !U.contains(*Here, NoId, EventKind::Backward);
  const ImportedFunction *Elsewhere = U.others().function(Callee);
  return Elsewhere && Elsewhere->BuildsGraph;
}

/// A module's forward; or a function that runs one and returns what it gives.
bool MissingNoGradChecker::runsModule(const Event &E) const {
  const Value &Val = Facts.Values[E.Val];
  if (Val.From == Source::UserCall) {
    if (forwardAt(Val.E)) // a user's module: its forward is an event of its own
      return false;
    return Val.Graph == GraphOut::Yes && E.Callee && runsNetwork(*E.Callee);
  }
  return Val.From == Source::Api && Val.Api.What == Does::Forward && !Val.Api.has(Assumed);
}

/// Some methods, as `run_method()`, are of the class that the module's is derived from.
bool MissingNoGradChecker::isScript(ValueId V) const {
  const Expr *Object = objectOrFirst(Facts.Values[V].E);
  return Object && U.model().isScriptModule(Object->IgnoreParenImpCasts()->getType());
}

/// The event of the module that the call \p Call itself runs.
const Event *MissingNoGradChecker::forwardAt(const Expr *Call) const {
  for (unsigned I : Facts.eventsAt(Call))
    if (const Event &E = Facts.Events[I]; E.Kind == EventKind::Forward && !E.Callee)
      return &E;
  return nullptr;
}

const ValueDecl *MissingNoGradChecker::moduleOf(ValueId V) const {
  const Event *Forward = forwardAt(Facts.Values[V].E);
  if (!Forward || Forward->Place != NoId)
    return Forward ? outermostVariable(Facts, Forward->Place) : nullptr;
  const Expr *Object = isScript(V) ? objectOrFirst(Facts.Values[V].E) : nullptr;
  return Object ? wholeIn(*Object) : nullptr;
}

/// The module, or what it is a part of, needs no gradient.
bool MissingNoGradChecker::isFrozen(ValueId V) const {
  const Event *Forward = forwardAt(Facts.Values[V].E);
  PlaceId P = Forward ? Forward->Place : NoId;
  while (P != NoId && !U.isFrozen(Facts.Places[P].Decl))
    P = Facts.Places[P].Parent;
  return P != NoId || U.isFrozen(nullptr);
}

/// A module runs here with grad mode on.
bool MissingNoGradChecker::buildsGraph(unsigned Index) const {
  const Event &E = Facts.Events[Index];
  const EventState &At = F.State.AtEvent[Index];
  if (E.Kind != EventKind::Compute || !At.Reached || At.GradMode != Mode::On || !runsModule(E))
    return false;
  // An object of the user's: its methods may use the graph, and flow ends at it.
  if (!U.model().holdsTensors(Facts.Values[E.Val].E->getType()))
    return false;
  Graph G = F.State.Values[E.Val].Carries;
  // Of a callee's result, which is only likely to have a graph, the callee speaks.
  bool IsLikely = G == Graph::Unknown && isScript(E.Val) && whereToGuard(E) == E.At;
  return (G == Graph::Yes || IsLikely) && !isFrozen(E.Val);
}

/// Nothing ever runs the graph backward. Of a module that all callers give, they say it.
bool MissingNoGradChecker::isUnused(unsigned Index) const {
  const ValueId V = Facts.Events[Index].Val;
  return !(U.fateOfValue(Facts, V) & MayBeDifferentiated) && !isCallersAffair(U, F, moduleOf(V));
}

bool MissingNoGradChecker::isUnused(const Expr *Call) const {
  auto IsMeant = [&](ValueId V) {
    return Call ? Facts.Values[V].E == Call : U.flow().fateOfValue(Facts, V) & ReachesReturn;
  };
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if (Facts.Events[I].Kind == EventKind::Compute && IsMeant(Facts.Events[I].Val) &&
        buildsGraph(I) && isUnused(I))
      return true;
  return false;
}

/// The function that is called, whose body may stand here, says it for all of its callers: one
/// guard there is enough.
bool MissingNoGradChecker::isSaidByCallee(unsigned Index) const {
  const Event &E = Facts.Events[Index];
  const FunctionDecl *Callee = E.In != NoId ? Facts.Splices[E.In].Body : E.Callee;
  const FunctionUnit *Body = Callee ? U.find(*Callee) : nullptr;
  if (!Body || Body == &F)
    return false;
  std::vector<Diagnosis> Unsaid;
  return MissingNoGradChecker(U, *Body, Unsaid)
      .isUnused(E.In != NoId ? Facts.Values[E.Val].E : nullptr);
}

//===-- Results that are handed on ----------------------------------------===//

/// No gradient has to go on through the module: what it is given carries no graph, or is the
/// one thing that callers hand in, or they hand in no tensor, or nobody who is seen to call this
/// function does more with the result than read it.
bool MissingNoGradChecker::needsNoGradient(ValueId V) const {
  const Graph Given = std::max(F.State.SelfOf[V].Carries, F.State.RestOf[V].Carries);
  if (Given < Graph::Unknown ||
      (Given == Graph::Unknown && (isEntryPoint(U, F) || takesPlainData(U, F))))
    return true;
  return !(U.flow().fateOfValue(Facts, V) & (ReachesUnknown | ReachesShared)) &&
         isOnlyReadByCallers(U, F);
}

/// The loaded module \p Module is there to be run, and not to be trained.
bool MissingNoGradChecker::isOnlyRun(ValueId V, const ValueDecl &Module) const {
  return isScript(V) &&
         (isLoadedToEvaluate(U, Module) ||
          (needsNoGradient(V) && (isLoadedForItself(U, Module) || isThereToBeRun(U, F, Module))));
}

/// The function is given plain data and gives such: no graph goes through it.
bool MissingNoGradChecker::isDataInDataOut(ValueId V) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(Facts.Function);
  const Graph Given = std::max(F.State.SelfOf[V].Carries, F.State.RestOf[V].Carries);
  return !(Method && U.model().isModuleClass(*Method->getParent())) && Given <= Graph::Unknown &&
         takesPlainData(U, F) && isOnlyTurnedIntoData(U, F, V);
}

/// The result goes where it is not followed, in a file that differentiates nothing: that of
/// a loaded module anywhere, that of another one to functions that are not seen, if it was put in
/// evaluation mode, or if these make data of it for callers who gave data.
bool MissingNoGradChecker::isHandedOn(unsigned Index) const {
  const ValueId V = Facts.Events[Index].Val;
  const uint8_t Fate = U.flow().fateOfValue(Facts, V);
  const ValueDecl *Module = Facts.Values[V].From == Source::Api ? moduleOf(V) : nullptr;
  if (!Module || (Fate & ReachesBackward))
    return false;
  bool StaysHere = !(Fate & (ReachesReturn | ReachesShared)) && !isCallersAffair(U, F, Module) &&
                   (isEvaluated(F, *Module) || isMadeToEvaluate(U, *Module) || isDataInDataOut(V));
  return (StaysHere || isOnlyRun(V, *Module)) && !trainsSomething(U);
}

void MissingNoGradChecker::run() {
  if (isa<CXXConstructorDecl>(Facts.Function))
    return;
  std::map<LoopId, size_t> Said; // once per loop: one guard mends them all
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if (buildsGraph(I) && isUnused(I) && !isSaidByCallee(I))
      reportUnused(I, Said);
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if (isOfThisCallOnly(Facts.Events[I]) && buildsGraph(I) && !isUnused(I) && isHandedOn(I) &&
        Said.try_emplace(outermostLoop(Facts.Events[I].InLoop), Out.size()).second)
      reportHandedOn(I);
  for (const UnusedGradients &G : findUnusedGradients(U, F))
    if (G.Why == UnusedGradients::ResetBeforeStep && isOfThisCallOnly(Facts.Events[G.Forward]))
      reportUndetached(G);
}

/// `eval()` was called, and this part of the code trains nothing.
bool MissingNoGradChecker::evaluates(LoopId Outermost) const {
  return U.contains(F, NoId, EventKind::EvalMode) && !hasInLoop(Outermost, EventKind::Backward);
}

/// `h = cell->forward(x, h).detach();`: the graph ends with the statement that builds it.
bool MissingNoGradChecker::isDetachedAtOnce(const Event &E) const {
  const Expr *Result = Facts.Values[E.Val].E;
  return E.In == NoId && anyIn(*Facts.Function, [&](const Stmt &S) {
           const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
           const CXXMethodDecl *Callee = Call ? Call->getMethodDecl() : nullptr;
           auto Effect = Callee ? U.model().effectOf(*Callee) : std::nullopt;
           return Effect && Effect->What == Does::Detach &&
                  mentions(Call->getImplicitObjectArgument(),
                           [&](const Expr &Of) { return &Of == Result; });
         });
}

/// Some way to a call of \p F begins in a function that is no method. What begins in methods that
/// nothing in view calls is called by other files, which may hold the guard.
static bool isCalledByProgram(Unit &U, const FunctionDecl &F,
                              llvm::SmallPtrSetImpl<const FunctionDecl *> &Asked) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!Method || Method->isStatic() || Method->getParent()->isLambda() ||
      isa<CXXConstructorDecl>(Method))
    return true;
  return Asked.insert(F.getCanonicalDecl()).second &&
         llvm::any_of(callsInView(U.functions(), F), [&](const CallInView &Call) {
           return isCalledByProgram(U, *Call.Caller.Facts->Function, Asked);
         });
}

Level MissingNoGradChecker::levelOf(unsigned Index) const {
  const Event &E = Facts.Events[Index];
  bool Repeats = E.InLoop != NoId || F.CallsInStepLoop > 0;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(E.Callee);
  bool MayBeAnother = Method && Method->isPureVirtual(); // which may hold a guard
  bool Sure =
      F.State.Values[E.Val].Carries == Graph::Yes && U.isCallContextKnown(F) && !MayBeAnother;
  Sure = Sure && (Repeats || evaluates(outermostLoop(E.InLoop))) && !isDetachedAtOnce(E);
  llvm::SmallPtrSet<const FunctionDecl *, 4> Asked;
  return Sure && isCalledByProgram(U, *Facts.Function, Asked) ? Level::Warning : Level::Note;
}

/// A guard at the head of the loop, where all in the loop is like this finding.
void MissingNoGradChecker::addFix(Diagnosis &D, const Event &E) const {
  LoopId L = outermostLoop(E.InLoop);
  const Stmt *Body = L == NoId ? nullptr : loopBody(*Facts.Loops[L].S);
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
  if (!Block || Block->getLBracLoc().isMacroID())
    return;
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &Other = Facts.Events[I];
    if (!Facts.isInside(Other.InLoop, L))
      continue;
    bool Needs = events::has(Other.Kind, events::NeedsGrad) || Other.Kind == EventKind::Opaque;
    bool Hands = Other.Kind == EventKind::Compute &&
                 (U.flow().fateOfValue(Facts, Other.Val) & MayBeDifferentiated) &&
                 F.State.Values[Other.Val].Carries > Graph::No;
    if (Needs || Hands)
      return;
  }
  std::string Line = "\n" + indentationIn(*Block, U.context().getSourceManager());
  D.Fixes.push_back(FixItHint::CreateInsertion(Block->getLBracLoc().getLocWithOffset(1),
                                               Line + "torch::NoGradGuard no_grad;"));
}

/// "what 'net_' computes here", of 'server.net_'; the object's name where the network has none.
std::string MissingNoGradChecker::nameOf(ValueId V) const {
  const Event *Forward = forwardAt(Facts.Values[V].E);
  const ValueDecl *Module =
      Forward && Forward->Place != NoId ? Facts.Places[Forward->Place].Decl : nullptr;
  if (!Module || U.model().classify(Module->getType().getNonReferenceType()) != TypeClass::Module)
    Module = moduleOf(V);
  return Module ? "what " + quoted(*Module) + " computes here" : "what is computed here";
}

/// Where \p Forward stands; or, where a callee returns what it computes, the call: it is the
/// caller who does not differentiate that.
const Stmt *MissingNoGradChecker::whereToGuard(const Event &Forward) const {
  const Stmt *Where = whereToSay(Forward), *At = Forward.At;
  for (SpliceId In = Forward.In; In != NoId; In = Facts.Splices[In].Around) {
    const FunctionUnit *Callee = U.find(*Facts.Splices[In].Body);
    bool IsReturned = Callee && llvm::any_of(Callee->Facts->Events, [&](const Event &E) {
                        ValueId Made = E.Kind == EventKind::Compute ? E.Val : E.Result;
                        return E.At == At && Made != NoId &&
                               (U.flow().fateOfValue(*Callee->Facts, Made) & ReachesReturn);
                      });
    At = Facts.Splices[In].Call;
    if (IsReturned)
      Where = At;
  }
  return Where;
}

Diagnosis MissingNoGradChecker::diagnose(unsigned Index, Level L, std::string Message) const {
  const Event &E = Facts.Events[Index];
  Diagnosis D(MissingNoGrad::Name, Kind::Peak, L, whereToGuard(E)->getSourceRange(),
              std::move(Message));
  for (const Event &Eval : Facts.Events)
    if (Eval.Kind == EventKind::EvalMode) {
      D.Notes.push_back({Eval.At->getBeginLoc(), "'eval()' does not turn grad mode off"});
      break;
    }
  D.Subject.Producers.push_back(Facts.Values[E.Val].E->getExprLoc());
  D.Subject.Loop = rangeOfLoop(Facts, outermostLoop(E.InLoop));
  D.Subject.Graph = true;
  return D;
}

constexpr llvm::StringLiteral LoadedRequiresGrad =
    " (the parameters of a loaded module require grad unless it was frozen)";

/// The first of a loop, as sure as the surest.
void MissingNoGradChecker::reportUnused(unsigned Index, std::map<LoopId, size_t> &Said) {
  const Event &E = Facts.Events[Index];
  auto [It, IsFirst] = Said.try_emplace(outermostLoop(E.InLoop), Out.size());
  if (!IsFirst) {
    if (levelOf(Index) == Level::Warning)
      Out[It->second].TheLevel = Level::Warning;
    return;
  }
  Diagnosis D = diagnose(
      Index, levelOf(Index),
      nameOf(E.Val) + " is never differentiated, yet grad mode is on" +
          (isScript(E.Val) ? LoadedRequiresGrad.str() : "") +
          (isDetachedAtOnce(E) ? "; its graph is built only to be dropped by 'detach()', and all "
                                 "activations are alive until then"
                               : "; all activations of the forward pass stay alive as long as its "
                                 "result") +
          "; put 'torch::NoGradGuard no_grad;' before it");
  addFix(D, E);
  Out.push_back(std::move(D));
}

void MissingNoGradChecker::reportHandedOn(unsigned Index) {
  Out.push_back(diagnose(Index, Level::Note,
                         nameOf(Facts.Events[Index].Val) +
                             " is handed on with its graph and all activations" +
                             (isScript(Facts.Events[Index].Val) ? LoadedRequiresGrad.str() : "") +
                             ", and nothing in this file is ever differentiated; put "
                             "'torch::NoGradGuard no_grad;' before it, unless each caller holds "
                             "one"));
}

void MissingNoGradChecker::reportUndetached(const UnusedGradients &G) {
  const Event &Forward = Facts.Events[G.Forward], &Backward = Facts.Events[G.Backward];
  Diagnosis D(MissingNoGrad::Name, Kind::Peak, Level::Note, Forward.At->getSourceRange(),
              "the backward pass runs through " + quoted(*G.Module) +
                  " too, whose gradients are reset before any step uses them: its graph and its "
                  "gradients are for nothing; pass on 'detach()' of what it computes here");
  D.Notes.push_back({placeOfEvent(Backward), "the backward pass is here"});
  D.Subject.Producers.push_back(D.Loc);
  D.Subject.Loop = rangeOfLoop(Facts, Backward.InLoop);
  D.Subject.Graph = true;
  Out.push_back(std::move(D));
}

} // namespace

void MissingNoGrad::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<MissingNoGradChecker>(File.unit(), Out);
}

} // namespace tensorleak
