//===-- ThrowingFunctions.cpp ---------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ThrowingFunctions.h"

#include "checks/Budgets.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tensorleak {
namespace {

/// `v.size()`, `std::min(a, b)`.
bool isOfLibrary(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && (Callee->isInStdNamespace() || isOfStandardClass(*Callee));
}

/// \p Condition is on what the program computes or was given, and on nothing that a call to the
/// device, or to what may be one, has said.
bool isAboutData(const Stmt *Condition, unsigned Depth = 0) {
  if (!Condition)
    return false;
  return !anyBelow(Condition, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    const auto *Call = dyn_cast<CallExpr>(&S);
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    const bool IsAnswer = V && (V->getType()->isBooleanType() || V->getType()->isPointerType());
    const bool IsNamedAnswer =
        IsAnswer && (!V->getInit() || isOver(Budget::PointerDepth, Depth + 1) ||
                     !isAboutData(V->getInit(), Depth + 1));
    return (E && isDeviceStatus(E->getType())) || (Call && !isOfLibrary(*Call)) || IsNamedAnswer;
  });
}

/// What may leave a body as an exception. A handler is taken to end what is thrown in its try
/// block, unless it throws it again.
class ThrowFinder : public RecursiveASTVisitor<ThrowFinder> {
public:
  bool Throws = false, Catches = false;
  bool ThrowsByData = false; ///< whatever the device says
  std::vector<const FunctionDecl *> Callees;

  bool VisitCXXThrowExpr(CXXThrowExpr *T) {
    Throws |= T->getSubExpr() != nullptr;
    ThrowsByData |= T->getSubExpr() && !Conditions.empty() &&
                    llvm::all_of(Conditions, [](const Stmt *C) { return isAboutData(C); });
    return true;
  }
  bool TraverseIfStmt(IfStmt *If) {
    Conditions.push_back(If->getCond());
    const bool GoesOn = RecursiveASTVisitor::TraverseIfStmt(If);
    Conditions.pop_back();
    return GoesOn;
  }
  bool VisitCallExpr(CallExpr *C) {
    if (const FunctionDecl *F = C->getDirectCallee())
      Callees.push_back(F->getCanonicalDecl());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *C) {
    Callees.push_back(C->getConstructor()->getCanonicalDecl());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool TraverseCXXTryStmt(CXXTryStmt *Try) {
    Catches = true;
    bool ThrowsAgain = false;
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I) {
      ThrowsAgain |= anyBelow(Try->getHandler(I), [](const Stmt &S) {
        const auto *Throw = dyn_cast<CXXThrowExpr>(&S);
        return Throw && !Throw->getSubExpr();
      });
      TraverseStmt(Try->getHandler(I)->getHandlerBlock());
    }
    return !ThrowsAgain || TraverseStmt(Try->getTryBlock());
  }

private:
  llvm::SmallVector<const Stmt *, 4> Conditions; ///< of the `if`s around
};

/// It is given what a call to the device says of itself.
bool isGivenStatus(const FunctionDecl &F) {
  return llvm::any_of(F.parameters(),
                      [](const ParmVarDecl *P) { return isDeviceStatus(P->getType()); });
}

/// It is told whether to throw, or looks at what calls to the device say.
bool looksAtStatus(const FunctionDecl &F, const ResourceModel &Model) {
  auto IsTold = [](const ParmVarDecl *P) { return P->getType()->isBooleanType(); };
  return llvm::any_of(F.parameters(), IsTold) || anyBelow(F.getBody(), [&](const Stmt &S) {
           const auto *E = dyn_cast<Expr>(&S);
           const auto *Call = dyn_cast<CallExpr>(&S);
           const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
           return (E && isDeviceStatus(E->getType())) ||
                  (Callee && !Model.effectsOf(*Callee).empty());
         });
}

/// `std::stof(cell)`: what the text is decides whether it throws.
bool parsesNumber(const FunctionDecl &F) {
  static const llvm::StringSet<> Names = {"stoi",   "stol", "stoll", "stoul",
                                          "stoull", "stof", "stod",  "stold"};
  return F.isInStdNamespace() && F.getIdentifier() && Names.contains(F.getName());
}

/// It catches what parsesNumber() functions throw, std::invalid_argument and std::out_of_range.
bool catchesBadNumber(const CXXCatchStmt &Handler) {
  static const llvm::StringSet<> Names = {"exception", "logic_error", "invalid_argument",
                                          "out_of_range"};
  if (Handler.getCaughtType().isNull())
    return true;
  const auto *Class = Handler.getCaughtType().getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->isInStdNamespace() && Names.contains(Class->getName());
}

/// A text that is no number is nothing that ends the program: \p F catches it, and is not main,
/// or tries the next one.
bool goesOnAfterBadNumber(const FunctionDecl &F) {
  return anyBelow(F.getBody(), [&](const Stmt &S) {
    const auto *Try = dyn_cast<CXXTryStmt>(&S);
    if (!Try || (F.isMain() && !loopAround(F.getBody(), S)))
      return false;
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
      if (catchesBadNumber(*Try->getHandler(I)))
        return true;
    return false;
  });
}

} // namespace

bool isNoexcept(const FunctionDecl &F) {
  const auto *Type = F.getType()->getAs<FunctionProtoType>();
  return isa<CXXDestructorDecl>(F) ||
         (Type && !isUnresolvedExceptionSpec(Type->getExceptionSpecType()) && Type->isNothrow());
}

ThrowingFunctions::ThrowingFunctions(llvm::ArrayRef<const FunctionDecl *> All,
                                     const ResourceModel &Model) {
  const bool ExpectsBadNumbers =
      llvm::any_of(All, [](const FunctionDecl *F) { return goesOnAfterBadNumber(*F); });
  for (const FunctionDecl *F : All) {
    ThrowFinder Body;
    if (const auto *Made = dyn_cast<CXXConstructorDecl>(F))
      for (CXXCtorInitializer *Init : Made->inits())
        Body.TraverseConstructorInitializer(Init);
    Body.TraverseStmt(F->getBody());
    AreCaught |= Body.Catches;
    if (isNoexcept(*F))
      continue;
    const FunctionDecl *Canonical = F->getCanonicalDecl();
    if (Body.ThrowsByData || (Body.Throws && !looksAtStatus(*F, Model)))
      Throwing.insert(Canonical);
    else if (Body.Throws && isGivenStatus(*F))
      Checks.insert(Canonical);
    for (const FunctionDecl *Callee : Body.Callees) {
      Reaches[Callee].push_back(Canonical);
      if (ExpectsBadNumbers && parsesNumber(*Callee))
        Throwing.insert(Callee);
    }
    if (const auto *Method = dyn_cast<CXXMethodDecl>(F))
      for (const CXXMethodDecl *Base : Method->overridden_methods())
        Reaches[Canonical].push_back(Base->getCanonicalDecl());
  }
  spread();
}

/// From those that throw to all that call them.
void ThrowingFunctions::spread() {
  llvm::SmallVector<const FunctionDecl *, 8> Work(Throwing.begin(), Throwing.end());
  while (!Work.empty()) {
    auto It = Reaches.find(Work.pop_back_val());
    if (It == Reaches.end())
      continue;
    for (const FunctionDecl *Next : It->second)
      if (Throwing.insert(Next).second)
        Work.push_back(Next);
  }
}

} // namespace tensorleak
