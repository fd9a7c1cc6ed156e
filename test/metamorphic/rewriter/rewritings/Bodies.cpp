//===-- Bodies.cpp - Bodies of functions move into functions that they call ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

/// `name(a, std::move(b))`: the parameters handed on as they came.
std::string argumentsOf(const FunctionDecl &F) {
  std::string Out;
  for (const ParmVarDecl *P : F.parameters()) {
    const QualType Type = P->getType();
    const bool Moves = Type->isRValueReferenceType() || Type->isRecordType();
    const std::string Name = P->getNameAsString();
    Out += (Out.empty() ? "" : ", ") + (Moves ? "std::move(" + Name + ")" : Name);
  }
  return Out;
}

bool isPlainMethod(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (!Method)
    return true;
  return !isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(Method) &&
         !Method->isVirtual() && !Method->isOutOfLine() && !Method->isOverloadedOperator();
}

/// Out-of-line functions of a namespace have a qualified name, which no new function can have.
bool isMovable(const FunctionDecl &F) {
  const bool Named = llvm::all_of(F.parameters(), [](const ParmVarDecl *P) {
    return P->getIdentifier() && !P->isParameterPack();
  });
  return Named && isPlainMethod(F) && !F.isMain() && !F.isVariadic() && !F.isExternC() &&
         F.getIdentifier() && !F.isTemplated() && !F.getQualifier() && !F.isOverloadedOperator() &&
         F.getLocation().isFileID();
}

struct Parts {
  std::string Head; ///< all before the name
  std::string Tail; ///< parameters, and what stands before the body
  Span Whole;
  unsigned NameEnd;
};

std::optional<Parts> partsOf(const Unit &U, const FunctionDecl &F) {
  auto Whole = U.span(F.getSourceRange());
  auto Name = U.span({F.getLocation(), F.getLocation()});
  auto Body = U.span(F.getBody()->getSourceRange());
  if (!Whole || !Name || !Body)
    return std::nullopt;
  return Parts{U.text(Span{Whole->Begin, Name->Begin}), U.text(Span{Name->End, Body->Begin}),
               *Whole, Name->End};
}

/// How the moved function is made, and called by its old name.
struct Form {
  const char *Before; ///< before the moved function
  const char *After;
  const char *Callee; ///< with $ for the function's name
};

std::string named(std::string Text, const std::string &Name) {
  for (size_t At = Text.find('$'); At != std::string::npos; At = Text.find('$'))
    Text.replace(At, 1, Name);
  return Text;
}

void moveBody(const Unit &U, Sites &Out, const FunctionDecl &F, const Form &TheForm) {
  auto Found = partsOf(U, F);
  if (!Found)
    return;
  const std::string Name = F.getNameAsString();
  const std::string Callee = named(TheForm.Callee, Name), Before = named(TheForm.Before, Name);
  const std::string Old = Found->Head + Name + Found->Tail;
  // The body may call the function, which must have been declared then.
  const std::string Declared = isa<CXXMethodDecl>(F) ? "" : Old + ";\n";
  Site S{U.line(Found->Whole.Begin), {}, {"utility"}};
  S.Edits.push_back({Found->Whole.Begin, 0, Declared + Before});
  S.Edits.push_back({Found->NameEnd, 0, "_body"});
  const std::string Caller = Old + "{ return " + Callee + "(" + argumentsOf(F) + "); }";
  S.Edits.push_back(U.behind(Found->Whole.End, TheForm.After + Caller));
  Out.push_back(std::move(S));
}

/// Default arguments are given once, where the function is declared first.
bool hasDefaults(const FunctionDecl &F) {
  return llvm::any_of(F.parameters(), [](const ParmVarDecl *P) { return P->hasDefaultArg(); });
}

/// In a template a lambda's type is dependent, and what is made with it; `made.item<float>()`
/// would then have to be written with `template`.
bool wouldNeedTheWordTemplate(const Unit &U, const FunctionDecl &F) {
  return !U.all<LambdaExpr>(F.getBody()).empty() &&
         llvm::any_of(U.all<MemberExpr>(F.getBody()),
                      [](const MemberExpr *M) { return M->hasExplicitTemplateArgs(); });
}

template <typename Predicate>
void moveBodies(const Unit &U, Sites &Out, const Form &TheForm, Predicate Fits) {
  for (const FunctionDecl *F : U.functions())
    if (isMovable(*F) && !hasDefaults(*F) && Fits(*F))
      moveBody(U, Out, *F, TheForm);
}

} // namespace

void bodyToFunction(const Unit &U, Sites &Out) {
  moveBodies(U, Out, {"", "", "$_body"}, [](const FunctionDecl &) { return true; });
}

void bodyToTemplate(const Unit &U, Sites &Out) {
  moveBodies(U, Out, {"template <int Copy> ", "", "$_body<0>"},
             [&](const FunctionDecl &F) { return !wouldNeedTheWordTemplate(U, F); });
}

void bodyToMethod(const Unit &U, Sites &Out) {
  moveBodies(U, Out, {"struct $_holder { ", "}; ", "$_holder().$_body"},
             [](const FunctionDecl &F) { return !isa<CXXMethodDecl>(F); });
}

} // namespace tensorleak::rewriter
