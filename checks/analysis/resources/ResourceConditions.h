//===-- ResourceConditions.h - Under which conditions a statement runs -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Read off the syntax, to tell apart what the dataflow cannot:
// the ways out that only a failed call takes, conditions that go together, and
// buffers that grow with their input.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RESOURCECONDITIONS_H
#define TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RESOURCECONDITIONS_H

#include "checks/analysis/resources/ResourceFacts.h"
#include "clang/AST/ParentMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensorleak {

class ResourceConditions {
public:
  explicit ResourceConditions(const ResourceFacts &Facts);

  enum class After : uint8_t {
    Anything,   ///< an ordinary way out
    FailedCall, ///< only when a call to the device failed
    FailedTake, ///< only when a resource could not be had
  };
  After whenTaken(const clang::Stmt *Exit) const;
  /// A macro's argument that the macro evaluates once more where the call has failed:
  /// `if (call) report(call)`. Whoever wrote it has one call.
  bool repeatsFailed(const clang::Expr *Take) const;
  /// Both depend on the same variable: one may imply the other.
  bool goTogether(const clang::Stmt *A, const clang::Stmt *B) const;
  /// Under `if (n > capacity)`, where capacity outlives the function and is set.
  bool growsWithInput(const clang::Stmt *At) const;
  /// Runs only where \p D, a member or global, passed a test of its own, as for null.
  bool dependsOn(const clang::Stmt *At, const clang::ValueDecl *D) const;
  /// Some condition of the function asks about the member or global \p D.
  bool asksAbout(const clang::ValueDecl *D) const;
  /// The text mentions \p D more often than the compiler's tree, which lacks what it
  /// has not understood.
  bool lacksMentionsOf(const clang::ValueDecl &D) const;
  bool isInLoop(const clang::Stmt *At) const;

private:
  using Decls = llvm::SmallPtrSet<const clang::ValueDecl *, 8>;
  struct Condition {
    const clang::Expr *E;
    const clang::IfStmt *If; ///< when E is its condition, and the statement lies in `then`
  };
  llvm::SmallVector<Condition, 4> conditionsOf(const clang::Stmt *At) const;
  bool testsStatus(const clang::Expr *Condition) const;
  bool testsTake(const clang::Expr *Condition) const;
  bool takes(const clang::Stmt *S) const;
  bool outlivesCall(const clang::ValueDecl *D) const;

  const ResourceFacts &Facts;
  clang::ParentMap Parents;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_RESOURCES_RESOURCECONDITIONS_H
