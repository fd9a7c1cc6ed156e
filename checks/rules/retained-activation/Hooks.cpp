//===-- Hooks.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Hooks.h"

#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Lists ---------------------------------------------------------------===//

/// \p Loop, or an algorithm of the library, runs over \p List.
static bool goesOver(const Stmt &Loop, const ValueDecl &List) {
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return variableOrMember(Range->getRangeInit()) == &List;
  const auto *Algorithm = dyn_cast<CallExpr>(&Loop);
  return Algorithm && Algorithm->getNumArgs() > 0 &&
         mentions(Algorithm->getArg(0),
                  [&](const Expr &E) { return variableOrMember(&E) == &List; });
}

LoopId stepsOfElements(const FunctionFacts &Facts, ApiModel &Model, const Event &E) {
  const ValueDecl *List = E.Place == NoId ? nullptr : Facts.Places[E.Place].Decl;
  LoopId L = E.InLoop;
  while (L != NoId && List && goesOver(*Facts.Loops[L].S, *List))
    L = Facts.Loops[L].Parent;
  return stepsAround(Facts, Model, L);
}

//===-- The end of hooks ----------------------------------------------------===//

/// The class whose method hangs on the hook; null for none.
static const CXXRecordDecl *hungBy(const FunctionFacts &Facts, const Event &E) {
  const FunctionDecl *By = E.In != NoId ? Facts.Splices[E.In].Body
                           : E.Callee   ? E.Callee
                                        : Facts.Function;
  const auto *Method = dyn_cast<CXXMethodDecl>(By);
  return Method ? Method->getParent()->getCanonicalDecl() : nullptr;
}

/// `~Probe() { for (auto &[tensor, handle] : hooks_) tensor.remove_hook(handle); }`
static bool removesHooks(const FunctionUnit &F, const CXXRecordDecl &Class) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts->Function);
  return Method && Method->getParent()->getCanonicalDecl() == &Class &&
         llvm::any_of(F.Facts->Events, [](const Event &E) { return E.Kind == EventKind::Unhook; });
}

bool isHookEnded(const Unit &U, const FunctionFacts &Facts, const Event &E, LoopId Steps) {
  auto Ends = [&](const Event &Other) {
    bool IsNew = Other.Kind == EventKind::Store || events::has(Other.Kind, events::Sheds);
    bool Replaced = Other.Place == E.Place && IsNew;
    return (Replaced || Other.Kind == EventKind::Unhook) && Facts.isInside(Other.InLoop, Steps);
  };
  const CXXRecordDecl *By = hungBy(Facts, E);
  return llvm::any_of(Facts.Events, Ends) ||
         (By &&
          llvm::any_of(U.functions(), [&](const FunctionUnit &F) { return removesHooks(F, *By); }));
}

} // namespace tensorleak
