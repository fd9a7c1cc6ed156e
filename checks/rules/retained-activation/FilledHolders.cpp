//===-- FilledHolders.cpp - How a holder is filled, and whether it is read --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/retained-activation/Holders.h"

#include "checks/flow/parts/Elements.h"
#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

/// Of a member, which outlives the call, the next call may fill another element.
bool Holder::fillsAnyElement() const {
  const bool IsMember = TheSpan == Span::Program;
  const LoopId L = IsMember ? NoId : repeatingLoop();
  return (IsMember || L != NoId) && tensorleak::fillsAnyElement(Facts, U.model(), E, L) &&
         !isReplacedByNextStep();
}

using Named = llvm::SmallPtrSet<const Stmt *, 8>;

/// `list.size()` and the like look at no entry: the lists that \p Facts ask for a number.
static Named askedForNumber(const FunctionFacts &Facts) {
  Named Out;
  for (const Stmt *Body : Facts.bodies())
    anyBelow(Body, [&](const Stmt &S) {
      const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
      const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
      if (Method && Method->isConst() && isLibraryContainer(*Method->getParent()) &&
          Call->getType()->isArithmeticType())
        Out.insert(Call->getImplicitObjectArgument()->IgnoreParenImpCasts());
      return false;
    });
  return Out;
}

/// Where \p Facts name the container \p P in order to add to it.
static Named namedToFill(const FunctionFacts &Facts, PlaceId P) {
  Named Out;
  for (unsigned I : Facts.eventsOf(P))
    if (const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(Facts.Events[I].At);
        Call && Facts.Events[I].Kind == EventKind::Grow)
      Out.insert(Call->getImplicitObjectArgument()->IgnoreParenImpCasts());
  return Out;
}

/// Adding to it, and naming it for that.
static bool onlyFills(const Event &E, const Named &ToFill) {
  return E.Kind == EventKind::Grow || E.Kind == EventKind::ScopeEnd || E.Declares ||
         (E.Kind == EventKind::Use && ToFill.contains(E.At));
}

/// Nothing is done to \p P but to add to it, or to count what it has.
static bool isOnlyFilledAt(const FunctionFacts &Facts, PlaceId P) {
  const Named ToFill = namedToFill(Facts, P);
  std::optional<Named> ToCount; // of a whole body, which only few ask for
  return llvm::all_of(Facts.eventsOf(P), [&](unsigned I) {
    if (onlyFills(Facts.Events[I], ToFill))
      return true;
    if (!ToCount)
      ToCount = askedForNumber(Facts);
    return onlyFills(Facts.Events[I], *ToCount);
  });
}

bool Holder::isOnlyFilled() const {
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  bool MayBeReadElsewhere = isa<VarDecl>(D) && D->isExternallyVisible();
  auto DoesMore = [&](const FunctionUnit &Other) {
    const FunctionFacts &Theirs = *Other.Facts;
    for (PlaceId P = 0; P < Theirs.Places.size() && !Other.NeverRuns; ++P)
      if (Theirs.Places[P].Decl == D && !isOnlyFilledAt(Theirs, P))
        return true;
    return false;
  };
  return !MayBeReadElsewhere && U.functionsThat(Asked::DoesMoreThanFill, *D, DoesMore).empty();
}

/// `for (auto &row : rows)`: what is searched as a whole has to keep its entries.
bool Holder::isReadWhole() const {
  const ValueDecl *D = Facts.Places[E.Place].Decl;
  auto IsOverAll = [&](const Stmt &S) {
    const auto *Range = dyn_cast<CXXForRangeStmt>(&S);
    return Range && variableOrMember(bare(Range->getRangeInit())) == D;
  };
  auto GoesOverAll = [&](const FunctionUnit &Other) {
    return llvm::any_of(Other.Facts->bodies(),
                        [&](const Stmt *Body) { return anyBelow(Body, IsOverAll); });
  };
  return D && !U.functionsThat(Asked::ReadsWhole, *D, GoesOverAll).empty();
}

} // namespace tensorleak
