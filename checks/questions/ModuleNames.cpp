//===-- ModuleNames.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ModuleNames.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
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

/// A function, or a method of a class, of the C++ library.
static bool isOfStd(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return F.isInStdNamespace() || (Method && Method->getParent()->isInStdNamespace());
}

const FunctionDecl *bodyRunBy(const Stmt &S) {
  const FunctionDecl *Run = nullptr;
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&S);
      Made && !Made->getConstructor()->isCopyOrMoveConstructor())
    Run = Made->getConstructor();
  else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    const CXXRecordDecl *Class = classMadeBy(*Call);
    Run = Class            ? constructorFor(*Class, Call->getNumArgs())
          : isMaker(*Call) ? nullptr
                           : Call->getDirectCallee();
  }
  const FunctionDecl *Body = Run ? Run->getDefinition() : nullptr;
  return Body && Body->doesThisDeclarationHaveABody() && !isOfStd(*Body) ? Body : nullptr;
}

namespace {

using Arguments = llvm::ArrayRef<const Expr *>;

/// Looks for copies of one module or optimizer, and for what it is made from.
class NameFinder : public RecursiveASTVisitor<NameFinder> {
public:
  /// \p Makers: the functions on the way here, each of which returns what the next one makes.
  /// \p AsksCallers: what a parameter is made from is what callers give.
  NameFinder(Unit &U, const ValueDecl &Module, unsigned Makers, bool AsksCallers = false)
      : U(U), Model(U.model()), Module(Module), Class(Model.classify(Module.getType())),
        Makers(Makers), AsksCallers(AsksCallers) {}

  void searchFile();
  bool hasOtherName() const {
    return IsFromElsewhere || IsKeptElsewhere || IsMoved || !Sources.empty() || !Copies.empty();
  }

  ModuleNameSet Sources; ///< what it is made from: `net_` from `net`
  ModuleNameSet Copies;  ///< what is made from it
  ModuleNameSet Handed;  ///< parameters that it is given to, of functions with a body in view
  bool IsFromElsewhere = false; ///< not made anew, and not from something with a name
  bool IsKeptElsewhere = false; ///< the library was given it, as for a container or a pair
  unsigned Calls = 0;           ///< of the function whose parameter it is

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitVarDecl(VarDecl *V) {
    join(V, V->getInit());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) {
    if (Call->getOperator() == OO_Equal && Call->getNumArgs() == 2)
      join(variableNamed(Call->getArg(0)), Call->getArg(1));
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    join(Init->getAnyMember(), Init->getInit());
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }
  bool VisitInitListExpr(InitListExpr *List) {
    IsKeptElsewhere |= namedIn(List->inits());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Made) {
    if (const FunctionDecl *Constructor = bodyRunBy(*Made))
      handOver(*Constructor, Arguments(Made->getArgs(), Made->getNumArgs()));
    return true;
  }
  bool VisitCallExpr(CallExpr *Call);

private:
  /// \p Target is made from, or becomes, \p Init.
  void join(const ValueDecl *Target, const Expr *Init);
  void handOver(const FunctionDecl &Body, Arguments Given);
  const Expr *converted(const Expr *E) const;
  const ValueDecl *named(const Expr *E) const { return variableNamed(converted(E)); }
  bool is(const Expr *E) const { return E && named(E) == &Module; }
  template <typename Exprs> bool namedIn(const Exprs &All) const {
    return llvm::any_of(All, [&](const Expr *E) { return is(E); });
  }
  bool namesModule(const Expr *E) const {
    const ValueDecl *V = named(E);
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
  const bool AsksCallers;
  bool IsMoved = false; ///< somewhere, by std::move
};

/// \p E without std::move and what makes a pointer to a base class of it: the same module.
const Expr *NameFinder::converted(const Expr *E) const {
  E = strip(E);
  const Expr *Inner = nullptr;
  if (const auto *Call = dyn_cast_or_null<CallExpr>(E); Call && yieldsItsArgument(*Call))
    Inner = Call->getArg(0);
  else if (const auto *Made = dyn_cast_or_null<CXXConstructExpr>(E);
           Made && Made->getNumArgs() == 1 && Model.classify(Made->getType()) == Class &&
           Model.classify(strip(Made->getArg(0))->getType()) == Class)
    Inner = Made->getArg(0);
  return Inner ? converted(Inner) : E;
}

/// Of a function without a body in view, the event of its call tells what it does.
bool NameFinder::VisitCallExpr(CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const FunctionDecl *Body = bodyRunBy(*Call);
  const bool IsOperator = isa<CXXOperatorCallExpr>(Call);
  const Arguments Given(Call->getArgs(), Call->getNumArgs());
  if (yieldsItsArgument(*Call))
    IsMoved |= namedIn(Given);
  else if (Body)
    handOver(*Body, Given.drop_front(IsOperator && isa<CXXMethodDecl>(Body)));
  else if (Callee && isOfStd(*Callee) && !IsOperator)
    IsKeptElsewhere |= namedIn(Given);
  return true;
}

void NameFinder::handOver(const FunctionDecl &Body, Arguments Given) {
  for (auto [Param, Arg] : llvm::zip(Body.parameters(), Given)) {
    if (Param != &Module) {
      if (is(Arg))
        Handed.insert(Param);
    } else if (AsksCallers) {
      ++Calls;
      join(Param, Arg);
    }
  }
}

/// A new module, and not one from somewhere else.
bool NameFinder::isMade(const Expr *E) const {
  E = converted(E);
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
  const auto *Var = dyn_cast_or_null<VarDecl>(named(E));
  if (!Var)
    return E && !named(E) && isMade(E);
  if (!Var->isLocalVarDecl() || !Var->hasLocalStorage())
    return false;
  NameFinder OfVariable(U, *Var, Makers);
  OfVariable.searchFile();
  return !OfVariable.hasOtherName();
}

void NameFinder::join(const ValueDecl *Target, const Expr *Init) {
  if (!Target || !Init || Model.classify(Target->getType()) != Class)
    return;
  if (Target == &Module && !isMade(Init)) {
    if (namesModule(Init))
      Sources.insert(named(Init));
    else
      IsFromElsewhere = true;
  } else if (is(Init) && Target != &Module && !Target->getType()->isReferenceType()) {
    Copies.insert(Target);
  }
}

void NameFinder::searchFile() {
  if (const auto *Field = dyn_cast<FieldDecl>(&Module))
    join(Field, Field->getInClassInitializer());
  for (const FunctionUnit &F : U.functions())
    TraverseDecl(const_cast<FunctionDecl *>(F.Facts->Function));
}

/// What a module is made from, and then whatever that is copied and handed to: the other arguments
/// of a function that it is handed to are other modules.
class NameClosure {
public:
  explicit NameClosure(Unit &U) : U(U) {}
  std::optional<ModuleNameSet> namesOf(const ValueDecl &Module);

private:
  NameFinder look(const ValueDecl &Name, bool AsksCallers) const;
  bool hasCallsElsewhere(const ParmVarDecl &Param) const;
  bool findSources();
  bool findCopies();

