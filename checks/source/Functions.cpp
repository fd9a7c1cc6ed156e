//===-- Functions.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/Functions.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

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
  bool VisitCallExpr(CallExpr *C) {
    if (const FunctionDecl *F = C->getDirectCallee())
      Found.push_back(F->getCanonicalDecl());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) { // std::thread(f)
    if (const auto *F = dyn_cast<FunctionDecl>(R->getDecl()))
      Found.push_back(F->getCanonicalDecl());
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

class Sorter {
public:
  explicit Sorter(llvm::ArrayRef<const FunctionDecl *> All) {
    for (const FunctionDecl *F : All)
      Definition.try_emplace(F->getCanonicalDecl(), F);
  }
  void visit(const FunctionDecl *F) {
    if (!Visited.insert(F->getCanonicalDecl()).second)
      return;
    Callees C;
    C.TraverseStmt(F->getBody());
    for (const FunctionDecl *Callee : C.Found)
      if (auto It = Definition.find(Callee); It != Definition.end())
        visit(It->second);
    Order.push_back(F);
  }
  std::vector<const FunctionDecl *> Order;

private:
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

std::vector<const FunctionDecl *> functionsCalleesFirst(llvm::ArrayRef<Decl *> Decls) {
  Collector All;
  for (Decl *D : Decls)
    All.TraverseDecl(D);
  Sorter S(All.Found);
  for (const FunctionDecl *F : All.Found)
    S.visit(F);
  return std::move(S.Order);
}

} // namespace tensorleak
