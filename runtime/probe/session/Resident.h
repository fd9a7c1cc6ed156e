//===-- Resident.h - What the system says of the process's memory -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_RESIDENT_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_RESIDENT_H

#include <cstdint>

namespace tensorleak::probe {

/// Of this process, without pages of files; 0 if the system does not say.
uint64_t residentBytes();

/// Stacks of the usual size that are there for no thread: who joins or detaches a thread gives its
/// stack back, but for a few that glibc uses again.
uint64_t stacksOfEndedThreads();

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_RESIDENT_H
