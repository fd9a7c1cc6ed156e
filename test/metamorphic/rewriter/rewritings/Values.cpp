//===-- Values.cpp - How values and variables are written ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"
#include "test/metamorphic/rewriter/rewritings/Holders.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

std::vector<const VarDecl *> variablesIn(const Unit &U, const FunctionDecl &F) {
  std::vector<const VarDecl *> Out;
  for (const auto *S : U.all<DeclStmt>(F.getBody()))
    if (const auto *V = S->isSingleDecl() ? dyn_cast<VarDecl>(S->getSingleDecl()) : nullptr)
      if (!isa<DecompositionDecl>(V) && V->getIdentifier() && V->getLocation().isFileID())
        Out.push_back(V);
  return Out;
}

const AutoTypeLoc autoOf(const VarDecl &V) {
  return V.getTypeSourceInfo()->getTypeLoc().getContainedAutoTypeLoc();
}

bool isWrittenWithEquals(const VarDecl &V) {
  return V.hasInit() && V.getInitStyle() == VarDecl::CInit &&
         !isa<InitListExpr>(V.getInit()->IgnoreImplicit());
}

/// Whether the initialiser, without conversions, has the type of the variable.
bool hasTypeOfInit(const Unit &U, const VarDecl &V) {
  if (!isWrittenWithEquals(V) || V.getType()->isDependentType())
    return false;
  const QualType Init = V.getInit()->IgnoreUnlessSpelledInSource()->getType();
  return U.context().hasSameUnqualifiedType(Init, V.getType());
}

bool isCopyable(QualType Type) {
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return !Record;
  if (Record->getIdentifier() && Record->getName() == "unique_ptr")
    return false;
  return !llvm::any_of(Record->ctors(), [](const CXXConstructorDecl *C) {
    return C->isCopyConstructor() && C->isDeleted();
  });
}

/// Declared in the statements of a block, where a reference can follow.
const DeclStmt *declarationOf(const Unit &U, const FunctionDecl &F, const VarDecl &V) {
  for (const auto *S : U.all<DeclStmt>(F.getBody()))
    if (S->isSingleDecl() && S->getSingleDecl() == &V)
      return U.isInCompound(S) ? S : nullptr;
  return nullptr;
}

const Stmt *innermostLoop(const Unit &U, const Stmt *S) {
  while (S && !isa<ForStmt, WhileStmt, CXXForRangeStmt, DoStmt, LambdaExpr>(S))
    S = U.parent(S);
  return S;
}

/// Whether \p Ref is the last use of a variable that each round declares anew.
bool isLastUse(const Unit &U, const FunctionDecl &F, const DeclRefExpr &Ref, const Uses &All) {
  const auto *V = dyn_cast<VarDecl>(Ref.getDecl());
  if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
      V->getType().isConstQualified() || isa<ParmVarDecl>(V))
    return false;
  const DeclStmt *Declared = declarationOf(U, F, *V);
  return Declared && All.at(V).back() == &Ref &&
         innermostLoop(U, Declared) == innermostLoop(U, &Ref);
}

} // namespace

void writtenTypes(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const VarDecl *V : variablesIn(U, *F)) {
      AutoTypeLoc Auto = autoOf(*V);
      const AutoType *Deduced = V->getType()->getContainedAutoType();
      if (!Auto || !Deduced || Deduced->getDeducedType().isNull())
        continue;
      auto Type = U.written(Deduced->getDeducedType());
      if (auto Where = U.span({Auto.getNameLoc(), Auto.getNameLoc()}); Type && Where)
        Out.push_back({U.line(Where->Begin), {{Where->Begin, Where->End - Where->Begin, *Type}}});
    }
}

void autoTypes(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const VarDecl *V : variablesIn(U, *F)) {
      if (autoOf(*V) || V->getType()->isReferenceType() || !hasTypeOfInit(U, *V) ||
          V->getType()->isArrayType() || V->getType()->isMemberPointerType())
        continue;
      const TypeLoc Type = V->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
      if (auto Where = U.span(Type.getSourceRange())) {
        const char *Auto =
            isalnum(U.text()[Where->End]) || U.text()[Where->End] == '_' ? "auto " : "auto";
        Out.push_back({U.line(Where->Begin), {{Where->Begin, Where->End - Where->Begin, Auto}}});
      }
    }
}

void aliases(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const VarDecl *V : variablesIn(U, *F)) {
      const DeclStmt *S = isHolder(U, V->getType()) ? declarationOf(U, *F, *V) : nullptr;
      auto Where = S ? U.statement(S) : std::nullopt;
      if (!Where || !isCopyable(V->getType()))
        continue;
      const std::string Name = V->getNameAsString(), Owner = Name + "_owner";
      const unsigned At = U.offset(V->getLocation());
      Out.push_back({U.line(At),
                     {{At, static_cast<unsigned>(Name.size()), Owner},
                      U.behind(Where->End, "auto &" + Name + " = " + Owner + ";")}});
    }
}

void moves(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions()) {
    const Uses All = usesIn(U, F->getBody());
    for (const Store &S : storesIn(U, *F)) {
      const auto *Ref = S.Value ? dyn_cast<DeclRefExpr>(S.Value->IgnoreImplicit()) : nullptr;
      auto Where = Ref && isTensor(Ref->getType()) ? U.span(Ref->getSourceRange()) : std::nullopt;
      if (Where && isLastUse(U, *F, *Ref, All))
        Out.push_back({U.line(Where->Begin),
                       {{Where->Begin, 0, "std::move("}, {Where->End, 0, ")"}},
                       {"utility"}});
    }
  }
}

void namedArguments(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const Store &S : storesIn(U, *F)) {
      const Expr *Value = S.Value ? S.Value->IgnoreImplicit() : nullptr;
      if (!Value || !isTensor(Value->getType()) || !isa<CallExpr>(Value))
        continue;
      auto Whole = U.statement(S.Statement), Where = U.span(Value->getSourceRange());
      if (Whole && Where)
        Out.push_back({U.line(Whole->Begin),
                       {{Whole->Begin, 0, "{ auto named = " + U.text(*Where) + "; "},
                        {Where->Begin, Where->End - Where->Begin, "named"},
                        {Whole->End, 0, " }"}}});
    }
}

void emplaced(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *Call : U.all<CXXMemberCallExpr>(F->getBody())) {
      const auto *Callee = dyn_cast<MemberExpr>(Call->getCallee());
      if (!Callee || Callee->getMemberDecl()->getDeclName().getAsString() != "push_back" ||
          !stdContainer(Call->getImplicitObjectArgument()->getType()) ||
          isa<InitListExpr>(Call->getArg(0)->IgnoreImplicit()))
        continue;
      if (auto Where = U.span({Callee->getMemberLoc(), Callee->getMemberLoc()}))
        Out.push_back(
            {U.line(Where->Begin), {{Where->Begin, Where->End - Where->Begin, "emplace_back"}}});
    }
}

} // namespace tensorleak::rewriter
