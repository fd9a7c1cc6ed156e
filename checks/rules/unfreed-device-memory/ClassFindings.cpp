//===-- ClassFindings.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/ClassFindings.h"

#include "checks/rules/unfreed-device-memory/ResourceDiagnosis.h"

namespace tensorleak {

/// A set-up that runs again has one finding, the one that knows most.
static void reportSetUps(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  const std::vector<RefilledMember> Refilled = findRefilledMembers(File);
  for (const RefilledMember &Lost : Refilled)
    reportRefilled(Lost, Out);
  for (const LostMember &Lost : findLostMembers(File))
    if (llvm::none_of(Refilled, [&](const RefilledMember &Said) {
          return Said.In == Lost.In && Said.Site == Lost.Site;
        }))
      reportRefilled(Lost, Out);
}

void reportClasses(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  for (const ForgottenResource &R : File.forgotten())
    reportForgotten(R, Out);
  reportSetUps(File, Out);
  for (const RemovedEntry &Lost : findRemovedEntries(File))
    reportRemoved(Lost, Out);
  for (const UnclosedObject &Lost : findUnclosedObjects(File))
    reportUnclosed(Lost, Out);
  for (const AssignedOver &Lost : findAssignedOver(File))
    reportAssignedOver(Lost, Out);
}

} // namespace tensorleak
