//===-- MissingZeroGrad.cpp - tensor-missing-zero-grad --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Per optimizer: a loop that runs backward and step() again and again, and
// nothing on the way round resets the gradients of that optimizer.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

#include "checks/facts/Ways.h"

#include "checks/model/ClassNames.h"
#include "checks/questions/ModuleNames.h"
#include "checks/questions/Optimizers.h"
#include "checks/questions/graphs/UnusedGradients.h"
#include "checks/rules/missing-zero-grad/MemberOptimizers.h"
#include "checks/rules/missing-zero-grad/RareResets.h"
#include "checks/rules/missing-zero-grad/StepsByHand.h"
#include "checks/source/Expressions.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class MissingZeroGradChecker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  void run() {
    for (const Event &E : Facts.Events)
      if (E.Kind == EventKind::Step)
        checkStep(E);
    for (const UnusedGradients &G : findUnusedGradients(U, F))
      if (G.Why == UnusedGradients::InNoOptimizer && whereToSay(G.Run, G.In) == G.Run)
        reportUnused(G);
    for (const StepByHand &S : stepsByHandWithoutReset(U, F))
      if (isOfThisCallOnly(Facts.Events[S.Write]))
        reportByHand(S);
  }

private:
  void checkStep(const Event &Step);
  bool mayBeShared(const ValueDecl &Optimizer) const;
  bool isCalledUnseen() const;
  bool isMadeHere(const Event &Step) const;
  bool isFirstStep(const Event &Step) const;
  const FieldDecl *ownOptimizer(const Event &Step) const;
  void checkLoneStep(const Event &Step);
  LoopId stepLoop(const Event &Step) const;
  bool onlyHandsOut(const Event &E) const;
  bool onlyComputes(const Event &E) const;
  bool mayReset(const Event &E, PlaceId Optimizer, const SteppedParameters &Set) const;
  bool involves(PlaceId P, PlaceId Optimizer, const SteppedParameters &Set) const;
  bool isRegistered(const SteppedParameters &Set) const;
  bool isPartOf(const ValueDecl &Part, const SteppedParameters &Set) const;
  bool isOnAnotherWay(const Event &Reset, const Event &Step, LoopId L) const;
  const Event *backwardIn(LoopId L) const;
  void report(const Event &Step, LoopId L, const Event *RareReset);
  void reportLoneStep(const Event &Step, const FieldDecl &Optimizer);
  void reportUnused(const UnusedGradients &G);
  void reportByHand(const StepByHand &S);
};

/// The first in the loop \p L; NoId: in the function.
const Event *MissingZeroGradChecker::backwardIn(LoopId L) const {
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Backward && (L == NoId || Facts.isInside(E.InLoop, L)))
      return &E;
  return nullptr;
}

/// The innermost loop that holds the step and a backward, if any.
LoopId MissingZeroGradChecker::stepLoop(const Event &Step) const {
  for (LoopId L = Step.InLoop; L != NoId; L = Facts.Loops[L].Parent)
    if (backwardIn(L))
      return L;
  return NoId;
}

/// A tensor that is stepped by itself may be a parameter of some module as well.
bool MissingZeroGradChecker::isRegistered(const SteppedParameters &Set) const {
  auto Registers = [&](const Expr &E) {
    const auto *Call = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    auto Known = Callee ? U.model().effectOf(*Callee) : std::nullopt;
    return Known && Known->What == Does::Register &&
           llvm::any_of(Call->arguments(), [&](const Expr *Arg) {
             return llvm::is_contained(Set.Tensors, variableNamed(Arg));
           });
  };
  return !Set.Tensors.empty() && llvm::any_of(U.functions(), [&](const FunctionUnit &Other) {
    return mentions(Other.Facts->Function->getBody(), Registers);
  });
}

