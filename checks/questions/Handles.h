//===-- Handles.h - Is this the only handle of its storage? ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_HANDLES_H
#define TENSORLEAK_CHECKS_QUESTIONS_HANDLES_H

#include "checks/questions/Storages.h"

namespace tensorleak {

/// How sure it is that nobody else refers to a storage.
enum class Sole : uint8_t {
  No,
  InView, ///< as far as this file shows; another one may call the function as well
  Yes,
};

class Handles {
public:
  explicit Handles(Unit &U) : U(U), All(U) {}

  /// Whether the event reads \p V, one of its operands, for the last time: nothing reads the
  /// storage behind it afterwards, here or in a caller, whatever refers to it. A part of a
  /// storage does not count, nor does what another operand refers to too.
  /// \p IsTaken: the call at the event takes it out of the variable that it is moved from, which
  /// has nothing to read any more.
  Sole isLastUse(const FunctionUnit &F, unsigned Event, ValueId V, bool IsTaken = false);
  /// Whether \p P, and no other variable, container, graph or function, refers to what the
  /// store \p Store has put there, right before the event.
  bool isHeldAlone(const FunctionUnit &F, PlaceId P, unsigned Store, unsigned Event);
  /// As isHeldAlone, when the function ends; what it returns is not \p P's any more.
  bool isLeftAlone(const FunctionUnit &F, PlaceId P, unsigned Store);
  /// Bytes of the largest tensor that a function in view makes, or that one which it calls does.
  int64_t largestAllocation(const clang::FunctionDecl &Callee);
  const Reads &readsOf(const FunctionUnit &F) { return All.of(F).reads(); }
  AllStorages &storages() { return All; }

private:
  Sole isHandedOver(const FunctionUnit &F, unsigned Param);
  Sole computeHandedOver(const FunctionUnit &F, unsigned Param);

  int64_t allocatedBy(const FunctionUnit &F);
  bool isAlone(Storages &Here, PlaceId P, const Referred &What, const StorageState &Now) const;

  Unit &U;
  AllStorages All;
  llvm::DenseMap<const clang::FunctionDecl *, int64_t> Allocated;
  llvm::DenseMap<std::pair<const FunctionFacts *, unsigned>, Sole> HandedOver;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_HANDLES_H
