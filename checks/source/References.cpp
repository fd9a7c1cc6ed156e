//===-- References.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/source/References.h"

#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

const Expr *boundTo(const ValueDecl &D) {
  const auto *V = dyn_cast<VarDecl>(&D);
  const Expr *Init = V && V->getType()->isReferenceType() ? V->getInit() : nullptr;
  if (const auto *Whole = dyn_cast_or_null<FullExpr>(Init))
    Init = Whole->getSubExpr();
  return Init && !isa<MaterializeTemporaryExpr>(Init->IgnoreParenImpCasts()) ? Init : nullptr;
}

const Expr *pointedTo(const ValueDecl &D) {
  const auto *V = dyn_cast<VarDecl>(&D);
  const Expr *Init = V && V->getType()->isPointerType() ? V->getInit() : nullptr;
  const auto *Address =
      dyn_cast_or_null<UnaryOperator>(Init ? Init->IgnoreParenImpCasts() : nullptr);
  return Address && Address->getOpcode() == UO_AddrOf ? Address : nullptr;
}

/// The variable whose pointer \p S follows, by `*` or `->`.
static const ValueDecl *followedBy(const Stmt &S) {
  const auto *Star = dyn_cast<UnaryOperator>(&S);
  const auto *Arrow = dyn_cast<MemberExpr>(&S);
  const Expr *Pointer = Star && Star->getOpcode() == UO_Deref ? Star->getSubExpr()
                        : Arrow && Arrow->isArrow()           ? Arrow->getBase()
                                                              : nullptr;
  const auto *Ref =
      dyn_cast_or_null<DeclRefExpr>(Pointer ? Pointer->IgnoreParenImpCasts() : nullptr);
  return Ref ? Ref->getDecl() : nullptr;
}

Variables pointersThatAreNames(const Stmt &Body) {
  Variables Found;
  llvm::DenseMap<const ValueDecl *, int> OtherUses;
  anyBelow(&Body, [&](const Stmt &S) {
    if (const auto *D = dyn_cast<DeclStmt>(&S))
      for (const Decl *Each : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each); V && V->hasLocalStorage() && pointedTo(*V))
          Found.insert(V);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      ++OtherUses[Ref->getDecl()];
    if (const ValueDecl *Followed = followedBy(S))
      --OtherUses[Followed];
    return false;
  });
  for (auto [Name, Uses] : OtherUses)
    if (Uses > 0)
      Found.erase(Name);
  return Found;
}

static bool isNameOfVariable(const Stmt &S, const VarDecl *V) {
  const auto *Name = dyn_cast<DeclRefExpr>(&S);
  return Name && Name->getDecl() == V;
}

const VarDecl *constantName(const Expr &E, const Stmt &Body) {
  const VarDecl *V = unchangedVariable(E, Body);
  bool HasValue = V && V->isLocalVarDecl() && V->getInit() &&
                  !anyBelow(V->getInit(), [&](const Stmt &S) { return isNameOfVariable(S, V); });
  return HasValue ? V : nullptr;
}

const VarDecl *variableRead(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  const auto *Binding = Ref ? dyn_cast<BindingDecl>(Ref->getDecl()) : nullptr;
  const ValueDecl *D = Binding ? Binding->getDecomposedDecl() : Ref ? Ref->getDecl() : nullptr;
  return dyn_cast_or_null<VarDecl>(D);
}

const ValueDecl *variableOrMember(const Expr *E) {
  E = strip(E);
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return Ref->getDecl();
  const auto *Member = dyn_cast_or_null<MemberExpr>(E);
  return Member ? Member->getMemberDecl() : nullptr;
}

const FieldDecl *memberOfThis(const Expr *E) {
  const auto *Member = dyn_cast_or_null<MemberExpr>(strip(E));
  return Member && isa<CXXThisExpr>(strip(Member->getBase()))
             ? dyn_cast<FieldDecl>(Member->getMemberDecl())
             : nullptr;
}

static bool declaresLasting(const Stmt &S) {
  const auto *Declared = dyn_cast<DeclStmt>(&S);
  return Declared && llvm::all_of(Declared->decls(), [](const Decl *D) {
           const auto *V = dyn_cast<VarDecl>(D);
           return isa<TypedefNameDecl>(D) || (V && V->hasGlobalStorage());
         });
}

const ValueDecl *returnedPlace(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!F.getReturnType()->isLValueReferenceType() || (Method && Method->isVirtual()) ||
      !F.hasBody(Definition))
    return nullptr;
  const auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
  if (!Body || Body->body_empty() || !llvm::all_of(llvm::drop_end(Body->body()), [](const Stmt *S) {
        return declaresLasting(*S);
      }))
    return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_back());
  const Expr *Named = Return ? strip(Return->getRetValue()) : nullptr;
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Named);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (V && V->hasGlobalStorage() && !V->getType()->isReferenceType())
    return V;
  const FieldDecl *Field = memberOfThis(Named);
  return Field && !Field->getType()->isReferenceType() ? Field : nullptr;
}

bool returnsItself(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!Method || Method->isVirtual() || !F.getReturnType()->isLValueReferenceType() ||
      !F.hasBody(Definition))
    return false;
  bool AnyReturn = false;
  return !anyBelow(Definition->getBody(), [&](const Stmt &S) {
    const auto *Return = dyn_cast<ReturnStmt>(&S);
    const auto *Star =
        Return ? dyn_cast_or_null<UnaryOperator>(strip(Return->getRetValue())) : nullptr;
    AnyReturn |= Return != nullptr;
    return Return &&
           !(Star && Star->getOpcode() == UO_Deref && isa<CXXThisExpr>(strip(Star->getSubExpr())));
  }) && AnyReturn;
}

/// What \p E is made of could change by itself.
static bool hasOwnState(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  const auto *Call = dyn_cast<CallExpr>(&E);
  return isa<CXXThisExpr, LambdaExpr>(E) || (Var && !Var->isLocalVarDeclOrParm()) ||
         (Var && Var->isStaticLocal()) ||
         (Call && !isa<CXXMemberCallExpr>(Call) && Call->getNumArgs() == 0);
}

const VarDecl *onlyVariable(const Expr &E) {
  const VarDecl *Only = nullptr;
  bool IsUnseen = mentions(&E, [&](const Expr &Part) {
    const VarDecl *Var = variableRead(Part);
    if (hasOwnState(Part) || (Only && Var && Var != Only))
      return true;
    Only = Var ? Var : Only;
    return false;
  });
  return IsUnseen ? nullptr : Only;
}

void addReferents(Variables &Names) {
  llvm::SmallVector<const ValueDecl *, 8> Work(Names.begin(), Names.end());
  while (!Work.empty()) {
    const ValueDecl &Name = *Work.pop_back_val();
    const Expr *Bound = boundTo(Name);
    anyBelow(Bound ? Bound : pointedTo(Name), [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      if (Ref && isa<VarDecl, BindingDecl>(Ref->getDecl()) && Names.insert(Ref->getDecl()).second)
        Work.push_back(Ref->getDecl());
      return false;
    });
  }
}

bool isNameOf(const ValueDecl &Named, const ValueDecl &Variable) {
  Variables Names;
  Names.insert(&Named);
  addReferents(Names);
  for (const ValueDecl *Name : llvm::to_vector(Names))
    if (const auto *Part = dyn_cast<BindingDecl>(Name))
      Names.insert(Part->getDecomposedDecl());
  return Names.contains(&Variable);
}

} // namespace tensorleak
