//===-- ParameterUse.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ParameterUse.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace tensorleak {
namespace {

//===-- Where a list of parameters goes within a function -----------------===//

/// Follows what one call of parameters() gave through the variables of its function.
class ParameterFlow {
public:
  ParameterFlow(const FunctionFacts &Facts, ValueId Parameters);

  /// It leaves the function, or its gradients are read or changed.
  bool isMoreThanReadOrWritten(ApiModel &Model) const {
    return isListHandedOn(Model) ||
           llvm::any_of(Facts.Values,
                        [&](const Value &V) {
                          return V.From == Source::Api && V.Api.What == Does::GradOf &&
                                 anyIn(V.Inputs);
                        }) ||
           llvm::any_of(Facts.Events, [&](const Event &E) { return matters(E); });
  }

private:
  bool anyIn(llvm::ArrayRef<ValueId> Of) const {
    return llvm::any_of(Of, [&](ValueId V) { return Values.count(V); });
  }
  bool concerns(const Event &E) const {
    return (E.Place != NoId && Places.count(E.Place)) || (E.Val != NoId && Values.count(E.Val)) ||
           anyIn(E.Args);
  }
  bool matters(const Event &E) const;
  bool isListHandedOn(ApiModel &Model) const;
  bool isOfList(const Expr &E, ApiModel &Model) const;

  const FunctionFacts &Facts;
  llvm::DenseSet<ValueId> Values;
  llvm::DenseSet<PlaceId> Places;
};

/// Whether \p V is what \p Parameters gave, or a part or another view of it, through variables
/// or not; or that cannot be told.
static bool isFrom(const FunctionFacts &Facts, ValueId V, ValueId Parameters) {
  using Next = ValueWalk::Next;
  ValueWalk Walk(Facts, ValueWalk::Variables::AllWrites);
  return Walk.keptOnly().any(V, [&](ValueId Part, unsigned) {
    const Value &Val = Facts.Values[Part];
    if (Part == Parameters)
      return Next::Found;
    bool Passes = Val.From == Source::Load || Val.From == Source::Group ||
                  Val.Api.What == Does::View || Val.Api.What == Does::Detach ||
                  Val.Api.What == Does::RequireGrad;
    return Passes ? Next::Into : Next::Past;
  }) != ValueWalk::Answer::No;
}

ParameterFlow::ParameterFlow(const FunctionFacts &Facts, ValueId Parameters) : Facts(Facts) {
  for (ValueId V = 0; V < Facts.Values.size(); ++V)
    if (isFrom(Facts, V, Parameters))
      Values.insert(V);
  for (const Event &E : Facts.Events)
    if (events::keepsValue(E.Kind) && E.Place != NoId && E.Val != NoId && Values.count(E.Val))
      Places.insert(E.Place);
}

/// Reading does not matter, nor does overwriting in place or letting go.
bool ParameterFlow::matters(const Event &E) const {
  if (events::keepsValue(E.Kind))
    return E.Place != NoId && E.Val != NoId && Values.count(E.Val) &&
           (Facts.Places[E.Place].Root != Place::Local || Facts.Places[E.Place].isField());
  bool IsIncrement = E.Kind == EventKind::Unknown && E.Callee && E.Callee->isOverloadedOperator();
  if (IsIncrement || E.Kind == EventKind::Mutate || E.Kind == EventKind::Drop)
    return false; // `++it` of a loop over the list; new content
  bool OnlyReads =
      !events::mayChange(E.Kind) && !events::fate(E.Kind) && E.Kind != EventKind::UserCall;
  return !OnlyReads && concerns(E);
}

/// The list itself: the call of parameters(), or a variable that holds what it gave.
bool ParameterFlow::isOfList(const Expr &E, ApiModel &Model) const {
  if (llvm::any_of(Values, [&](ValueId V) {
        return Facts.Values[V].Api.What == Does::Parameters && Facts.Values[V].E == &E;
      }))
    return true;
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  return Ref && Model.classify(Ref->getType()) == TypeClass::TensorContainer &&
         llvm::any_of(Places, [&](PlaceId P) { return Facts.Places[P].Decl == Ref->getDecl(); });
}

/// A function or a constructor is given more of it than one parameter or a number: it may
/// be that of an optimizer, or of a container of optimizers.
bool ParameterFlow::isListHandedOn(ApiModel &Model) const {
  auto HasList = [&](const Expr *Arg) {
    QualType T = strip(Arg)->getType();
    return !T->isArithmeticType() && !Model.isTensor(T) &&
           mentions(Arg, [&](const Expr &Part) { return isOfList(Part, Model); });
  };
  return tensorleak::anyIn(*Facts.Function, [&](const Stmt &S) { // a base class may be given it
    if (const auto *Made = dyn_cast<CXXConstructExpr>(&S))
      return !Made->getConstructor()->isCopyOrMoveConstructor() &&
             llvm::any_of(Made->arguments(), HasList);
    const auto *Call = dyn_cast<CallExpr>(&S);
    const unsigned Skipped = Call && isa<CXXOperatorCallExpr>(Call); // `list[i]`
    return Call && llvm::any_of(llvm::drop_begin(Call->arguments(), Skipped), HasList);
  });
}

//===-- The module itself -------------------------------------------------===//

class ParameterUseSearch {
public:
  explicit ParameterUseSearch(Unit &U) : U(U) {}
  /// By the name \p Module; of other names nothing is asked.
  bool mayUse(const ValueDecl &Module) const;

private:
  bool isUsedIn(const FunctionFacts &Facts, const ValueDecl &Module) const;
  bool takesParameters(const FunctionFacts &Facts, const ValueDecl &Module) const;
  bool givesAway(const FunctionFacts &Facts, const Event &E, const ValueDecl &Module) const;

