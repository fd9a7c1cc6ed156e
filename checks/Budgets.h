//===-- Budgets.h - What an analysis may spend, and what went over it -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every cap on the work of an analysis has a name and a limit in Budgets.def, and is asked
// with isOver, which counts. What is counted never changes what is found.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_BUDGETS_H
#define TENSORLEAK_CHECKS_BUDGETS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace tensorleak {

enum class Budget : uint8_t {
#define BUDGET(Name, ...) Name,
#include "checks/Budgets.def"
};

const char *nameOf(Budget B);
/// A function that goes over it is not analysed.
bool cutsFunction(Budget B);
/// "more than 4000 blocks in its control-flow graph".
std::string describe(Budget B);

/// The limit of Budgets.def, or the one that the recorder of this thread was given.
size_t limitOf(Budget B);

/// Limits that are not those of Budgets.def.
using BudgetLimits = std::map<Budget, size_t>;
/// The functions that went over a budget; "" for what is asked outside of functions.
using BudgetUse = std::map<Budget, std::set<std::string>>;

/// While one lives, isOver of this thread counts in it.
class BudgetRecorder {
public:
  explicit BudgetRecorder(BudgetUse &Into, const BudgetLimits &Limits = {});
  ~BudgetRecorder();
  BudgetRecorder(const BudgetRecorder &) = delete;
  BudgetRecorder &operator=(const BudgetRecorder &) = delete;

private:
  friend class FunctionAtHand;
  friend bool isOver(Budget B, size_t Used);
  friend size_t limitOf(Budget B);
  BudgetUse &Into;
  const BudgetLimits &Limits;
  const clang::FunctionDecl *At = nullptr;
  BudgetRecorder *Outer;
};

/// While one lives, what goes over a budget is counted for \p F.
class FunctionAtHand {
public:
  explicit FunctionAtHand(const clang::FunctionDecl &F);
  ~FunctionAtHand();
  FunctionAtHand(const FunctionAtHand &) = delete;
  FunctionAtHand &operator=(const FunctionAtHand &) = delete;

private:
  BudgetRecorder *In;
  const clang::FunctionDecl *Before = nullptr;
};

/// Whether \p Used is more than \p B allows. If so it is counted, and the caller gives the
/// answer that keeps a warning from being false.
bool isOver(Budget B, size_t Used);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_BUDGETS_H
