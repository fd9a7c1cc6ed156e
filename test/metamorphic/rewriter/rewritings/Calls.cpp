//===-- Calls.cpp - Calls that have nothing to do with the memory -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"
#include "test/metamorphic/rewriter/rewritings/Loops.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

/// \p Call as the first statement of \p Body, which may be a single statement.
void addFirst(const Unit &U, Site &Out, const Stmt *Body, const std::string &Call) {
  std::optional<Span> Where = U.statement(Body);
  if (!Where)
    return;
  Out.Line = U.line(Where->Begin);
  if (isa<CompoundStmt>(Body))
    return Out.Edits.push_back({Where->Begin + 1, 0, " " + Call});
  Out.Edits.push_back({Where->Begin, 0, "{ " + Call + " "});
  Out.Edits.push_back({Where->End, 0, " }"});
}

void addCalls(const Unit &U, Sites &Out, const FunctionDecl &F, const Site &Pattern,
              const std::string &Call) {
  auto Add = [&](const Stmt *Body) {
    Site Found = Pattern;
    addFirst(U, Found, Body, Call);
    keep(Out, std::move(Found));
  };
  Add(F.getBody());
  for (const Stmt *S : U.below(F.getBody()))
    if (const Stmt *Body = bodyOfLoop(S))
      Add(Body);
}

void addCallsEverywhere(const Unit &U, Sites &Out, const Site &Pattern, const std::string &Call) {
  for (const FunctionDecl *F : U.functions())
    addCalls(U, Out, *F, Pattern, Call);
}

constexpr char Getter[] = "int counted_steps() const { return 7; }";

/// A getter for the class that the file defines, and calls of it in its methods.
void addGetter(const Unit &U, Sites &Out, const CXXRecordDecl &Class) {
  const SourceLocation Close = Class.getBraceRange().getEnd();
  if (!U.span({Close, Close}))
    return;
  Out.push_back(
      {U.line(U.offset(Close)), {{U.offset(Close), 0, std::string("public: ") + Getter + " "}}});
}

} // namespace

void callPrintf(const Unit &U, Sites &Out) {
  Site Pattern;
  Pattern.Headers = {"cstdio"};
  addCallsEverywhere(U, Out, Pattern, "std::printf(\"step %d\\n\", __LINE__);");
}

void callLog(const Unit &U, Sites &Out) {
  Site Pattern;
  Pattern.Headers = {"iostream"};
  Pattern.Preamble = "#define LOG_STEP(number) (std::cerr << \"step \" << (number) << '\\n')\n";
  addCallsEverywhere(U, Out, Pattern, "LOG_STEP(__LINE__);");
}

void callUnseen(const Unit &U, Sites &Out) {
  Site Pattern;
  Pattern.Preamble = "int next_ticket(int number);\n";
  addCallsEverywhere(U, Out, Pattern, "(void)::next_ticket(1);");
}

void callGetter(const Unit &U, Sites &Out) {
  std::vector<const CXXRecordDecl *> Classes;
  for (const FunctionDecl *F : U.functions()) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if (!Method) {
      Site Pattern;
      Pattern.Preamble = "struct StepCounter { int counted_steps() const { return 7; } };\n";
      addCalls(U, Out, *F, Pattern, "(void)StepCounter().counted_steps();");
      continue;
    }
    if (Method->isStatic() || !U.span(Method->getParent()->getBraceRange()))
      continue;
    addCalls(U, Out, *F, {}, "(void)this->counted_steps();");
    if (!llvm::is_contained(Classes, Method->getParent()))
      Classes.push_back(Method->getParent());
  }
  for (const CXXRecordDecl *Class : Classes)
    addGetter(U, Out, *Class);
}

} // namespace tensorleak::rewriter
