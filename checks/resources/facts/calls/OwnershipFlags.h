//===-- OwnershipFlags.h - Objects that own only where a flag says so -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `Tensor(p, n, /*owns=*/false)`: the destructor gives p back only where the flag
// is set, so that this object is no more than another name of p.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_OWNERSHIPFLAGS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_OWNERSHIPFLAGS_H

#include "checks/model/ResourceModel.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorleak {

/// The member of whatever object that \p E names, where it may be a flag or one of several states;
/// null for others.
const clang::FieldDecl *flagNamed(const clang::Expr *E);

/// What a condition says of a flag.
struct FlagValue {
  const clang::FieldDecl *Flag;
  const clang::Expr *State; ///< with which it is compared; null where it is asked for itself
  bool IsSet;               ///< it is not zero, or in that state
};
/// Calls \p Visit for each flag of which \p Condition, where it is \p Answer, tells the value.
void forEachFlagIn(const clang::Expr &Condition, bool Answer,
                   llvm::function_ref<void(const FlagValue &)> Visit);

class OwnershipFlags {
public:
  /// Of all functions of a file.
  OwnershipFlags(llvm::ArrayRef<const clang::FunctionDecl *> All, const ResourceModel &Model);
  /// The object that \p C makes does not own what goes into \p Member, for as long as it lives.
  bool isOnlyLent(const clang::CXXConstructExpr &C, const clang::FieldDecl &Member) const;

private:
  /// An object owns where it has that value.
  struct Flag {
    const clang::FieldDecl *Field = nullptr; ///< null where it owns in other cases, too
    bool Value = false;
    bool operator==(const Flag &O) const { return Field == O.Field && Value == O.Value; }
  };
  void addRelease(const clang::CallExpr &Call, const clang::Expr &Given,
                  const clang::FunctionDecl &In);
  void addSetting(const clang::BinaryOperator &Set);
  bool isSetLater(const Flag &Owns, clang::ASTContext &Context) const;

  llvm::DenseMap<const clang::FieldDecl *, Flag> OwnedWhere; ///< by what is given back
  llvm::DenseSet<const clang::CXXRecordDecl *> FreedThrough; ///< others give back what these have
  llvm::DenseMap<const clang::FieldDecl *, llvm::SmallVector<const clang::Expr *, 1>> Settings;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_OWNERSHIPFLAGS_H
