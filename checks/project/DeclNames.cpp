//===-- DeclNames.cpp -  --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/project/DeclNames.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Index/USRGeneration.h"

using namespace clang;

namespace tensorleak {
namespace {

class SharedDecls : public RecursiveASTVisitor<SharedDecls> {
public:
  explicit SharedDecls(llvm::StringMap<const ValueDecl *> &Out) : Out(Out) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFieldDecl(FieldDecl *F) {
    Out.try_emplace(usrOf(*F), F);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->hasGlobalStorage() && V->isExternallyVisible())
      Out.try_emplace(usrOf(*V), V);
    return true;
  }

private:
  llvm::StringMap<const ValueDecl *> &Out;
};

} // namespace

std::string usrOf(const Decl &D) {
  llvm::SmallString<128> Out;
  if (index::generateUSRForDecl(&D, Out))
    return "";
  return Out.str().str();
}

const ValueDecl *DeclIndex::find(llvm::StringRef Usr) const {
  if (!IsFilled) {
    SharedDecls Visitor(ByUsr);
    for (Decl *D : Decls)
      Visitor.TraverseDecl(D);
    IsFilled = true;
  }
  return Usr.empty() ? nullptr : ByUsr.lookup(Usr);
}

} // namespace tensorleak
