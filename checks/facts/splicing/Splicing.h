//===-- Splicing.h - The bodies of callees in the graph of a loop ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a loop is everything that the loop calls, through any number of calls. So that
// analyses need not know how a program is cut into functions, the graph of a function that
// has a loop gets the bodies of the functions, methods and lambdas which the loop calls, in
// the place of the calls; and the bodies of those that are given something to call.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_SPLICING_H
#define TENSORLEAK_CHECKS_FACTS_SPLICING_H

#include "checks/facts/Facts.h"
#include "checks/facts/Summary.h"
#include "checks/model/ApiModel.h"
#include "checks/source/CallTargets.h"
#include "clang/AST/ParentMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// What a statement stands in: of a spliced body, the call that it takes the place of.
class Surroundings {
public:
  /// \p Body stands in nothing, also where it is that of a lambda which a spliced body makes.
  explicit Surroundings(clang::Stmt *Body) : Map(Body) { Calls[Body] = nullptr; }
  const clang::Stmt *getParent(const clang::Stmt *S) const {
    auto It = Calls.find(S);
    return It == Calls.end() ? Map.getParent(S) : It->second;
  }
  void add(clang::Stmt *Body, const clang::Expr *Call) {
    Map.addStmt(Body);
    Calls[Body] = Call;
  }

private:
  clang::ParentMap Map;
  llvm::DenseMap<const clang::Stmt *, const clang::Expr *> Calls;
};

class Splicer {
public:
  /// \p Parents: of the statements in the function's body; learns those of the others.
  Splicer(ApiModel &Model, const SummaryMap &Summaries, const CallTargets &Targets,
          Surroundings &Parents, FunctionFacts &Facts)
      : Model(Model), Summaries(Summaries), Targets(Targets), Parents(Parents), Facts(Facts) {}

  /// Makes the graph of Facts.Function, whose own is \p Own, and Facts.Splices. Each call that
  /// has a body there stands in the graph twice: before the body and after it.
  void run(std::unique_ptr<clang::CFG> Own);

  /// By block: the body that it is a part of.
  llvm::ArrayRef<SpliceId> bodyOfBlock() const { return BodyOfBlock; }

  /// Of a call that can run several bodies each has a way through the graph, which begins and
  /// ends with the call; so has a call that may run what is not known. Where they meet, the
  /// call stands once more.
  struct WayOfCall {
    enum Kind : uint8_t { None, Body, Elsewhere, Meeting } What = None;
    const clang::Stmt *Call = nullptr;
    SpliceId Of = NoId; ///< Body
  };
  /// The way that a block begins or ends.
  WayOfCall wayOfBlock(unsigned Block) const { return Ways.lookup(Block); }

private:
  using Callees = CallTargets::Several<clang::FunctionDecl>;
  /// What stands in the place of a call.
  struct Bodies {
    llvm::SmallVector<Splice, 1> Each;
    bool MayBeNone = false; ///< or what the call runs does nothing
    bool AreAll = true;
  };

  bool isAnyIn(const clang::CFG &Graph);
  Bodies bodiesFor(const clang::Stmt &S, SpliceId In) const;
  Bodies userCall(const clang::CallExpr &Call, SpliceId In) const;
  Splice spliceOf(const clang::CallExpr &Call, const clang::FunctionDecl &Callee,
                  SpliceId In) const;
  std::optional<Splice> algorithm(const clang::CallExpr &Call, SpliceId In) const;
  bool isPartOfStep(const clang::Stmt &S, SpliceId In) const;
  bool takesCallable(const clang::CallExpr &Call, SpliceId In) const;
  Callees calleesOf(const clang::CallExpr &Call, SpliceId In) const;
  Callees callablesIn(const clang::Expr *E, SpliceId In) const;
  Callees callablesIn(const CallTargets::Several<clang::Expr> &Put, SpliceId In) const;
  const clang::Expr *whatIsGiven(const clang::ParmVarDecl &Param, SpliceId &In) const;
  bool hasBodyToSplice(const clang::FunctionDecl *F) const;
  bool isToSplice(const clang::FunctionDecl *F) const;
  bool isIdle(const clang::FunctionDecl &F) const;

  clang::CFGBlock *copy(const clang::CFG &From, SpliceId In, clang::CFGBlock &Exit);
  void copyBlock(const clang::CFGBlock &From, SpliceId In);
  clang::CFGBlock *copyElements(const clang::CFGBlock &From, clang::CFGBlock &To, SpliceId In);
  void fillBlocks();
  clang::CFGBlock *insert(Bodies What, clang::CFGBlock &Before);
  void insertBody(Splice What, const clang::CFG &Graph, clang::CFGBlock &Before,
                  clang::CFGBlock &Behind);
  void insertWays(Bodies What, llvm::ArrayRef<std::unique_ptr<clang::CFG>> Graphs,
                  clang::CFGBlock &Before, clang::CFGBlock &Behind);
  clang::CFGBlock *newWay(WayOfCall Way, SpliceId In);
  clang::CFGBlock *newBlock(SpliceId In);
  void join(clang::CFGBlock &From, clang::CFGBlock &To);

  ApiModel &Model;
  const SummaryMap &Summaries;
  const CallTargets &Targets;
  Surroundings &Parents;
  FunctionFacts &Facts;
  clang::CFG *Out = nullptr;
  std::vector<SpliceId> BodyOfBlock;
  llvm::DenseMap<const clang::CFGBlock *, clang::CFGBlock *> CopyOf;
  llvm::DenseMap<clang::CFGBlock *, std::vector<clang::CFGElement>> ElementsOf;
  llvm::DenseSet<const clang::FunctionDecl *> Used; ///< each body stands there once
  llvm::DenseMap<unsigned, WayOfCall> Ways;         ///< by block
};

/// The control-flow graph of the body of \p F, as the analyses want it; null for none.
std::unique_ptr<clang::CFG> graphOf(const clang::FunctionDecl &F);

/// \p S is a call of an algorithm that runs \p Body for each element.
bool isAlgorithm(const FunctionFacts &Facts, const clang::Stmt &S, const clang::Stmt &Body);

/// `return {loss, scores.detach()}`: the caller is given some parts with their graph and
/// some without, and nobody tells them apart.
bool isDetachedInPart(const FunctionFacts &Facts, ValueId V);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_SPLICING_H
