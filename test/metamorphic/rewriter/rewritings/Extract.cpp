//===-- Extract.cpp - Bodies of loops move into functions ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"
#include "test/metamorphic/rewriter/rewritings/Loops.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

/// Whether \p Jump, a break or continue, leaves a loop below \p Body, and not the loop of it.
bool isOfInner(const Unit &U, const Stmt *Jump, const Stmt *Body) {
  for (const Stmt *S = U.parent(Jump); S && S != Body; S = U.parent(S)) {
    if (isa<ForStmt, WhileStmt, CXXForRangeStmt, DoStmt, LambdaExpr>(S))
      return true;
    if (isa<SwitchStmt>(S) && isa<BreakStmt>(Jump))
      return true;
  }
  return false;
}

bool isInLambda(const Unit &U, const Stmt *S, const Stmt *Body) {
  for (; S && S != Body; S = U.parent(S))
    if (isa<LambdaExpr>(S))
      return true;
  return false;
}

/// Whether the body can only be left at its end or by `continue`.
bool staysInside(const Unit &U, const Stmt *Body) {
  for (const Stmt *S : U.below(Body)) {
    if (isa<GotoStmt, LabelStmt, CoreturnStmt, CoawaitExpr>(S))
      return false;
    if (isa<ReturnStmt>(S) && !isInLambda(U, S, Body))
      return false;
    if (isa<BreakStmt>(S) && !isOfInner(U, S, Body))
      return false;
  }
  return true;
}

/// `continue` of this loop is a return from its body.
bool returnAtContinue(const Unit &U, const Stmt *Body, std::vector<Edit> &Edits) {
  for (const auto *Jump : U.all<ContinueStmt>(Body)) {
    if (isOfInner(U, Jump, Body))
      continue;
    auto Where = U.span(Jump->getSourceRange());
    if (!Where)
      return false;
    Edits.push_back({Where->Begin, Where->End - Where->Begin, "return"});
  }
  return true;
}

/// The body without its braces; a single statement with the comment behind it.
std::optional<Span> insideOf(const Unit &U, const Stmt *Body) {
  auto Where = U.statement(Body);
  if (!Where || U.text(*Where).find("\n#") != std::string::npos)
    return std::nullopt;
  if (isa<CompoundStmt>(Body))
    return Span{Where->Begin + 1, Where->End - 1};
  Where->End = U.endOfLine(Where->End);
  return Where;
}

void addLambda(const Unit &U, Sites &Out, const Stmt *Body) {
  Site S;
  auto Where = U.statement(Body);
  if (!Where || !staysInside(U, Body) || !returnAtContinue(U, Body, S.Edits))
    return;
  const bool Braces = isa<CompoundStmt>(Body);
  S.Line = U.line(Where->Begin);
  S.Edits.push_back({Where->Begin + Braces, 0, Braces ? " [&] {" : "[&] { "});
  S.Edits.push_back({Where->End - Braces, 0, "}();"});
  Out.push_back(std::move(S));
}

/// The text with the edits that lie in it.
std::string edited(const Unit &U, Span Where, std::vector<Edit> Edits) {
  std::string Out = U.text(Where);
  llvm::sort(Edits, [](const Edit &A, const Edit &B) { return A.Offset > B.Offset; });
  for (const Edit &E : Edits)
    Out.replace(E.Offset - Where.Begin, E.Length, E.Text);
  return Out;
}

/// Variables of the function that the body uses and does not declare, in the order of use.
std::optional<std::vector<const VarDecl *>> freeVariables(const Unit &U, const Stmt *Body) {
  std::vector<const VarDecl *> Out;
  const SourceRange Inside = Body->getSourceRange();
  const SourceManager &Sources = U.context().getSourceManager();
  for (const auto *Ref : U.all<DeclRefExpr>(Body)) {
    if (isa<BindingDecl>(Ref->getDecl()))
      return std::nullopt;
    const auto *Variable = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Variable || !Variable->getParentFunctionOrMethod() || llvm::is_contained(Out, Variable))
      continue;
    const SourceLocation Loc = Variable->getLocation();
    if (!Sources.isBeforeInTranslationUnit(Loc, Inside.getBegin()) &&
        !Sources.isBeforeInTranslationUnit(Inside.getEnd(), Loc))
      continue;
    Out.push_back(Variable);
  }
  return Out;
}

/// Types, labels and functions that are local cannot be named elsewhere.
bool usesLocalNames(const Unit &U, const FunctionDecl &F) {
  for (const auto *S : U.all<DeclStmt>(F.getBody()))
    for (const Decl *D : S->decls())
      if (!isa<VarDecl>(D))
        return true;
  return false;
}

