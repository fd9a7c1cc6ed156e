//===-- MemberNumbers.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/shapes/members/MemberNumbers.h"

#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

/// \p E is what another object has in \p Member: copies bring nothing new.
static bool isOfAnother(const FieldDecl &Member, const Expr &E) {
  const auto *M = dyn_cast<MemberExpr>(strip(&E));
  return M && M->getMemberDecl()->getCanonicalDecl() == Member.getCanonicalDecl();
}

void MemberNumbers::add(const FieldDecl &Member, const Expr *E, const FunctionDecl *In) {
  if (E && Member.getType()->isIntegralOrEnumerationType() && !isOfAnother(Member, *E))
    MadeBy[Member.getCanonicalDecl()].push_back({E, In});
}

/// `Config{1024, 768}`; what the braces leave to the member's own initializer stands there too.
void MemberNumbers::collectBraces(const Stmt &S, const FunctionDecl *In) {
  const auto *List = dyn_cast<InitListExpr>(&S);
  const RecordDecl *R = List ? List->getType()->getAsRecordDecl() : nullptr;
  if (!R || !R->isCompleteDefinition() || R->isUnion())
    return;
  unsigned Index = List->getNumInits() - std::distance(R->field_begin(), R->field_end());
  for (const FieldDecl *Member : R->fields()) // those of bases come first
    if (Index < List->getNumInits())
      add(*Member, List->getInit(Index++), In);
}

/// `auto &[height, width] = config;`: names through which the members can be written.
void MemberNumbers::collectBindings(const Stmt &S) {
  const auto *Declares = dyn_cast<DeclStmt>(&S);
  const auto *Pair = Declares && Declares->isSingleDecl()
                         ? dyn_cast<DecompositionDecl>(Declares->getSingleDecl())
                         : nullptr;
  if (Pair)
    for (const BindingDecl *Each : Pair->bindings())
      collectIn(Each->getBinding(), nullptr, /*IsRead=*/false);
}

/// \p IsRead: what \p S stands for is only read.
void MemberNumbers::collectIn(const Stmt *S, const FunctionDecl *In, bool IsRead) {
  if (!S || isa<LambdaExpr>(S)) // its body is a function of its own
    return;
  if (const auto *M = dyn_cast<MemberExpr>(S); M && !IsRead)
    if (const auto *Member = dyn_cast<FieldDecl>(M->getMemberDecl()))
      Written.insert(Member->getCanonicalDecl());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) // `&Config::height`
    if (const auto *Member = dyn_cast<FieldDecl>(Ref->getDecl()))
      Written.insert(Member->getCanonicalDecl());
  if (const auto *Cast = dyn_cast<CastExpr>(S); Cast && Cast->getCastKind() == CK_BitCast)
    if (const auto *R = Cast->getSubExpr()->getType()->getPointeeType()->getAsRecordDecl())
      WrittenAsBytes.insert(R->getCanonicalDecl());
  collectBraces(*S, In);
  collectBindings(*S);
  for (const Stmt *Child : S->children())
    collectIn(Child, In, onlyReads(*S));
}

void MemberNumbers::collectConstructor(const CXXConstructorDecl &Constructor) {
  for (const CXXCtorInitializer *Init : Constructor.inits())
    if (const FieldDecl *Member = Init->getAnyMember()) {
      add(*Member, Init->getInit(), &Constructor);
      collectIn(Init->getInit(), &Constructor, /*IsRead=*/true);
    }
}

void MemberNumbers::collect() {
  if (std::exchange(IsCollected, true))
    return;
  for (const FunctionDecl *F : Functions) {
    collectIn(F->getBody(), F, /*IsRead=*/true);
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
      collectConstructor(*Constructor);
  }
  for (const Decl *D : Decls)
    if (const auto *V = dyn_cast<VarDecl>(D))
      collectIn(V->getInit(), nullptr, /*IsRead=*/true);
}

bool MemberNumbers::isWritten(const FieldDecl &Member) const {
  return Written.contains(Member.getCanonicalDecl()) ||
         WrittenAsBytes.contains(Member.getParent()->getCanonicalDecl());
}

/// Each object has a value in \p Member: by the member's own initializer, or by each constructor
/// that the class declares.
static bool isAlwaysInitialized(const FieldDecl &Member, llvm::ArrayRef<Origin> MadeBy) {
  const auto *R = dyn_cast<CXXRecordDecl>(Member.getParent());
  if (!R || Member.hasInClassInitializer())
    return R;
  auto Initializes = [&](const CXXConstructorDecl *Each) {
    return Each->isCopyOrMoveConstructor() || llvm::any_of(MadeBy, [&](const Origin &By) {
             return By.In && By.In->getCanonicalDecl() == Each->getCanonicalDecl();
           });
  };
  return R->hasUserDeclaredConstructor() && llvm::all_of(R->ctors(), Initializes);
}

llvm::ArrayRef<Origin> MemberNumbers::originsOf(const FieldDecl &Member) {
  if (!isInMainFile(*Member.getParent()))
    return {};
  collect();
  auto &Made = MadeBy[Member.getCanonicalDecl()];
  if (isWritten(Member) || !isAlwaysInitialized(Member, Made))
    return {};
  const Expr *Own = Member.hasInClassInitializer() ? Member.getInClassInitializer() : nullptr;
  if (Own && llvm::none_of(Made, [&](const Origin &By) { return By.E == Own; }))
    add(Member, Own, nullptr);
  return Made;
}

} // namespace tensorleak
