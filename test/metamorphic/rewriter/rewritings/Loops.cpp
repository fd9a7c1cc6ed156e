//===-- Loops.cpp - Other ways to write a loop --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/rewritings/Loops.h"

#include "test/metamorphic/rewriter/Rewritings.h"

#include "clang/Basic/TokenKinds.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

template <typename Loop>
void forEachLoop(const Unit &U, Sites &Out, void (*Add)(const Unit &, Sites &, const Loop &)) {
  for (const FunctionDecl *F : U.functions())
    for (const auto *L : U.all<Loop>(F->getBody()))
      Add(U, Out, *L);
}

std::optional<unsigned> at(const Unit &U, SourceLocation Loc) {
  auto Where = U.span({Loc, Loc});
  return Where ? std::optional(Where->Begin) : std::nullopt;
}

/// A jump to the end of the body, in no loop below it.
bool hasJump(const Unit &U, const Stmt *Body) {
  return !U.all<ContinueStmt>(Body).empty() || !U.all<LabelStmt>(Body).empty();
}

bool leaves(const Unit &U, const Stmt *Body) {
  return !U.all<BreakStmt>(Body).empty() || !U.all<ReturnStmt>(Body).empty() ||
         !U.all<GotoStmt>(Body).empty();
}

/// `for (a; b; c) body` is `{ a; while (b) { body c; } }`.
void addWhile(const Unit &U, Sites &Out, const ForStmt &For) {
  auto Begin = at(U, For.getForLoc()), Close = at(U, For.getRParenLoc());
  auto Body = U.statement(For.getBody());
  if (!Begin || !Close || !Body || hasJump(U, For.getBody()) || For.getConditionVariable())
    return;
  auto Part = [&](const Stmt *S) { return S ? U.text(S->getSourceRange()) : std::string(); };
  const std::string Init = Part(For.getInit()), Cond = Part(For.getCond());
  const std::string Head = "{ " + Init + (isa_and_nonnull<DeclStmt>(For.getInit()) ? "" : ";") +
                           " while (" + (Cond.empty() ? "true" : Cond) + ") {";
  Out.push_back(
      {U.line(*Begin),
       {{*Begin, *Close + 1 - *Begin, Head}, {Body->End, 0, " " + Part(For.getInc()) + "; } }"}}});
}

void addFor(const Unit &U, Sites &Out, const WhileStmt &While) {
  auto Begin = at(U, While.getWhileLoc()), Open = at(U, While.getLParenLoc()),
       Close = at(U, While.getRParenLoc());
  if (Begin && Open && Close && !While.getConditionVariable())
    Out.push_back({U.line(*Begin), {{*Begin, *Open + 1 - *Begin, "for (; "}, {*Close, 0, ";"}}});
}

struct RangeParts {
  unsigned Begin, Close; ///< `for` and `)`
  Span Body;
  std::string Variable, Range;
};

/// The range is read more than once: it has to be a variable or a field.
bool isStable(const Expr *Range) {
  Range = Range->IgnoreParenImpCasts();
  if (const auto *Star = dyn_cast<UnaryOperator>(Range))
    return isStable(Star->getSubExpr());
  if (const auto *Member = dyn_cast<MemberExpr>(Range))
    return isa<CXXThisExpr>(Member->getBase()) || isStable(Member->getBase());
  return isa<DeclRefExpr>(Range);
}

std::optional<RangeParts> partsOf(const Unit &U, const CXXForRangeStmt &Loop) {
  auto Begin = at(U, Loop.getForLoc()), Close = at(U, Loop.getRParenLoc());
  auto Body = U.statement(Loop.getBody());
  const auto *V = Loop.getLoopVariable();
  if (!Begin || !Close || !Body || !isStable(Loop.getRangeInit()))
    return std::nullopt;
  auto Type = at(U, V->getBeginLoc()), Colon = at(U, Loop.getColonLoc());
  if (!Type || !Colon)
    return std::nullopt;
  return RangeParts{*Begin, *Close, *Body,
                    llvm::StringRef(U.text(Span{*Type, *Colon})).trim().str(),
                    U.text(Loop.getRangeInit()->getSourceRange())};
}

bool isIndexed(QualType Type) {
  const auto *Container = stdContainer(Type);
  return Container && llvm::is_contained({"vector", "deque"}, Container->getName());
}

void addIndex(const Unit &U, Sites &Out, const CXXForRangeStmt &Loop) {
  auto Parts = partsOf(U, Loop);
  if (!Parts || !isIndexed(Loop.getRangeInit()->getType()))
    return;
  const std::string At = "at_" + std::to_string(U.line(Parts->Begin));
  const std::string Head = "for (size_t " + At + " = 0; " + At + " < " + Parts->Range +
                           ".size(); ++" + At + ") { " + Parts->Variable + " = " + Parts->Range +
                           "[" + At + "];";
  Out.push_back(
      {U.line(Parts->Begin),
       {{Parts->Begin, Parts->Close + 1 - Parts->Begin, Head}, {Parts->Body.End, 0, " }"}}});
}

/// With `auto`, the lambda is a template, in which `x.item<float>()` is written otherwise.
bool needsTheWordTemplate(const Unit &U, const RangeParts &Parts, const Stmt *Body) {
  return Parts.Variable.find("auto") != std::string::npos &&
         llvm::any_of(U.all<MemberExpr>(Body),
                      [](const MemberExpr *M) { return M->hasExplicitTemplateArgs(); });
}

void addForEach(const Unit &U, Sites &Out, const CXXForRangeStmt &Loop) {
  auto Parts = partsOf(U, Loop);
  if (!Parts || leaves(U, Loop.getBody()) || hasJump(U, Loop.getBody()) ||
      isa<DecompositionDecl>(Loop.getLoopVariable()) ||
      needsTheWordTemplate(U, *Parts, Loop.getBody()))
    return;
  const bool Braces = isa<CompoundStmt>(Loop.getBody());
  const std::string Head = "std::for_each(std::begin(" + Parts->Range + "), std::end(" +
                           Parts->Range + "), [&](" + Parts->Variable + ")" + (Braces ? "" : " {");
  Out.push_back({U.line(Parts->Begin),
                 {{Parts->Begin, Parts->Close + 1 - Parts->Begin, Head},
                  {Parts->Body.End, 0, Braces ? ");" : " });"}},
                 {"algorithm", "iterator"}});
}

} // namespace

const Stmt *bodyOfLoop(const Stmt *S) {
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getBody();
  const auto *Range = dyn_cast<CXXForRangeStmt>(S);
  return Range ? Range->getBody() : nullptr;
}

void forToWhile(const Unit &U, Sites &Out) { forEachLoop<ForStmt>(U, Out, addWhile); }
void whileToFor(const Unit &U, Sites &Out) { forEachLoop<WhileStmt>(U, Out, addFor); }
void rangeToIndex(const Unit &U, Sites &Out) { forEachLoop<CXXForRangeStmt>(U, Out, addIndex); }
void rangeToForEach(const Unit &U, Sites &Out) { forEachLoop<CXXForRangeStmt>(U, Out, addForEach); }

} // namespace tensorleak::rewriter
