//===-- Optimizers.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Optimizers.h"

#include "checks/Budgets.h"
#include "checks/facts/Ways.h"
#include "checks/questions/ModuleNames.h"
#include "checks/source/Expressions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

static void add(const FunctionFacts &Facts, const Event &Bind, ParameterSet &Set) {
  Set.Known = !Bind.Args.empty();
  for (ValueId Arg : Bind.Args) {
    PlaceId Module = Facts.Values[Arg].Loaded;
    if (Module == NoId || !Facts.Places[Module].Decl)
      Set.Known = false;
    else
      Set.Modules.push_back(Facts.Places[Module].Decl);
  }
}

ParameterSet parametersOf(const FunctionFacts &Facts, const ValueDecl *D) {
  ParameterSet Set;
  if (!D || isa<FieldDecl>(D))
    return Set;
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::BindParams && E.Place != NoId && Facts.Places[E.Place].Decl == D)
      add(Facts, E, Set);
  return Set;
}

//===-- Wherever it is made -----------------------------------------------===//

namespace {

/// Reads what the expression that makes an optimizer is given.
class GivenParameters {
public:
  GivenParameters(Unit &U, SteppedParameters &Out) : U(U), Out(Out) {}
  /// False where something is given that is not understood.
  bool read(const Stmt *S);

private:
  using Names = llvm::function_ref<const Expr *(const Expr *)>;

  bool readCall(const CallExpr &Call);
  bool readFactory(const CallExpr &Call);
  bool addModule(const Expr *Module);
  bool isRead(const Expr &Leaf);

  Unit &U;
  SteppedParameters &Out;
  const FunctionDecl *Factory = nullptr; ///< whose body is read
  const CallExpr *FactoryCall = nullptr;
};

/// In the body of a function that makes an optimizer, a parameter is what the caller gives.
bool GivenParameters::addModule(const Expr *Module) {
  const ValueDecl *Named = variableNamed(Module);
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(Named);
  if (Param && Factory && llvm::is_contained(Factory->parameters(), Param)) {
    Module = FactoryCall->getArg(Param->getFunctionScopeIndex());
    Named = variableNamed(Module);
  } else if (Factory) {
    return false;
  }
  if (!Named)
    return false;
  Out.Modules.push_back(Named);
  mentions(Module, [&](const Expr &E) { // `body` of `body.encoder`
    if (const ValueDecl *Part = variableNamed(&E); Part && Part != Named)
      Out.Around.push_back(Part);
    return false;
  });
  return true;
}

/// A function of the file that hands out an optimizer: what its body makes one of.
bool GivenParameters::readFactory(const CallExpr &Call) {
  const FunctionUnit *Body = Factory ? nullptr : U.find(*Call.getDirectCallee());
  if (!Body || isa<CXXMethodDecl>(Body->Facts->Function))
    return false;
  Factory = Body->Facts->Function;
  FactoryCall = &Call;
  bool Understood = true, Any = false;
  mentions(Factory->getBody(), [&](const Expr &E) {
    const auto *Made = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Made ? Made->getDirectCallee() : nullptr;
    auto Known = Callee ? U.model().effectOf(*Callee) : std::nullopt;
    if (Known && Known->What == Does::Parameters) {
      Any = true;
      Understood &= readCall(*Made);
    }
    return false;
  });
  Factory = nullptr;
  return Any && Understood;
}

bool GivenParameters::readCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  auto Known = Callee ? U.model().effectOf(*Callee) : std::nullopt;
  const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call);
  if (Known && Known->What == Does::Parameters)
    return Method && addModule(Method->getImplicitObjectArgument());
  if (Callee && U.model().classify(Call.getType()) == TypeClass::Optimizer &&
      !Callee->isInStdNamespace())
    return readFactory(Call);
  // What else gives tensors is not followed: a method of the user's, a list that is moved.
  return !U.model().holdsTensors(Call.getType()) &&
         llvm::all_of(Call.children(), [&](const Stmt *Child) { return read(Child); });
}

/// One tensor by its name; lists of them are not followed.
bool GivenParameters::isRead(const Expr &Leaf) {
  if (U.model().classify(Leaf.getType()) == TypeClass::Tensor) {
    Out.Tensors.push_back(variableNamed(&Leaf));
    return Out.Tensors.back() != nullptr;
  }
  return !U.model().holdsTensors(Leaf.getType());
}

bool GivenParameters::read(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return !S;
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(S))
    return read(Default->getExpr());
  if (const auto *Call = dyn_cast<CallExpr>(S))
    return readCall(*Call);
  if (isa<DeclRefExpr, MemberExpr>(S))
    return isRead(*cast<Expr>(S));
  return llvm::all_of(S->children(), [&](const Stmt *Child) { return read(Child); });
}

/// Where the optimizer is declared with others, its own initializer.
const Stmt *initializerOf(const ValueDecl &Optimizer, const Event &Bind) {
  const auto *Var = dyn_cast<VarDecl>(&Optimizer);
  if (isa<DeclStmt>(Bind.At))
    return Var ? Var->getInit() : nullptr;
  if (const auto *Set = dyn_cast<CXXOperatorCallExpr>(Bind.At);
      Set && Set->getOperator() == OO_Equal)
    return Set->getArg(1);
  return Bind.At;
}

} // namespace

SteppedParameters steppedBy(Unit &U, const ValueDecl &Optimizer) {
  SteppedParameters Out;
  if (isa<ParmVarDecl>(Optimizer) || (isa<FieldDecl>(Optimizer) && !U.isSeenWhole(Optimizer)))
    return Out;
  bool Understood = true;
  for (const FunctionUnit &F : U.functions())
    for (const Event &E : F.Facts->Events)
      if (E.Kind == EventKind::BindParams && E.Place != NoId &&
          F.Facts->Places[E.Place].Decl == &Optimizer)
        Understood &= GivenParameters(U, Out).read(initializerOf(Optimizer, E));
  const auto *Field = dyn_cast<FieldDecl>(&Optimizer);
  if (const Expr *Init = Field ? Field->getInClassInitializer() : nullptr)
    Understood &= GivenParameters(U, Out).read(Init);
  Out.Known = Understood && !(Out.Modules.empty() && Out.Tensors.empty());
  return Out;
}

bool SteppedParameters::concerns(const FunctionFacts &Facts, PlaceId Module) const {
  if (llvm::is_contained(Around, Facts.Places[Module].Decl))
    return true;
  for (; Module != NoId; Module = Facts.Places[Module].Parent)
    if (llvm::is_contained(Modules, Facts.Places[Module].Decl))
      return true;
  return false;
}

bool isMadeAnew(const Unit &U, const FunctionUnit &F, const ValueDecl *D, LoopId L,
                unsigned Calls) {
  if (!D)
    return false;
  const FunctionFacts &Facts = *F.Facts;
  auto Makes = [&](const Event &E) {
    if (E.Kind == EventKind::BindParams)
      return E.Place != NoId && Facts.Places[E.Place].Decl == D;
    const FunctionUnit *Callee = E.Kind == EventKind::UserCall ? U.find(*E.Callee) : nullptr;
    return Callee && !isOver(Budget::CalleesAsked, Calls + 1) &&
           isMadeAnew(U, *Callee, D, NoId, Calls + 1);
  };
  for (unsigned I = 0; I < Facts.Events.size(); ++I)
    if ((L == NoId || Facts.isInside(Facts.Events[I].InLoop, L)) && isUnconditional(Facts, I) &&
        Makes(Facts.Events[I]))
      return true;
  return false;
}

} // namespace tensorleak
