//===-- LoadedModules.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/missing-no-grad/LoadedModules.h"

#include "checks/flow/callers/Callers.h"
#include "checks/questions/ModuleNames.h"
#include "checks/questions/ParameterUse.h"
#include "checks/rules/missing-no-grad/EntryPoints.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/members/Access.h"

using namespace clang;

namespace tensorleak {

const ValueDecl *outermostVariable(const FunctionFacts &Facts, PlaceId P) {
  const ValueDecl *Outermost = nullptr;
  for (; P != NoId; P = Facts.Places[P].Parent)
    if (Facts.Places[P].Decl)
      Outermost = Facts.Places[P].Decl;
  return Outermost;
}

using CallTest = llvm::function_ref<bool(const CallExpr &)>;

/// Whether a call in \p Where that \p Counts does \p What.
static bool calls(Unit &U, const FunctionUnit &Where, Does What, CallTest Counts) {
  const FunctionDecl &Function = *Where.Facts->Function;
  auto IsOne = [&](const Expr &E) {
    const auto *Call = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    auto Known = Callee ? U.model().effectOf(*Callee) : std::nullopt;
    return Known && Known->What == What && Counts(*Call);
  };
  const auto *Made = dyn_cast<CXXConstructorDecl>(&Function);
  return mentions(Function.getBody(), IsOne) ||
         (Made && llvm::any_of(Made->inits(), [&](const CXXCtorInitializer *Init) {
            return mentions(Init->getInit(), IsOne);
          }));
}

static bool calls(Unit &U, Does What, CallTest Counts) {
  return llvm::any_of(U.functions(),
                      [&](const FunctionUnit &Where) { return calls(U, Where, What, Counts); });
}

static bool loadsModules(Unit &U) {
  return calls(U, Does::LoadModule, [](const CallExpr &) { return true; });
}

static bool trainsLoadedModules(Unit &U) {
  return calls(U, Does::TrainModule, [&](const CallExpr &Call) {
    const Expr *Object = objectOrFirst(&Call);
    return Object && U.model().isScriptModule(Object->IgnoreParenImpCasts()->getType());
  });
}

static bool trains(Unit &U, const ValueDecl &Module) {
  return calls(U, Does::TrainModule, [&](const CallExpr &Call) {
    return variableNamed(objectOrFirst(&Call)) == &Module;
  });
}

bool trainsSomething(const Unit &U) {
  return llvm::any_of(U.functions(), [&](const FunctionUnit &Other) {
    return llvm::any_of(Other.Facts->Events,
                        [](const Event &E) { return events::has(E.Kind, events::NeedsGrad); });
  });
}

bool isEvaluated(const FunctionUnit &Where, const ValueDecl &Module) {
  return llvm::any_of(Where.Facts->Events, [&](const Event &E) {
    return E.Kind == EventKind::EvalMode && outermostVariable(*Where.Facts, E.Place) == &Module;
  });
}

const ValueDecl *wholeIn(const Expr &Part) {
  const Expr *Object = Part.IgnoreUnlessSpelledInSource();
  const auto *Call = dyn_cast<CXXMemberCallExpr>(Object);
  if (!Call)
    return nullptr;
  while ((Call = dyn_cast<CXXMemberCallExpr>(Object)))
    Object = Call->getImplicitObjectArgument()->IgnoreUnlessSpelledInSource();
  return variableOrMember(Object);
}

/// The module of which \p Module is given a part somewhere in the file; null for none.
static const ValueDecl *wholeOf(Unit &U, const ValueDecl &Module) {
  const ValueDecl *Whole = nullptr;
  auto FindIn = [&Whole](const Expr *Value) {
    Whole = Value ? wholeIn(*Value) : nullptr;
    return Whole != nullptr;
  };
  auto IsGiven = [&](const Expr &E) {
    const auto *Given = dyn_cast<CXXOperatorCallExpr>(&E);
    return Given && Given->getOperator() == OO_Equal &&
           variableOrMember(Given->getArg(0)) == &Module && FindIn(Given->getArg(1));
  };
  if (const auto *Variable = dyn_cast<VarDecl>(&Module))
    FindIn(Variable->getInit());
  for (const FunctionUnit &F : U.functions()) {
    if (Whole || mentions(F.Facts->Function->getBody(), IsGiven))
      break;
    if (const auto *Made = dyn_cast<CXXConstructorDecl>(F.Facts->Function))
      for (const CXXCtorInitializer *Init : Made->inits())
        if (Init->getMember() == &Module && FindIn(Init->getInit()))
          break;
  }
  return Whole && U.model().isScriptModule(Whole->getType()) ? Whole : nullptr;
}

/// It, or what it is a part of.
static bool isEvaluatedAnywhere(Unit &U, const ValueDecl &Module) {
  constexpr unsigned MostParts = 4;
  const ValueDecl *Each = &Module;
  for (unsigned I = 0; Each && I < MostParts; ++I, Each = wholeOf(U, *Each))
    if (llvm::any_of(U.functions(), [&](const auto &Other) { return isEvaluated(Other, *Each); }))
      return true;
  return false;
}

bool isMadeToEvaluate(Unit &U, const ValueDecl &Module) {
  return isa<FieldDecl>(Module) && isEvaluatedAnywhere(U, Module) && !trains(U, Module);
}

bool isLoadedToEvaluate(Unit &U, const ValueDecl &Module) {
  return !isa<ParmVarDecl>(Module) && isEvaluatedAnywhere(U, Module) && loadsModules(U) &&
         !trainsLoadedModules(U);
}

/// No other file can name \p Module. A module's own parameters() gives those of its members.
static bool isOfThisFile(Unit &U, const ValueDecl &Module) {
  if (const auto *Field = dyn_cast<FieldDecl>(&Module))
    return U.isSeenWhole(*Field) && !U.model().isModuleClass(*Field->getParent());
  return !isa<ParmVarDecl>(Module) && !Module.isExternallyVisible();
}

bool isLoadedForItself(Unit &U, const ValueDecl &Module) {
  return isOfThisFile(U, Module) && loadsModules(U) && !trainsLoadedModules(U) &&
         !mayUseGradients(U, Module);
}

bool isCallersAffair(const Unit &U, const FunctionUnit &F, const ValueDecl *Module) {
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(Module);
  return Param && Param->getDeclContext() == F.Facts->Function && isInAllCallers(U.functions(), F);
}

bool isThereToBeRun(Unit &U, const FunctionUnit &F, const ValueDecl &Module) {
  const auto *Field = dyn_cast<FieldDecl>(&Module);
  bool IsInner = Field && hiddenPartAround(*Field) && !U.model().isModuleClass(*Field->getParent());
  bool IsHandedToRun = isa<ParmVarDecl>(Module) &&
                       (isOnlyReadByCallers(U, F) || (loadsModules(U) && takesPlainData(U, F)));
  return (IsInner || IsHandedToRun) && !trainsLoadedModules(U) && !mayUseGradients(U, Module);
}

} // namespace tensorleak
