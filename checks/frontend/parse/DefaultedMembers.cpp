//===-- DefaultedMembers.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/DefaultedMembers.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Reading fewer members than this takes no time that anybody would notice.
constexpr unsigned ManyMembers = 200;

bool isLarge(const CXXRecordDecl &Class) {
  return llvm::hasNItemsOrMore(Class.decls(), ManyMembers);
}

/// `class Linear : public ModuleHolder<LinearImpl>`, which every register_module() copies.
bool isModuleHolder(const CXXRecordDecl &Class) {
  return llvm::any_of(Class.bases(), [](const CXXBaseSpecifier &Base) {
    const CXXRecordDecl *R = Base.getType()->getAsCXXRecordDecl();
    return R && R->getQualifiedNameAsString() == "torch::nn::ModuleHolder";
  });
}

/// What the class itself says that it has: what it says nothing of might not compile.
bool isLeftToCompiler(const CXXMethodDecl &M) {
  return M.isExplicitlyDefaulted() && !M.isDeleted() && !M.isInvalidDecl() && !M.hasBody();
}

class Definer {
public:
  explicit Definer(Sema &S) : S(S) {}

  void defineIn(const DeclContext &Within) {
    for (Decl *D : Within.decls()) {
      if (auto *Class = dyn_cast<CXXRecordDecl>(D))
        if (Class->isThisDeclarationADefinition() && !Class->isDependentContext() &&
            !Class->isInvalidDecl())
          defineFor(*Class);
      if (auto *Inner = dyn_cast<DeclContext>(D); Inner && Inner->isFileContext())
        defineIn(*Inner);
    }
  }

private:
  void defineFor(CXXRecordDecl &Class) {
    if (isLarge(Class))
      for (CXXMethodDecl *M : Class.methods())
        if (isLeftToCompiler(*M))
          define(M);
    if (isModuleHolder(Class)) {
      define(S.LookupCopyingConstructor(&Class, Qualifiers::Const));
      define(S.LookupMovingConstructor(&Class, 0));
    }
  }

  void define(CXXMethodDecl *M) {
    if (M && !M->isDeleted())
      S.MarkFunctionReferenced(M->getLocation(), M);
  }

  Sema &S;
};

} // namespace

void DefaultedMembers::HandleTranslationUnit(ASTContext &Context) {
  Definer(*Semantics).defineIn(*Context.getTranslationUnitDecl());
}

} // namespace tensorleak
