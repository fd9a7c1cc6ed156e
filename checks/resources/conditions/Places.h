//===-- Places.h - Variables that conditions ask about ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Variables and members of one function, and which statements may write
// them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PLACES_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PLACES_H

#include "checks/resources/facts/ResourcePaths.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tensorleak {

class MemberWrites;

/// A variable, or a member of it, or what a box among these holds. Not to be confused with
/// paths, which can hold resources: here no pointer is followed to what it points to.
struct ConditionPlace {
  using Steps = llvm::SmallVector<Step, 2>;
  Steps Chain;           ///< the first is the root
  bool IsShared = false; ///< written through other names
  /// The variable or the member: of what a box holds, that of the box.
  const clang::ValueDecl &last() const;
  clang::QualType type() const;
  /// A member, or a global variable.
  bool outlivesCall() const;
};

class ConditionPlaces {
public:
  using PlaceId = unsigned;
  using Chain = ConditionPlace::Steps;
  /// \p Writes: what calls may change; null where nobody knows.
  ConditionPlaces(const clang::CFG &Cfg, const MemberWrites *Writes);

  const ConditionPlace &operator[](PlaceId P) const { return All[P]; }
  unsigned size() const { return All.size(); }
  std::optional<PlaceId> find(const clang::Expr *E) const;
  std::optional<PlaceId> find(const Chain &Of) const;
  /// Every place that is read or written in \p E.
  void mentioned(const clang::Expr &E, std::set<PlaceId> &Out) const;
  /// Calls \p Write for each place that \p S may write. The expression is null where what
  /// is written is not known.
  using OnWrite = llvm::function_ref<void(PlaceId, const clang::Expr *)>;
  void forEachWrite(const clang::Stmt &S, OnWrite Write) const;

private:
  using Exprs = std::set<const clang::Expr *>;
  void intern(const clang::Stmt &S);
  void findShared(const clang::Stmt &S, const Exprs &Arguments, const Exprs &CalledAtOnce);
  void share(const clang::Expr *E);
  void shareAll(const Chain &Of);
  void findSharedBy(const clang::DeclStmt &D);
  void forEachWriteOfDecl(const clang::DeclStmt &D, OnWrite Write) const;
  void forEachBelow(const clang::Expr *E, OnWrite Write, bool Itself) const;
  void forEachWriteOfCall(const clang::Expr &Call, OnWrite Write) const;
  void forEachCaptured(const clang::LambdaExpr &L, OnWrite Write) const;

  bool mayChange(const clang::FunctionDecl *Callee, PlaceId P) const;

  const MemberWrites *Writes;
  std::vector<ConditionPlace> All;
  std::map<Chain, PlaceId> Ids;
  std::vector<PlaceId> Outliving; ///< that outlive the call
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_PLACES_H
