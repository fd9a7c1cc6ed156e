//===-- Settings.h - What decides which memory can be seen ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibTorch can be set to allocate in ways that report nothing: by environment
// variables, and by an allocator that the program brings. Replay must know.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SESSION_SETTINGS_H
#define TENSORLEAK_RUNTIME_PROBE_SESSION_SETTINGS_H

#include "runtime/probe/core/Record.h"

namespace tensorleak::probe {

/// Writes what is set now; the last state counts, for programs set variables too.
void writeSettings(Recorder &Trace);

/// How calls of CUDA are watched (trace::CudaCallsSetting): called by a source that works,
/// or to report why it does not.
void setCudaWatchState(const char *State);
/// Some call of CUDA was interposed; what is known of CUPTI counts for more.
void noteCudaInterposed();

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SESSION_SETTINGS_H
