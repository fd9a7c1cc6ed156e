//===-- Scopes.cpp - Where code stands: namespaces, macros, this --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"

#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

bool standsAlone(const Decl *D) {
  if (const auto *Function = dyn_cast<FunctionDecl>(D))
    return !Function->isMain() && !Function->isExternC();
  const auto *Space = dyn_cast<NamespaceDecl>(D);
  return !isa<LinkageSpecDecl>(D) &&
         (!Space || Space->isAnonymousNamespace() || !Space->getPreviousDecl());
}

/// A call that is a statement on one line, so that the macro changes no line.
bool isCallOnOneLine(const Unit &U, const Expr *Call, Span &Where) {
  if (!U.isInCompound(Call))
    return false;
  auto Found = U.span(Call->getSourceRange());
  if (!Found || U.line(Found->Begin) != U.line(Found->End))
    return false;
  Where = *Found;
  return true;
}

const Expr *calledIn(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  return E && isa<CallExpr>(E->IgnoreImplicit()) ? E : nullptr;
}

} // namespace

void inNamespace(const Unit &U, Sites &Out) {
  if (U.decls().empty() || !llvm::all_of(U.decls(), standsAlone))
    return;
  const SourceManager &Sources = U.context().getSourceManager();
  const unsigned First =
      U.beginOfLine(U.offset(Sources.getExpansionLoc(U.decls().front()->getBeginLoc())));
  const StringRef Rest = U.text().drop_front(First);
  if (Rest.contains("#include"))
    return;
  Out.push_back({U.line(First),
                 {{First, 0, "namespace rewritten {\n"},
                  {static_cast<unsigned>(U.text().size()), 0, "} // namespace rewritten\n"}}});
}

void inMacro(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const Stmt *S : U.below(F->getBody())) {
      Span Where;
      const Expr *Call = calledIn(S);
      if (!Call || !isCallOnOneLine(U, Call, Where))
        continue;
      Out.push_back({U.line(Where.Begin),
                     {{Where.Begin, 0, "RUN_CALL("}, {Where.End, 0, ")"}},
                     {},
                     "#define RUN_CALL(...) __VA_ARGS__\n"});
    }
}

void explicitThis(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *Member : U.all<MemberExpr>(F->getBody()))
      if (Member->isImplicitAccess() && !Member->hasQualifier() &&
          !isa<VarDecl>(Member->getMemberDecl()))
        if (auto Where = U.span(Member->getSourceRange()))
          Out.push_back({U.line(Where->Begin), {{Where->Begin, 0, "this->"}}});
}

} // namespace tensorleak::rewriter
