//===-- ShrunkContainers.h - resize() that cuts elements off ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `old = all.size(); all.resize(n); for (i = old; i < n; ++i) alloc(&all[i]);`:
// for a smaller n the elements behind it are gone, and what they hold is not given back by that.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_SHRUNKCONTAINERS_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_SHRUNKCONTAINERS_H

#include "checks/resources/records/removed/RemovedEntries.h"

namespace tensorleak {

/// In functions that go on with what the elements had before: nobody has emptied the container.
std::vector<RemovedEntry> findShrunkContainers(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_SHRUNKCONTAINERS_H
