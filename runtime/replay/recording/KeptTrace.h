//===-- KeptTrace.h - A trace that needs no other files -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recorded stack is a list of addresses, of use only beside the files that they lie in.
// What is kept has the user's functions and lines with it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_RECORDING_KEPTTRACE_H
#define TENSORLEAK_RUNTIME_REPLAY_RECORDING_KEPTTRACE_H

#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

/// Copies the trace in \p Recorded to \p File and adds the names of the user's frames.
/// \throws std::runtime_error if that cannot be written.
void keepTrace(const std::string &Recorded, const std::string &File, DebugFiles &Files);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_RECORDING_KEPTTRACE_H
