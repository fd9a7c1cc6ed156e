//===-- Holders.h - What keeps a tensor, and for how long ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The container, member, static or variable that an event puts a tensor into, compared
// with the steps of the loop around it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_HOLDERS_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_HOLDERS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// How long a holder lives, compared with the step.
enum class Span : uint8_t {
  Step,    ///< it dies with the step, or we cannot tell
  Call,    ///< a local that is declared outside the loop
  Caller,  ///< a parameter by reference, or captured
  Program, ///< a static, a global or a member
};

/// The place of one event, which has one.
class Holder {
public:
  Holder(Unit &U, const FunctionUnit &F, const Event &E);

  Span span() const { return TheSpan; }
  /// The outermost loop around the event that the holder outlives.
  LoopId repeatingLoop() const;
  /// Steps come and go while it lives.
  bool repeats() const;
  /// What a summary brought here is reported where it stands, unless only the
  /// caller knows the holder.
  bool isReportedByCaller() const;
  /// It is emptied, reset or begun anew: in \p L (NoId: in this function), or, where it
  /// lives as long as the program, by another function.
  bool letsGo(LoopId L) const;
  /// Only some other function does: until then it collects what every call adds.
  bool collectsAcrossCalls() const { return TheSpan == Span::Program && !letsGoInLoop(NoId); }
  /// It is a member of an object that dies with the round of a loop in which it is made.
  bool isOfEachRound() const;
  /// Nobody outside this file's view can let go of what it holds.
  bool isSeenWhole() const;
  /// Nothing in the file does anything with it but add to it.
  bool isOnlyFilled() const;
  /// Some function goes over all that is in it: an index, say, and no cache.
  bool isReadWhole() const;
  /// Each step puts something into an element of it, which need not be the one of the last step.
  bool fillsAnyElement() const;
  /// Anything in the file that runs a model makes a call of this function a step.
  bool isInStepContext() const;
  /// Where what it holds may end up.
  uint8_t fate() const;
  /// The same, apart from what each step does with a part of it: what reads the newest
  /// entries, or runs them backward, lets go of none. Of \p Freed, which has been run
  /// backward, nobody can run the graph again.
  uint8_t fateApartFromSteps(bool Freed) const;
  /// Each step hands what is made of it to code that is not seen, and nothing in the file needs
  /// gradients. That code cannot run the graph of two steps: the second contains the first.
  bool isOnlyReadInSteps() const;

  /// What stands under the same key is let go of by then. Who gives the key says whether it is
  /// the same.
  bool isReplacedByNextStep() const;

private:
  Span spanOf() const;
  unsigned index() const { return &E - Facts.Events.data(); }
  bool isInSteps(const Event &Other) const;
  llvm::SmallVector<const FunctionFacts *, 2> functionsInSteps() const;
  bool restarts(const Event &Other, LoopId L) const;
  bool beginsAnew(const FunctionUnit &Where, const clang::ValueDecl *D, unsigned Calls) const;
  bool letsGoAt(unsigned Index, LoopId L) const;
  bool letsGoInLoop(LoopId L) const;
  bool isResetElsewhere() const;
  bool isInNewEntry() const;
  bool isShared() const;
  bool isLetGoByOtherName() const;

  Unit &U;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
  const Event &E;
  Span TheSpan;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_HOLDERS_H
