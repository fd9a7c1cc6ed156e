//===-- GlobalTakes.h - How a function fills a variable that outlives it ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage resources. What one call leaves in a global variable, the next one finds there.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_GLOBALTAKES_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_GLOBALTAKES_H

#include "checks/resources/ResourceUnit.h"

namespace tensorleak {

/// The function puts a new one there in each call, and asks for no old one.
bool isTakenByEachCall(const FunctionResources &F, SiteId Site);

/// Whenever nothing fails, and no test asks whether it is there already.
bool isTakenAlways(const FunctionResources &F, SiteId Site);

/// No function of the file gives back anything of the kind, in whatever variable.
bool isNowhereGiven(const ResourceUnit &U, Family What);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_GLOBALTAKES_H