  Unit &U;
  ModuleNameSet Names;
};

NameFinder NameClosure::look(const ValueDecl &Name, bool AsksCallers) const {
  NameFinder Finder(U, Name, 0, AsksCallers);
  Finder.searchFile();
  return Finder;
}

/// Of the function that has the parameter, by other files of the run.
bool NameClosure::hasCallsElsewhere(const ParmVarDecl &Param) const {
  const auto *Function = dyn_cast<FunctionDecl>(Param.getDeclContext());
  return !Function || U.others().callsOf(*Function->getCanonicalDecl()).Calls > 0;
}

/// The callers of a member's constructor are asked, those of the function that runs the module not.
bool NameClosure::findSources() {
  for (unsigned I = 0; I < Names.size(); ++I) {
    if (isOver(Budget::ModuleNames, Names.size()))
      return false;
    const auto *Param = I > 0 ? dyn_cast<ParmVarDecl>(Names[I]) : nullptr;
    const NameFinder Seen = look(*Names[I], /*AsksCallers=*/Param);
    if (Seen.IsFromElsewhere || (Param && (Seen.Calls == 0 || hasCallsElsewhere(*Param))))
      return false;
    Names.insert(Seen.Sources.begin(), Seen.Sources.end());
  }
  return true;
}

bool NameClosure::findCopies() {
  for (unsigned I = 0; I < Names.size(); ++I) {
    if (isOver(Budget::ModuleNames, Names.size()))
      return false;
    const NameFinder Seen = look(*Names[I], /*AsksCallers=*/false);
    if (Seen.IsKeptElsewhere)
      return false;
    Names.insert(Seen.Copies.begin(), Seen.Copies.end());
    Names.insert(Seen.Handed.begin(), Seen.Handed.end());
  }
  return true;
}

std::optional<ModuleNameSet> NameClosure::namesOf(const ValueDecl &Module) {
  Names.insert(&Module);
  return findSources() && findCopies() ? std::optional(std::move(Names)) : std::nullopt;
}

} // namespace

bool hasOtherName(Unit &U, const ValueDecl &Module) {
  NameFinder Finder(U, Module, 0);
  Finder.searchFile();
  return Finder.hasOtherName();
}

std::optional<ModuleNameSet> namesOf(Unit &U, const ValueDecl &Module) {
  return NameClosure(U).namesOf(Module);
}

} // namespace tensorleak