struct Signature {
  std::string Template, Parameters, Arguments;
};

void addParameter(Signature &Out, const std::string &Type, const VarDecl &Variable) {
  const std::string Comma = Out.Arguments.empty() ? "" : ", ";
  Out.Parameters += Comma + Type + " &" + Variable.getNameAsString();
  Out.Arguments += Comma + Variable.getNameAsString();
}

std::optional<Signature> writtenSignature(const Unit &U, llvm::ArrayRef<const VarDecl *> Used) {
  Signature Out;
  for (const VarDecl *Variable : Used) {
    auto Type = U.written(Variable->getType());
    if (!Type || Variable->getType()->isArrayType())
      return std::nullopt;
    addParameter(Out, *Type, *Variable);
  }
  return Out;
}

std::optional<Signature> templateSignature(const Unit &, llvm::ArrayRef<const VarDecl *> Used) {
  Signature Out;
  for (const VarDecl *Variable : Used) {
    const std::string Name = "T" + std::to_string(Out.Template.size());
    Out.Template += (Out.Template.empty() ? "class " : ", class ") + Name;
    addParameter(Out, Name, *Variable);
  }
  Out.Template = Out.Template.empty() ? "" : "template <" + Out.Template + "> ";
  return Out;
}

/// `x.item<float>()` where x has the type of a parameter of the template.
bool addTemplateKeywords(const Unit &U, const Stmt *Body, std::vector<Edit> &Edits) {
  for (const auto *Member : U.all<MemberExpr>(Body)) {
    if (!Member->hasExplicitTemplateArgs())
      continue;
    auto Where = U.span({Member->getMemberLoc(), Member->getMemberLoc()});
    if (!Where || Member->hasTemplateKeyword())
      return false;
    Edits.push_back({Where->Begin, 0, "template "});
  }
  return true;
}

using Signer = std::optional<Signature> (*)(const Unit &, llvm::ArrayRef<const VarDecl *>);

/// A method can become one of its class where that is in view.
bool canExtractFrom(const Unit &U, const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return !F.isTemplated() && !usesLocalNames(U, F) && (!Method || !Method->isOutOfLine()) &&
         !isa<CXXConstructorDecl, CXXDestructorDecl>(F) && !F.getQualifier();
}

std::string qualifiersOf(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method && Method->isConst() ? " const" : "";
}

void addExtracted(const Unit &U, Sites &Out, const FunctionDecl &F, const Stmt *Body, Signer Sign) {
  std::vector<Edit> Edits;
  auto Inside = insideOf(U, Body);
  auto Begin = U.span(F.getSourceRange());
  auto Used = freeVariables(U, Body);
  if (!Inside || !Begin || !Used || !staysInside(U, Body) || !returnAtContinue(U, Body, Edits))
    return;
  auto Signed = Sign(U, *Used);
  if (!Signed || (!Signed->Template.empty() && !addTemplateKeywords(U, Body, Edits)))
    return;
  const std::string Name = "step_" + std::to_string(U.line(Inside->Begin));
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  const std::string Static = !Method || Method->isStatic() ? "static " : "";
  const std::string Moved = Signed->Template + Static + "void " + Name + "(" + Signed->Parameters +
                            ")" + qualifiersOf(F) + " {" + edited(U, *Inside, Edits) + "\n}\n";
  const std::string Call = " " + Name + "(" + Signed->Arguments + "); ";
  Out.push_back({U.line(Inside->Begin),
                 {{Begin->Begin, 0, Moved, /*Joins=*/true},
                  {Inside->Begin, Inside->End - Inside->Begin, Call}}});
}

void extractLoops(const Unit &U, Sites &Out, Signer Sign) {
  for (const FunctionDecl *F : U.functions())
    if (canExtractFrom(U, *F))
      for (const Stmt *S : U.below(F->getBody()))
        if (const Stmt *Body = bodyOfLoop(S); Body && !isInLambda(U, S, F->getBody()))
          addExtracted(U, Out, *F, Body, Sign);
}

} // namespace

void loopToLambda(const Unit &U, Sites &Out) {
  for (const FunctionDecl *F : U.functions())
    for (const Stmt *S : U.below(F->getBody()))
      if (const Stmt *Body = bodyOfLoop(S))
        addLambda(U, Out, Body);
}

void loopToFunction(const Unit &U, Sites &Out) { extractLoops(U, Out, writtenSignature); }
void loopToTemplate(const Unit &U, Sites &Out) { extractLoops(U, Out, templateSignature); }

} // namespace tensorleak::rewriter
