//===-- UnsetFlags.cpp - Flags of ownership that nothing sets -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/calls/OwnershipFlags.h"
#include "checks/resources/losses/flags/FlaggedLosses.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/members/Initializers.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

/// The functions of the file that may set a flag.
class Setters {
public:
  Setters(FileAnalyses &File, const FlagState &Asked) : Asked(Asked) {
    for (const auto &G : File.resources().functions())
      add(*G->Facts.Function);
  }
  /// Wherever the file names the flag, it reads it or gives it a value.
  bool areKnown() const { return AreKnown; }
  bool anyBut(const CXXConstructorDecl &Made) const {
    return llvm::any_of(Functions, [&](const FunctionDecl *F) {
      return F == &Made || !isa<CXXConstructorDecl>(F);
    });
  }
  bool any() const { return !Functions.empty(); }

private:
  void add(const FunctionDecl &F);
  bool isNoSetting(const Expr &Value) const;

  const FlagState &Asked;
  llvm::SmallVector<const FunctionDecl *, 4> Functions;
  bool AreKnown = true;
};

/// A constant in which it is not set, or the flag of another object.
bool Setters::isNoSetting(const Expr &Value) const {
  const auto Constant = constantIn(Asked.Flag->getASTContext(), &Value);
  return Constant ? !Asked.isSetBy(*Constant) : flagNamed(&Value) == Asked.Flag;
}

/// Every mention of the flag is an assignment to it, or reads it.
void Setters::add(const FunctionDecl &F) {
  unsigned Named = 0, Understood = 0;
  bool Sets = false;
  anyIn(F, [&](const Stmt &S) {
    const auto *Read = dyn_cast<ImplicitCastExpr>(&S);
    const auto *Member = dyn_cast<MemberExpr>(&S);
    Named += Member && Member->getMemberDecl() == Asked.Flag;
    Understood += Read && Read->getCastKind() == CK_LValueToRValue &&
                  flagNamed(Read->getSubExpr()) == Asked.Flag;
    if (const Expr *Value = valueGiven(S, *Asked.Flag)) {
      ++Understood;
      Sets |= !isNoSetting(*Value);
    }
    return false;
  });
  AreKnown &= Named == Understood;
  const auto *Made = dyn_cast<CXXConstructorDecl>(&F);
  const Expr *Begin = Made ? beginOf(*Made, *Asked.Flag) : nullptr;
  if (Sets || (Begin && !isNoSetting(*Begin)))
    Functions.push_back(&F);
}

/// Its objects begin with the flag not set.
bool beginsUnset(const CXXConstructorDecl &Made, const FlagState &Asked) {
  const Expr *Begin = beginOf(Made, *Asked.Flag);
  const auto Value = Begin ? constantIn(Made.getASTContext(), Begin) : std::nullopt;
  if (Begin)
    return Value && !Asked.isSetBy(*Value);
  return anyIn(Made, [&](const Stmt &S) { return valueGiven(S, *Asked.Flag) != nullptr; });
}

/// So do all objects.
bool allBeginUnset(const CXXRecordDecl &Class, const FlagState &Asked) {
  return llvm::all_of(Class.ctors(), [&](const CXXConstructorDecl *Made) {
    return Made->isCopyOrMoveConstructor() || Made->isDeleted() || beginsUnset(*Made, Asked);
  });
}

/// Where it is not set, \p T does not happen.
bool isTakenIfSet(const RecordTake &T, const FlagState &Asked) {
  bool IsAsked = false;
  const Expr &Taking = *T.In->Facts.Sites[T.Site].Call;
  forEachConditionAhead(Taking, T.In->Facts.Function->getBody(), [&](const Expr &Condition, bool) {
    IsAsked |= mentions(&Condition, [&](const Expr &E) { return flagNamed(&E) == Asked.Flag; });
  });
  return IsAsked;
}

} // namespace

void addNeverSet(FileAnalyses &File, const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes,
                 const FlagState &Asked, const Stmt &Given, std::vector<FlaggedLoss> &Out) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Asked.Flag->getParent());
  if (!Class || Class->isAggregate() || Key.Chain.size() != 1 ||
      !File.unit().isSeenWhole(*Asked.Flag) || !allMethodsSeen(*Class, {Asked.Flag}))
    return;
  const Setters Who(File, Asked);
  for (const RecordTake &T : Takes) {
    const FunctionDecl &In = *T.In->Facts.Function;
    const auto *Made = dyn_cast<CXXConstructorDecl>(&In);
    const bool IsUnset =
        Made ? Made->getParent() == Class && !Who.anyBut(*Made) && beginsUnset(*Made, Asked)
             : !Who.any() && allBeginUnset(*Class, Asked);
    if (IsUnset && Who.areKnown() && !T.In->HasErrors && !isTakenIfSet(T, Asked))
      Out.push_back({FlaggedLoss::NeverSet, T.In, T.In->Facts.Sites[T.Site].Call, Key, T,
                     Asked.Flag, Asked.Is, &Given, /*Sure=*/true});
  }
}

} // namespace tensorleak
