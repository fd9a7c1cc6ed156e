//===-- Ops.h - The operators that LibTorch announces ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers callbacks with at::addGlobalCallback (the struct is laid out by
// hand; it is the same from 1.13 to today), keeps the open scopes of each
// thread, and draws two conclusions: which output could have reused a dying
// input, and whether a gradient met an older one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TORCH_OPS_H
#define TENSORLEAK_RUNTIME_PROBE_TORCH_OPS_H

#include "runtime/probe/torch/LiveTable.h"
#include "runtime/probe/torch/ThreadState.h"

namespace tensorleak::probe {

class SiteTable;

/// Registers the callbacks if LibTorch is loaded and has none of ours yet.
void installOpCallbacks();
bool opCallbacksInstalled();

/// An allocation on this thread: an output of the open operator, so far.
void noteOutput(OpenScopes &Scopes, void *Data, uint64_t Bytes, uint32_t SiteId);

/// A free on this thread: an output that was temporary, or an input that died right
/// after the operator that could have reused it.
void noteFree(OpenScopes &Scopes, const LiveObject &Gone, SiteTable &Sites);

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TORCH_OPS_H
