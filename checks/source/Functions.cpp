//===-- Functions.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Functions.h"

#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <utility>

using namespace clang;

namespace tensorleak {
namespace {

/// Finds functions with bodies, instantiations included.
class Collector : public RecursiveASTVisitor<Collector> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext() && F->getBody() &&
        !isDeviceCode(*F))
      Found.push_back(F);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) {
    const CXXMethodDecl *Body = L->getCallOperator();
    if (const auto *Template = L->getDependentCallOperator()) {
      for (FunctionDecl *Spec : Template->specializations())
        if (Spec->hasBody() && !Spec->isDependentContext() && !isDeviceCode(*Spec))
          Found.push_back(Spec);
    } else if (Body && !Body->isDependentContext() && !isDeviceCode(*Body)) {
      Found.push_back(Body);
    }
    return true;
  }

  std::vector<const FunctionDecl *> Found;
};

/// What a body calls, and the lambdas in it.
class Callees : public RecursiveASTVisitor<Callees> {
public:
  /// \p Targets: what calls may mean that name no function; null for that of the names alone.
  explicit Callees(const CallTargets *Targets = nullptr) : Targets(Targets) {}

  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return true;
    Found.push_back(F->getCanonicalDecl());
    if (Targets)
      for (const FunctionDecl *Body : Targets->bodiesOf(*F).Known)
        Found.push_back(Body->getCanonicalDecl());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) { // std::thread(f), callback(x)
    if (const auto *F = dyn_cast<FunctionDecl>(R->getDecl()))
      Found.push_back(F->getCanonicalDecl());
    else
      addPutInto(*R->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *M) { // on_step(x)
    addPutInto(*M->getMemberDecl());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *C) {
    Found.push_back(C->getConstructor()->getCanonicalDecl());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) {
    if (const CXXMethodDecl *Body = L->getCallOperator())
      Found.push_back(Body->getCanonicalDecl());
    if (const auto *Template = L->getDependentCallOperator()) // [](auto x)
      for (const FunctionDecl *Instance : Template->specializations())
        Found.push_back(Instance->getCanonicalDecl());
    return true;
  }
  std::vector<const FunctionDecl *> Found;

private:
  void addPutInto(const ValueDecl &D) {
    if (!Targets)
      return;
    for (const Expr *What : Targets->putInto(D).Known)
      if (Followed.insert(What).second) // A lambda may call itself by the variable's name.
        TraverseStmt(const_cast<Expr *>(What));
  }
  const CallTargets *Targets;
  llvm::DenseSet<const Expr *> Followed;
};

/// The variables of a body that others see too.
class SharedVariables : public RecursiveASTVisitor<SharedVariables> {
public:
  bool VisitMemberExpr(MemberExpr *M) {
    if (isa<FieldDecl>(M->getMemberDecl()))
      Found.push_back(M->getMemberDecl());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) {
    if (const auto *V = dyn_cast<VarDecl>(R->getDecl()); V && V->hasGlobalStorage())
      Found.push_back(V);
    return true;
  }
  std::vector<const ValueDecl *> Found;
};

/// Functions that are named where they are not called.
class NamedFunctions : public RecursiveASTVisitor<NamedFunctions> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCallExpr(CallExpr *C) {
    Called.insert(C->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) {
    if (const auto *F = dyn_cast<FunctionDecl>(R->getDecl()); F && !Called.count(R))
      Found.insert(F->getCanonicalDecl());
    return true;
  }
  llvm::DenseSet<const FunctionDecl *> Found;

private:
  llvm::DenseSet<const Expr *> Called;
};

class Sorter {
public:
  Sorter(llvm::ArrayRef<const FunctionDecl *> All, const CallTargets &Targets) : Targets(Targets) {
    for (const FunctionDecl *F : All)
      Definition.try_emplace(F->getCanonicalDecl(), F);
  }
  void visit(const FunctionDecl *F) {
    if (!Visited.insert(F->getCanonicalDecl()).second)
      return;
    Callees C(&Targets);
    C.TraverseStmt(F->getBody());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        C.TraverseStmt(Init->getInit());
    for (const FunctionDecl *Callee : C.Found)
      if (auto It = Definition.find(Callee); It != Definition.end())
        visit(It->second);
    Order.push_back(F);
  }
  std::vector<const FunctionDecl *> Order;

private:
  const CallTargets &Targets;
  llvm::DenseMap<const FunctionDecl *, const FunctionDecl *> Definition;
  llvm::DenseSet<const FunctionDecl *> Visited;
};

} // namespace

bool isDeviceCode(const FunctionDecl &F) {
  return (F.hasAttr<CUDADeviceAttr>() || F.hasAttr<CUDAGlobalAttr>()) && !F.hasAttr<CUDAHostAttr>();
}

Reach reachOf(const FunctionDecl &F) {
  SharedVariables Variables;
  Variables.TraverseStmt(F.getBody());
  Callees Called;
  Called.TraverseStmt(F.getBody());
  return {std::move(Variables.Found), std::move(Called.Found)};
}

llvm::DenseSet<const FunctionDecl *> functionsNamed(llvm::ArrayRef<Decl *> Decls) {
  NamedFunctions All;
  for (Decl *D : Decls)
    All.TraverseDecl(D);
  return std::move(All.Found);
}

