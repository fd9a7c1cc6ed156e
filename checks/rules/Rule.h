//===-- Rule.h - What every rule is ---------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RULE_H
#define TENSORLEAK_CHECKS_RULES_RULE_H

#include "checks/Budgets.h"
#include "checks/Diagnosis.h"
#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

/// Asks the analyses, and phrases the answer.
class Rule {
public:
  virtual ~Rule() = default;
  virtual void check(FileAnalyses &File, std::vector<Diagnosis> &Out) = 0;
};

/// One rule's look at one function.
class FunctionChecker {
public:
  FunctionChecker(Unit &U, const FunctionUnit &F, std::vector<Diagnosis> &Out)
      : U(U), F(F), Facts(*F.Facts), Out(Out) {}

protected:
  /// The outermost loop around \p L; NoId where there is none.
  LoopId outermostLoop(LoopId L) const;
  bool hasInLoop(LoopId L, EventKind Kind) const { return U.contains(F, L, Kind); }
  /// What is true of \p E here is true of its line wherever that runs: it stands in this
  /// function, or in a body that nobody else calls.
  bool isOfThisCallOnly(const Event &E) const { return whereToSay(E) == E.At; }
  /// The event's own line; or, where others call the body that it stands in, the call.
  const clang::Stmt *whereToSay(const Event &E) const { return whereToSay(E.At, E.In); }
  const clang::Stmt *whereToSay(const clang::Stmt *At, SpliceId In) const;
  /// The bodies of callees that \p E stands in do it in each call.
  bool isAlwaysDone(const Event &E) const;
  /// A note for each call on the way to the body that \p E stands in.
  void addCalls(Diagnosis &D, const Event &E, llvm::StringRef Says) const;

  Unit &U;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
  std::vector<Diagnosis> &Out;
};

/// Runs \p Checker, a FunctionChecker, over all functions of the unit.
template <typename Checker> void checkFunctions(Unit &U, std::vector<Diagnosis> &Out) {
  for (const FunctionUnit &F : U.functions()) {
    FunctionAtHand Here(*F.Facts->Function);
    Checker(U, F, Out).run();
  }
}

/// How messages name things.
std::string quoted(const clang::ValueDecl &D);
/// "a member", "a static variable", "a global", "a variable of the caller", ...
std::string describeHolder(const FunctionFacts &Facts, PlaceId P);
/// The declaration that holds: the field, or the variable.
const clang::ValueDecl *holderDecl(const FunctionFacts &Facts, PlaceId P);
/// The source text of \p E, on one line, cut when long.
std::string sourceText(const clang::Expr &E, const clang::ASTContext &Context);
/// What a new line in \p Block begins with: as a line of its own statements does, or two blanks
/// more than the line of its brace.
std::string indentationIn(const clang::CompoundStmt &Block, const clang::SourceManager &Sources);
/// "4 KiB", or "2048 * batch bytes"; nothing when the size is unknown.
std::string describeSize(const TensorType &T);
/// ": about 4 KiB per step", or nothing when the size is unknown.
std::string sizeSuffix(const TensorType &T, llvm::StringRef Per, llvm::StringRef About = "about");
/// Hands the size on as data.
void setSize(Diagnosis &D, const TensorType &T);
/// The expression that computes a value, through loads; null for none.
const clang::Expr *producer(const FunctionFacts &Facts, ValueId V);
/// Where \p E happened: inside the callee whose summary made it, or here.
clang::SourceLocation placeOfEvent(const Event &E);
clang::SourceRange rangeOfLoop(const FunctionFacts &Facts, LoopId L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RULE_H
