//===-- ModuleNames.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ModuleNames.h"

#include "checks/Budgets.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace tensorleak {

const ValueDecl *variableNamed(const Expr *E) {
  E = strip(E);
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return isa<VarDecl>(Ref->getDecl()) ? Ref->getDecl() : nullptr;
  if (const auto *Member = dyn_cast_or_null<MemberExpr>(E))
    return Member->getMemberDecl();
  if (const auto *Op = dyn_cast_or_null<UnaryOperator>(E);
      Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf))
    return variableNamed(Op->getSubExpr());
  if (const auto *Call = dyn_cast_or_null<CXXOperatorCallExpr>(E); Call && followsPointer(*Call))
    return variableNamed(Call->getArg(0));
  return nullptr;
}

static bool hasOtherName(Unit &U, const ValueDecl &Module, unsigned Makers);

namespace {

/// Looks for copies of one module or optimizer, and for what it is made from.
class NameFinder : public RecursiveASTVisitor<NameFinder> {
public:
  /// \p Makers: the functions on the way here, each of which returns what the next one makes.
  NameFinder(Unit &U, const ValueDecl &Module, unsigned Makers)
      : U(U), Model(U.model()), Module(Module), Class(Model.classify(Module.getType())),
        Makers(Makers) {}
  bool Found = false;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitVarDecl(VarDecl *V) { return join(V, V->getInit()); }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) {
    bool Assigns = Call->getOperator() == OO_Equal && Call->getNumArgs() == 2;
    return !Assigns || join(variableNamed(Call->getArg(0)), Call->getArg(1));
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    join(Init->getAnyMember(), Init->getInit());
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }
  bool VisitInitListExpr(InitListExpr *List) {
    return !llvm::any_of(List->inits(), [&](const Expr *E) { return is(E); }) || found();
  }
  bool VisitCallExpr(CallExpr *Call);

  /// \p Target is made from, or becomes, \p Init.
  bool join(const ValueDecl *Target, const Expr *Init);

private:
  bool found() { return !(Found = true); }
  bool is(const Expr *E) const { return E && variableNamed(E) == &Module; }
  bool namesModule(const Expr *E) const {
    const ValueDecl *V = variableNamed(E);
    return V && Model.classify(V->getType()) == Class;
  }
  bool isMade(const Expr *E) const;
  bool isMadeBy(const FunctionDecl &Maker) const;
  bool isOnlyReturned(const Expr *E) const;

  Unit &U;
  ApiModel &Model;
  const ValueDecl &Module;
  const TypeClass Class; ///< of a module, or of an optimizer
  mutable unsigned Makers;
};

/// What the C++ library is handed it may keep: a container, a pair, a function.
bool NameFinder::VisitCallExpr(CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (isa<CXXOperatorCallExpr>(Call) || !Callee || !Callee->isInStdNamespace())
    return true;
  return !llvm::any_of(Call->arguments(), [&](const Expr *E) { return is(E); }) || found();
}

/// A new module, and not one from somewhere else.
bool NameFinder::isMade(const Expr *E) const {
  E = strip(E);
  if (!E || isa<CXXNullPtrLiteralExpr, CXXNewExpr>(E))
    return true;
  auto NoneNamed = [&](auto Arguments) {
    return llvm::none_of(Arguments, [&](const Expr *Arg) { return namesModule(Arg); });
  };
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return NoneNamed(List->inits());
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
    return NoneNamed(Made->arguments());
  const auto *Call = dyn_cast<CallExpr>(E); // std::make_shared, torch::jit::load
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  auto Known = Callee ? Model.effectOf(*Callee) : std::nullopt;
  if (Known && Known->What == Does::Register) // hands on what it is given
    return llvm::all_of(Call->arguments(), [&](const Expr *Arg) { return isMade(Arg); });
  bool IsNew = Callee && (Callee->isInStdNamespace() ||
                          (Known && Known->What == Does::LoadModule) || isMadeBy(*Callee));
  return IsNew && NoneNamed(Call->arguments());
}

/// A factory: a function whose every return gives what it has just made.
bool NameFinder::isMadeBy(const FunctionDecl &Maker) const {
  const FunctionDecl *Body = Maker.getDefinition();
  if (!Body || !Body->doesThisDeclarationHaveABody() || isOver(Budget::CalleesAsked, Makers + 1))
    return false;
  llvm::SaveAndRestore Deeper(Makers, Makers + 1);
  return !anyBelow(Body->getBody(), [&](const Stmt &S) {
    const auto *Return = dyn_cast<ReturnStmt>(&S);
    return isa<LambdaExpr>(S) || (Return && !isOnlyReturned(Return->getRetValue()));
  });
}

/// Made in the expression, or in a variable of the factory's own that nothing else gets to hold.
bool NameFinder::isOnlyReturned(const Expr *E) const {
  if (const auto *Converted = dyn_cast_or_null<CXXConstructExpr>(strip(E));
      Converted && Converted->getNumArgs() == 1) // to a pointer to the base class
    return isOnlyReturned(Converted->getArg(0));
  const auto *Var = dyn_cast_or_null<VarDecl>(variableNamed(E));
  if (!Var)
    return E && !variableNamed(E) && isMade(E);
  return Var->isLocalVarDecl() && Var->hasLocalStorage() && !hasOtherName(U, *Var, Makers);
}

bool NameFinder::join(const ValueDecl *Target, const Expr *Init) {
  if (!Target || !Init || Model.classify(Target->getType()) != Class)
    return true;
  bool Concerns =
      Target == &Module ? !isMade(Init) : is(Init) && !Target->getType()->isReferenceType();
  return !Concerns || found();
}

} // namespace

static bool hasOtherName(Unit &U, const ValueDecl &Module, unsigned Makers) {
  NameFinder Finder(U, Module, Makers);
  if (const auto *Field = dyn_cast<FieldDecl>(&Module))
    Finder.join(Field, Field->getInClassInitializer());
  for (const FunctionUnit &F : U.functions()) {
    if (!Finder.Found)
      Finder.TraverseDecl(const_cast<FunctionDecl *>(F.Facts->Function));
  }
  return Finder.Found;
}

bool hasOtherName(Unit &U, const ValueDecl &Module) { return hasOtherName(U, Module, 0); }

} // namespace tensorleak