const CXXConstructorDecl *
constructorFor(const CXXRecordDecl &R, unsigned Given,
               llvm::function_ref<bool(const CXXConstructorDecl &)> Fits) {
  const CXXConstructorDecl *Found = nullptr;
  for (const CXXConstructorDecl *Each : R.ctors()) {
    bool Takes = !Each->isCopyOrMoveConstructor() && Given >= Each->getMinRequiredArguments() &&
                 Given <= Each->getNumParams() && Fits(*Each);
    if (Takes && std::exchange(Found, Each))
      return nullptr;
  }
  return Found;
}

bool isCallOf(const Stmt &S, const FunctionDecl &Callee) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Called = Call ? Call->getDirectCallee() : nullptr;
  return Called && Called->getCanonicalDecl() == Callee.getCanonicalDecl();
}

bool isSeenHere(const CXXMethodDecl &Method) {
  return Method.isImplicit() || Method.isDefaulted() || Method.isDeleted() || Method.isDefined();
}

bool overrides(const CXXMethodDecl &Method, const CXXMethodDecl &Of) {
  return llvm::any_of(Method.overridden_methods(), [&](const CXXMethodDecl *Each) {
    return Each->getCanonicalDecl() == Of.getCanonicalDecl() || overrides(*Each, Of);
  });
}

bool calls(const FunctionDecl &Caller, const FunctionDecl &Callee) {
  return anyBelow(Caller.getBody(), [&](const Stmt &S) { return isCallOf(S, Callee); });
}

using Visited = llvm::SmallPtrSet<const FunctionDecl *, 8>;

static bool comesTo(const FunctionDecl &Caller, const FunctionDecl &Wanted, Visited &Seen) {
  const FunctionDecl *Body = nullptr;
  if (!Seen.insert(Caller.getCanonicalDecl()).second || !Caller.hasBody(Body))
    return false;
  return anyBelow(Body->getBody(), [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && (Callee->getCanonicalDecl() == Wanted.getCanonicalDecl() ||
                      comesTo(*Callee, Wanted, Seen));
  });
}

bool isOrComesTo(const FunctionDecl &From, const FunctionDecl &To) {
  Visited Seen;
  return From.getCanonicalDecl() == To.getCanonicalDecl() || comesTo(From, To, Seen);
}

std::vector<const FunctionDecl *> functionsCalleesFirst(llvm::ArrayRef<Decl *> Decls,
                                                        const CallTargets &Targets) {
  Collector All;
  for (Decl *D : Decls)
    All.TraverseDecl(D);
  Sorter S(All.Found, Targets);
  // No call names a destructor, nor a constructor that the library runs. Whether an object owns
  // something, its destructor says.
  for (const FunctionDecl *F : All.Found)
    if (isa<CXXDestructorDecl>(F))
      S.visit(F);
  for (const FunctionDecl *F : All.Found)
    if (isa<CXXConstructorDecl>(F))
      S.visit(F);
  for (const FunctionDecl *F : All.Found)
    S.visit(F);
  return std::move(S.Order);
}

static bool isMacroLoop(const Stmt &S) {
  const auto *Do = dyn_cast<DoStmt>(&S);
  const auto *Zero = Do ? dyn_cast<IntegerLiteral>(bare(Do->getCond())) : nullptr;
  return Zero && Zero->getValue() == 0;
}

llvm::SmallVector<const Stmt *, 4> waysTo(const Stmt &Part, const Stmt *Body) {
  llvm::SmallVector<const Stmt *, 4> Ways;
  anyBelow(Body, [&](const Stmt &S) {
    if (const auto *If = dyn_cast<IfStmt>(&S)) {
      for (const Stmt *Branch : {If->getThen(), If->getElse()})
        if (Branch && contains(Branch, &Part))
          Ways.push_back(Branch);
    } else if ((isLoop(S) && !isMacroLoop(S)) || isa<SwitchStmt, ConditionalOperator>(S)) {
      if (contains(&S, &Part))
        Ways.push_back(&S);
    }
    return false;
  });
  return Ways;
}

using OnAnswer = llvm::function_ref<void(const Expr &Condition, bool Answer)>;

/// `if (!isOpen) return;` before \p Part in \p Block.
static void forEachLeavingBefore(const CompoundStmt &Block, const Stmt &Part, OnAnswer Visit) {
  for (const Stmt *Each : Block.body()) {
    if (contains(Each, &Part))
      return;
    const auto *If = dyn_cast<IfStmt>(Each);
    if (If && If->getCond() && endsByLeaving(If->getThen()))
      Visit(*If->getCond(), false);
  }
}

void forEachConditionAhead(const Stmt &Part, const Stmt *Body, OnAnswer Visit) {
  anyBelow(Body, [&](const Stmt &S) {
    const auto *If = dyn_cast<IfStmt>(&S);
    if (If && If->getCond())
      for (const Stmt *Branch : {If->getThen(), If->getElse()})
        if (contains(Branch, &Part))
          Visit(*If->getCond(), Branch == If->getThen());
    if (const auto *Block = dyn_cast<CompoundStmt>(&S); Block && contains(Block, &Part))
      forEachLeavingBefore(*Block, Part, Visit);
    return false;
  });
}

} // namespace tensorleak