/// `Sequential both{first, second}`: one of the modules that are stepped is made of \p Part.
bool MissingZeroGradChecker::isPartOf(const ValueDecl &Part, const SteppedParameters &Set) const {
  auto NamesPart = [&](const Expr &E) { return variableNamed(&E) == &Part; };
  return llvm::any_of(Set.Modules, [&](const ValueDecl *Whole) {
    if (const auto *Var = dyn_cast<VarDecl>(Whole))
      return mentions(Var->getInit(), NamesPart);
    const auto *Field = dyn_cast<FieldDecl>(Whole);
    return (Field && mentions(Field->getInClassInitializer(), NamesPart)) ||
           llvm::any_of(U.functions(), [&](const FunctionUnit &Other) {
             const auto *Made = dyn_cast<CXXConstructorDecl>(Other.Facts->Function);
             return Made && llvm::any_of(Made->inits(), [&](const CXXCtorInitializer *Init) {
                      return Init->getAnyMember() == Whole && mentions(Init->getInit(), NamesPart);
                    });
           });
  });
}

/// A container of pointers that do not own: what stands in it has another name elsewhere.
static bool keepsNames(QualType T) {
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && isLibraryContainer(*R) && llvm::any_of(typeArguments(*R), [](QualType Held) {
           const CXXRecordDecl *Class = Held->getAsCXXRecordDecl();
           return Held->isPointerType() || (Class && isSharedPtr(*Class)) || keepsNames(Held);
         });
}

/// A parameter of a body that runs within \p Facts, where it is not known what it stands for: of a
/// lambda that an algorithm runs for each element of a list, for any of them.
static bool isUnboundParameter(const FunctionFacts &Facts, const ValueDecl &D) {
  return isa<ParmVarDecl>(D) && D.getDeclContext() != Facts.Function;
}

bool MissingZeroGradChecker::involves(PlaceId P, PlaceId Optimizer,
                                      const SteppedParameters &Set) const {
  if (P == NoId || P == Optimizer)
    return true;
  const ValueDecl *D = Facts.Places[P].Decl;
  if (!D) // the object itself
    return true;
  switch (U.model().classify(D->getType())) {
  case TypeClass::Optimizer: // another one, if the places are no names for the same
    return keepsNames(Facts.Places[Optimizer].Decl->getType()) || keepsNames(D->getType()) ||
           isUnboundParameter(Facts, *D);
  case TypeClass::Module:
    return !Set.Known || Set.concerns(Facts, P) || hasOtherName(U, *D) || isRegistered(Set) ||
           isPartOf(*D, Set);
  default:
    return true; // a parameter, a trainer, anything that could hold the gradients
  }
}

/// `model.scaling()`, a const method that is handed nothing it could reset, gives what it has.
bool MissingZeroGradChecker::onlyHandsOut(const Event &E) const {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(E.Callee);
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E.At);
  return Method && Method->isConst() && !Method->getReturnType()->isVoidType() && Call &&
         llvm::all_of(Call->arguments(), [&](const Expr *Arg) {
           return U.model().isPlainData(strip(Arg)->getType());
         });
}

/// `loss_(output, target)`: a stored function that is given tensors and gives one computes it, as a
/// loss does. A closure of an optimizer, which resets, is given nothing.
bool MissingZeroGradChecker::onlyComputes(const Event &E) const {
  const auto *Call = dyn_cast_or_null<CXXOperatorCallExpr>(E.At);
  const auto *Operator = Call ? dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()) : nullptr;
  if (!Operator || Call->getOperator() != OO_Call || !Operator->getParent()->isInStdNamespace() ||
      !U.model().isTensor(Call->getType()))
    return false;
  auto IsTensor = [&](const Expr *Arg) { return U.model().isTensor(strip(Arg)->getType()); };
  auto Given = llvm::drop_begin(Call->arguments());
  return llvm::any_of(Given, IsTensor) && llvm::all_of(Given, [&](const Expr *Arg) {
           return IsTensor(Arg) || U.model().isPlainData(strip(Arg)->getType());
         });
}

bool MissingZeroGradChecker::mayReset(const Event &E, PlaceId Optimizer,
                                      const SteppedParameters &Set) const {
  if (replacesGradients(Facts, E))
    return involves(E.Place, Optimizer, Set);
  // An unknown call resets at most what it is handed; an iterator's operators nothing.
  bool IsOperator =
      E.Callee && E.Callee->isOverloadedOperator() && E.Callee->getOverloadedOperator() != OO_Call;
  if (E.Kind != EventKind::Unknown || IsOperator || onlyHandsOut(E) || onlyComputes(E))
    return false;
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  TypeClass Class = D ? U.model().classify(D->getType()) : TypeClass::Other;
  bool Relevant = E.Place == Optimizer || !D || Class == TypeClass::Module ||
                  Facts.rootOf(E.Place) == Facts.rootOf(Optimizer);
  return Relevant && involves(E.Place, Optimizer, Set);
}