  Unit &U;
};

/// \p P is the module, or a part of it.
bool isWithin(const FunctionFacts &Facts, PlaceId P, const ValueDecl &Module) {
  for (; P != NoId; P = Facts.Places[P].Parent)
    if (Facts.Places[P].Decl == &Module)
      return true;
  return false;
}

bool ParameterUseSearch::takesParameters(const FunctionFacts &Facts,
                                         const ValueDecl &Module) const {
  bool BindsOptimizer = llvm::any_of(Facts.Events, [](const Event &E) {
    return E.Kind == EventKind::BindParams || E.Kind == EventKind::Register;
  });
  for (ValueId V = 0; V < Facts.Values.size(); ++V) {
    const Value &Val = Facts.Values[V];
    bool Takes = Val.Api.What == Does::Parameters && isWithin(Facts, Val.Loaded, Module);
    if (Takes && (BindsOptimizer || ParameterFlow(Facts, V).isMoreThanReadOrWritten(U.model())))
      return true;
  }
  return false;
}

/// The function whose body runs at \p At has its own name for \p Module, and so has a pointer to
/// its base class.
static bool isByOtherName(ApiModel &Model, const Stmt &At, const ValueDecl &Module) {
  const auto *Made = dyn_cast<CXXConstructExpr>(&At);
  return bodyRunBy(At) || (Made && Model.classify(Module.getType()) == TypeClass::Module &&
                           Model.classify(Made->getType()) == TypeClass::Module);
}

bool ParameterUseSearch::givesAway(const FunctionFacts &Facts, const Event &E,
                                   const ValueDecl &Module) const {
  if (E.Place == NoId || !isWithin(Facts, E.Place, Module))
    return false;
  const bool IsHanded = E.Kind == EventKind::Unknown || (E.Kind == EventKind::Use && E.Callee);
  if (IsHanded && E.At && isByOtherName(U.model(), *E.At, Module))
    return false;
  if (E.Kind == EventKind::Use && E.Callee)
    return true;
  return events::leaves(E.Kind) || E.Kind == EventKind::ResetGrad || E.Kind == EventKind::Register;
}

/// `for (torch::nn::Module *each : {cell.get(), head.get()})`: by which name is not followed.
static bool isListedByPointer(const FunctionFacts &Facts, const ValueDecl &Module) {
  auto IsModule = [&](const Expr &E) { return variableOrMember(&E) == &Module; };
  return tensorleak::anyIn(*Facts.Function, [&](const Stmt &S) {
    const auto *List = dyn_cast<InitListExpr>(&S);
    return List && llvm::any_of(List->inits(), [&](const Expr *Each) {
             return Each->getType()->isPointerType() && mentions(Each, IsModule);
           });
  });
}

bool ParameterUseSearch::isUsedIn(const FunctionFacts &Facts, const ValueDecl &Module) const {
  return takesParameters(Facts, Module) ||
         llvm::any_of(Facts.Events, [&](const Event &E) { return givesAway(Facts, E, Module); }) ||
         isListedByPointer(Facts, Module);
}

bool ParameterUseSearch::mayUse(const ValueDecl &Module) const {
  return llvm::any_of(U.functions(),
                      [&](const FunctionUnit &F) { return isUsedIn(*F.Facts, Module); });
}

} // namespace

/// `Adam optimizer{net->parameters()};` as a member: no function has it.
static bool isInDefaultInitializer(const ValueDecl &Module) {
  const auto *Member = dyn_cast<FieldDecl>(&Module);
  return Member && llvm::any_of(Member->getParent()->fields(), [&](const FieldDecl *Field) {
           return mentions(Field->getInClassInitializer(),
                           [&](const Expr &E) { return variableNamed(&E) == &Module; });
         });
}

bool mayUseGradients(Unit &U, const ModuleNameSet &Names) {
  return llvm::any_of(Names, [&](const ValueDecl *Name) {
    return isInDefaultInitializer(*Name) || ParameterUseSearch(U).mayUse(*Name);
  });
}

bool mayUseGradients(Unit &U, const ValueDecl &Module) {
  const auto Names = namesOf(U, Module);
  return !Names || mayUseGradients(U, *Names);
}

} // namespace tensorleak
