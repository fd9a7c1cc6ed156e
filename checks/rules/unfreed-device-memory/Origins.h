//===-- Origins.h - Where what is lost elsewhere was taken ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding on a line that only loses what an object owns: `owner.release();`. The run finds such
// memory by the lines that took it, which are those that fill objects of that class.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_ORIGINS_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_ORIGINS_H

#include "checks/Diagnosis.h"
#include "checks/resources/ResourceUnit.h"

namespace tensorleak {

/// Adds to the producers of \p D what the file takes for objects of the class \p Owner, or of
/// what one of them owns: in their methods, and where such an object is made.
void addOrigins(Diagnosis &D, const ResourceUnit &U, const clang::CXXRecordDecl &Owner);

/// Likewise what the functions take that name \p Variable, a container that outlives them.
void addOrigins(Diagnosis &D, const ResourceUnit &U, const clang::ValueDecl &Variable);

/// Where an owner hands out what \p S, a site of the function of \p Facts, names, as `release()` of
/// a smart pointer does: the producers of \p D are where that was taken, and not the call.
void setOriginsOfOwner(Diagnosis &D, const ResourceUnit &U, const ResourceFacts &Facts,
                       const Site &S);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_ORIGINS_H
