//===-- FlaggedLosses.h - Given back only where a flag is set ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `if (isOpen) free(data);` is all that gives back what an object holds. A
// function leaves what it took before it sets the flag, or clears the flag and keeps the rest; a
// move takes over what is held, and not the flag.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_FLAGS_FLAGGEDLOSSES_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_FLAGS_FLAGGEDLOSSES_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct FlaggedLoss {
  enum WhyKind : uint8_t {
    NotSet,   ///< In takes it, and leaves at At before it sets the flag
    Cleared,  ///< In clears the flag at At, and lets go of nothing
    NotTaken, ///< In moves it from another object at At, and leaves the flag behind
    NeverSet, ///< In takes it, and nothing that runs then or later sets the flag
  } Why;
  const FunctionResources *In;
  const clang::Stmt *At;
  RecordKey Key;
  RecordTake Take;
  const clang::FieldDecl *Flag;
  const clang::Expr *State; ///< in which the flag says so; null where that is any but zero
  const clang::Stmt *Given; ///< a place where the flag is asked first
  bool Sure;
};

/// A flag, or one of the states that a member has.
struct FlagState {
  const clang::FieldDecl *Flag = nullptr;
  const clang::Expr *Is = nullptr; ///< see FlagValue
  std::optional<int64_t> number() const;
  bool isSetBy(int64_t Value) const { return Is ? Value == number() : Value != 0; }
  bool operator==(const FlagState &O) const;
};

/// What an assignment gives \p Flag; null where \p S is none.
const clang::Expr *valueGiven(const clang::Stmt &S, const clang::FieldDecl &Flag);

/// That of \p Takes whose objects nothing ever gives the state \p Asked, in which alone \p Given
/// gives back what they hold (UnsetFlags.cpp).
void addNeverSet(FileAnalyses &File, const RecordKey &Key, llvm::ArrayRef<RecordTake> Takes,
                 const FlagState &Asked, const clang::Stmt &Given, std::vector<FlaggedLoss> &Out);

/// In the order of the calls that take what is lost.
std::vector<FlaggedLoss> findFlaggedLosses(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_FLAGS_FLAGGEDLOSSES_H
