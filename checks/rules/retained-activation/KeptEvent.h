//===-- KeptEvent.h - An event that may keep something, and its finding ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_KEPTEVENT_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_KEPTEVENT_H

#include "checks/rules/Rule.h"
#include "checks/rules/retained-activation/Holders.h"

namespace tensorleak {

/// The event at hand, who holds what it stores, and how a finding about it is phrased.
class KeptEvent : protected FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

protected:
  void look(unsigned Index);
  unsigned index() const { return E - Facts.Events.data(); }

  /// \p Kept: of which the size is known to stay in every step.
  Diagnosis &report(Level L, std::string Message, bool WithGraph, const TensorType &Kept = {});
  void addDetach(Diagnosis &D) const;
  std::string holderName() const;
  bool isAddedByMethod() const;
  bool isOfModule() const;
  bool keepsLargeResult() const;

  const Event *E = nullptr;
  const EventState *At = nullptr;
  std::optional<Holder> H;

private:
  void addPath(Diagnosis &D, bool WithGraph);
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_KEPTEVENT_H
