//===-- Refusals.h - Calls that take something only sometimes --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. What the rules say of a resource that was handed to a function which keeps it
// only where its result says so: `if (!queue.push(frame)) return;`.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_REFUSALS_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_REFUSALS_H

#include "checks/Diagnosis.h"
#include "checks/resources/ResourceFlow.h"

namespace tensorleak {

/// Explains, at the call that may have refused \p Site, when it takes it.
void noteRefusal(const FunctionResources &F, SiteId Site, Diagnosis &D);

/// Of what is LostResource::Refused: " that this call returns is lost where 'push' does not take
/// it; call 'cudaFree' there".
std::string lostByRefusal(const LostResource &L, llvm::StringRef Release);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_REFUSALS_H
