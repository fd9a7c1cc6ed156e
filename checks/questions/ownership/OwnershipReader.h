//===-- OwnershipReader.h - Reads who keeps whom, in one function ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of OwnershipLinks: which object an expression names is in OwnershipNames.cpp, what the
// statements do with them in OwnershipLinks.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPREADER_H
#define TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPREADER_H

#include "checks/questions/ownership/OwnershipLinks.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/Analyses/CFGReachabilityAnalysis.h"
#include <map>

namespace tensorleak::ownership {

/// A member that keeps others, of an object.
struct Slot {
  ObjectName Owner = {};
  const clang::ValueDecl *Member = nullptr;
  clang::QualType OwnerType;
};

class Reader {
public:
  Reader(Unit &U, const FunctionUnit &F, const OwnershipMap &Known)
      : U(U), Function(*F.Facts->Function), Cfg(F.Facts->ownCfg()), Known(Known), Reaches(Cfg) {}
  OwnershipSteps run();

private:
  using Args = llvm::ArrayRef<const clang::Expr *>;

  void visit(const clang::Stmt &S);
  void visitVar(const clang::VarDecl &V);
  bool visitElement(const clang::VarDecl &V);
  void visitCall(const clang::CallExpr &Call);
  void visitMethod(const clang::CXXMemberCallExpr &Call, const Effect &E);
  void visitRegistration(const clang::CXXMemberCallExpr &Call);
  void assign(const clang::Expr &At, const clang::Expr *Target, const clang::Expr *Value);
  void keep(const Slot &To, const clang::Expr *Value, clang::SourceLocation At);
  void replace(const Slot &Of, const clang::Expr *Value, clang::SourceLocation At);
  void keepCaptures(const Slot &To, const clang::LambdaExpr &Lambda, clang::SourceLocation At);
  void applyCallee(const clang::FunctionDecl &Callee, Args Arguments, ObjectName Object,
                   ObjectName Result = {});
  void keepFunctionsGiven(const clang::FunctionDecl &Callee, Args Arguments, ObjectName Object);
  void letGoOfFunctions(const clang::CallExpr &Call);
  void applyReturned(const clang::Expr &Made, ObjectName Object);
  void applyMaking(const clang::Expr *Made, ObjectName Object);

  const Effect *effectOf(const clang::CallExpr &Call);
  ObjectName objectOf(const clang::Expr *E);
  ObjectName objectAround(const clang::Expr *E);
  ObjectName objectOfVar(const clang::ValueDecl &V);
  ObjectName objectOfMember(const clang::MemberExpr &M);
  bool leadsHere(const clang::CFGBlock &Earlier);
  ObjectName objectOfCall(const clang::CallExpr &Call);
  std::optional<Slot> slotOf(const clang::Expr *E);
  void add(OwnershipStep Step);

  Unit &U;
  const clang::FunctionDecl &Function;
  const clang::CFG &Cfg;
  const OwnershipMap &Known;
  const clang::CFGBlock *Block = nullptr;
  std::optional<Effect> LastEffect;
  llvm::DenseMap<const clang::ValueDecl *, const clang::Expr *> Ranges; ///< by loop variable
  llvm::DenseMap<const clang::ValueDecl *, ObjectName> Aliases; ///< copies of another pointer
  struct Part {
    ObjectName Name;
    const clang::CFGBlock *Since; ///< where it was put there, or first named
  };
  /// By object and member: what the member points to.
  std::map<std::pair<const void *, const clang::ValueDecl *>, Part> Parts;
  clang::CFGReverseBlockReachabilityAnalysis Reaches;
  OwnershipSteps Out;
};

} // namespace tensorleak::ownership

#endif // TENSORLEAK_CHECKS_QUESTIONS_OWNERSHIP_OWNERSHIPREADER_H