/// Another pointer may lead to the same optimizer.
bool MissingZeroGradChecker::mayBeShared(const ValueDecl &Optimizer) const {
  QualType T = Optimizer.getType().getNonReferenceType();
  const auto *Class = T->getAsCXXRecordDecl();
  return ((Class && isSharedPtr(*Class)) || T->isPointerType()) && hasOtherName(U, Optimizer);
}

/// `if (!std::isfinite(loss)) { optimizer.zero_grad(); continue; }`, and nothing where it steps.
bool MissingZeroGradChecker::isOnAnotherWay(const Event &Reset, const Event &Step, LoopId L) const {
  return excludeEachOther(Facts, &Reset - Facts.Events.data(), &Step - Facts.Events.data(), L);
}

void MissingZeroGradChecker::checkStep(const Event &Step) {
  LoopId L = stepLoop(Step);
  if (L == NoId)
    return checkLoneStep(Step);
  if (Step.Place == NoId || !Facts.Places[Step.Place].Decl)
    return;
  if (Facts.isInside(Facts.loopOfDecl(Step.Place), L))
    return; // made anew in every round
  if (mayBeShared(*Facts.Places[Step.Place].Decl))
    return;
  SteppedParameters Set = steppedBy(U, *Facts.Places[Step.Place].Decl);
  const Event *Rare = nullptr;
  for (const Event &E : Facts.Events) {
    if (!Facts.isInside(E.InLoop, L) || !mayReset(E, Step.Place, Set) || isOnAnotherWay(E, Step, L))
      continue;
    if (timeOfReset(Facts, E, Step, L) == ResetTime::AnyRound)
      return;
    Rare = &E;
  }
  report(Step, L, Rare);
}

//===-- Methods whose callers are not in view ------------------------------===//

bool MissingZeroGradChecker::isCalledUnseen() const {
  const auto *Method = dyn_cast<CXXMethodDecl>(Facts.Function);
  return Method && !isa<CXXConstructorDecl, CXXDestructorDecl>(Method) &&
         !Method->getParent()->isLambda() && F.CallSites == 0;
}

/// The member of this object that steps, once in each call.
const FieldDecl *MissingZeroGradChecker::ownOptimizer(const Event &Step) const {
  if (Step.Place == NoId || Step.InLoop != NoId || !Facts.Places[Step.Place].isField())
    return nullptr;
  const Place &Object = Facts.Places[Facts.Places[Step.Place].Parent];
  bool IsOwn = Object.Root == Place::This && !Object.isField();
  return IsOwn ? dyn_cast_or_null<FieldDecl>(Facts.Places[Step.Place].Decl) : nullptr;
}

/// This function makes the optimizer anew.
bool MissingZeroGradChecker::isMadeHere(const Event &Step) const {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Place == Step.Place && (E.Kind == EventKind::BindParams || E.Kind == EventKind::Store);
  });
}

/// Of several steps of one optimizer, the first speaks for all.
bool MissingZeroGradChecker::isFirstStep(const Event &Step) const {
  return llvm::none_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::Step && E.Place == Step.Place && &E < &Step;
  });
}

void MissingZeroGradChecker::checkLoneStep(const Event &Step) {
  const FieldDecl *Optimizer = isCalledUnseen() ? ownOptimizer(Step) : nullptr;
  if (Optimizer && backwardIn(NoId) && !isMadeHere(Step) && isFirstStep(Step) &&
      !mayBeShared(*Optimizer) && !mayBeReset(U, *Optimizer))
    reportLoneStep(Step, *Optimizer);
}

void MissingZeroGradChecker::reportLoneStep(const Event &Step, const FieldDecl &Optimizer) {
  Diagnosis D(MissingZeroGrad::Name, Kind::Correctness, Level::Note, placeOfEvent(Step),
              quoted(Optimizer) +
                  " steps in every call of this method, but nothing in its class resets its "
                  "gradients; each step sees the sum of all gradients so far (memory does not "
                  "grow); call 'zero_grad()' once per step");
  D.Notes.push_back({placeOfEvent(*backwardIn(NoId)), "gradients are added to the old ones here"});
  D.Subject.Holder = Optimizer.getNameAsString();
  D.Subject.HolderDecl = Optimizer.getLocation();
  Out.push_back(std::move(D));
}

