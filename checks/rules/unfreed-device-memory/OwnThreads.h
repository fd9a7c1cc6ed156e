//===-- OwnThreads.h - What the threads of an object give back ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `consumer.post(work)`: the thread that the consumer has started takes the memory out of its queue
// and frees it, beside the function that has filled it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_OWNTHREADS_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_OWNTHREADS_H

#include "checks/resources/ResourceUnit.h"

namespace tensorleak {

/// Whether \p L, which the function of \p Facts leaves in an object with threads of its own, is
/// what a method of that object gives back.
bool isFreedByOwnThread(const ResourceUnit &U, const ResourceFacts &Facts, const LostResource &L);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_OWNTHREADS_H
