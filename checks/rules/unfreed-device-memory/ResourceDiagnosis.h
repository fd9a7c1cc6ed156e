//===-- ResourceDiagnosis.h - How findings on memory are phrased -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all findings of tensor-unfreed-device-memory have in common, and those that
// speak of more than one resource or function: what one way out loses, members that are
// forgotten, and buffers that wait.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_RESOURCEDIAGNOSIS_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_RESOURCEDIAGNOSIS_H

#include "checks/Diagnosis.h"
#include "checks/resources/losses/LostTogether.h"
#include "checks/resources/records/LostMembers.h"
#include "checks/resources/records/RefilledMembers.h"
#include "checks/resources/records/UnclosedObjects.h"
#include "checks/resources/records/removed/RemovedEntries.h"
#include "checks/rules/unfreed-device-memory/LateRelease.h"

namespace tensorleak {

/// "64 KiB of device memory".
std::string sized(const Site &S);

/// The global variable, or the names of the members: "'pool.free'".
std::string quoted(const RecordKey &Key);

/// What \p S takes, as one more thing that \p D speaks of. \p Note: at its place, unless it is
/// empty.
void addTaken(Diagnosis &D, const Site &S, std::string Note);

void setHolder(Diagnosis &D, const clang::ValueDecl &Holder);

/// Names the variable or the first member of \p Holder, if it is one.
void setHolder(Diagnosis &D, const ResourceFacts &Facts, PathId Holder);

/// At the call that takes.
Diagnosis diagnosisAt(const Site &S, Level TheLevel, std::string Message);

/// At the first of them; the others are notes, and producers of the same finding.
Diagnosis diagnosisOf(const ResourceFacts &Facts, const LostTogether &Each, Level TheLevel);

/// A member or global variable that whatever frees its neighbours forgets.
void reportForgotten(const ForgottenResource &R, std::vector<Diagnosis> &Out);

/// What is said of elements that a loop takes, and of the call that gives back single ones.
std::string notAllGivenBack(const Site &S);
constexpr const char *OnlySingleOnes = "only single ones are given back, as here";

/// An assignment operator that forgets what its object holds.
void reportAssignedOver(const AssignedOver &Lost, std::vector<Diagnosis> &Out);

/// Elements that leave a container which owns what they point to.
void reportRemoved(const RemovedEntry &Lost, std::vector<Diagnosis> &Out);

/// A set-up method that runs again without a tear-down before.
void reportRefilled(const LostMember &Lost, std::vector<Diagnosis> &Out);
void reportRefilled(const RefilledMember &Lost, std::vector<Diagnosis> &Out);

/// An object whose method that gives back what it holds nobody calls.
void reportUnclosed(const UnclosedObject &Lost, std::vector<Diagnosis> &Out);

/// A buffer that is taken long before its use, while others hold memory for the last time.
void reportLate(const FunctionResources &F, const LateRelease &Late, std::vector<Diagnosis> &Out);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_RESOURCEDIAGNOSIS_H