//===-- Findings ------------------------------------------------------------===//

static std::string tellRare(const FunctionFacts &Facts, const Event &Reset, const Event &Step,
                            LoopId L) {
  return timeOfReset(Facts, Reset, Step, L) == ResetTime::OneRound
             ? "its gradients are reset in one round alone"
             : "the condition under which its gradients are reset never holds";
}

/// \p RareReset: what resets its gradients, but not in each round.
void MissingZeroGradChecker::report(const Event &Step, LoopId L, const Event *RareReset) {
  const ValueDecl *Optimizer = Facts.Places[Step.Place].Decl;
  const std::string Why =
      RareReset ? tellRare(Facts, *RareReset, Step, L) : "nothing resets its gradients";
  Diagnosis D(MissingZeroGrad::Name, Kind::Correctness, Level::Warning, placeOfEvent(Step),
              quoted(*Optimizer) + " steps in every round of this loop, but " + Why +
                  "; each step sees the sum of all gradients so far (memory does not grow); call "
                  "'zero_grad()' once per step");
  if (RareReset)
    D.Notes.push_back({placeOfEvent(*RareReset), "they are reset here"});
  if (const Event *Backward = backwardIn(L))
    D.Notes.push_back({placeOfEvent(*Backward), "gradients are added to the old ones here"});
  addCalls(D, Step, "called here in every round");
  if (Step.Callee)
    D.Notes.push_back({Step.At->getBeginLoc(), "called here in every round"});
  D.Notes.push_back({Facts.Loops[L].S->getBeginLoc(), "the loop is here"});
  D.Subject.Holder = Optimizer->getNameAsString();
  D.Subject.HolderDecl = Optimizer->getLocation();
  D.Subject.Loop = rangeOfLoop(Facts, L);
  Out.push_back(std::move(D));
}

void MissingZeroGradChecker::reportUnused(const UnusedGradients &G) {
  const Event &Backward = Facts.Events[G.Backward];
  std::string Advice = G.StartsGraph ? "run it under 'torch::NoGradGuard', or pass on 'detach()' "
                                       "of what it computes"
                                     : "call 'requires_grad_(false)' on its parameters";
  Diagnosis D(MissingZeroGrad::Name, Kind::Correctness, Level::Note, G.Run->getSourceRange(),
              quoted(*G.Module) +
                  " is in no optimizer, yet every backward pass adds to the gradients of its "
                  "parameters, and nobody uses or resets them; " +
                  Advice);
  D.Notes.push_back({placeOfEvent(Backward), "gradients are added here"});
  D.Subject.Holder = G.Module->getNameAsString();
  D.Subject.HolderDecl = G.Module->getLocation();
  D.Subject.Loop = rangeOfLoop(Facts, Backward.InLoop);
  Out.push_back(std::move(D));
}

void MissingZeroGradChecker::reportByHand(const StepByHand &S) {
  const Event &Write = Facts.Events[S.Write];
  const ValueDecl &Tensor = *Facts.Places[Write.Place].Decl;
  Diagnosis D(MissingZeroGrad::Name, Kind::Correctness, Level::Warning, placeOfEvent(Write),
              quoted(Tensor) +
                  " follows its gradient in every round of this loop, but nothing resets the "
                  "gradient; each round sees the sum of all gradients so far (memory does not "
                  "grow); reset it once per round, as by 'mutable_grad() = torch::Tensor()'");
  D.Notes.push_back(
      {placeOfEvent(Facts.Events[S.Backward]), "gradients are added to the old ones here"});
  D.Notes.push_back({Facts.Loops[S.Loop].S->getBeginLoc(), "the loop is here"});
  D.Subject.Holder = Tensor.getNameAsString();
  D.Subject.HolderDecl = Tensor.getLocation();
  D.Subject.Loop = rangeOfLoop(Facts, S.Loop);
  Out.push_back(std::move(D));
}

} // namespace

void MissingZeroGrad::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<MissingZeroGradChecker>(File.unit(), Out);
}

} // namespace tensorleak
