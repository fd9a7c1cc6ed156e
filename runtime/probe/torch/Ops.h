//===-- Ops.h - The operators that LibTorch announces ---------------------===//
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

#include "runtime/probe/core/ThreadState.h"

namespace tensorleak::probe {

class Session;

/// Whether the probe must hear of an operator or of a backward function that is about to
/// run within those that are open.
bool needsOperator(const OpenScopes &Scopes);
bool needsBackward(const OpenScopes &Scopes);
/// The program has callbacks of its own: nothing is kept from them.
void noteThatProgramListens();
/// Whether LibTorch asks that; if not, it announces everything.
bool opFilterBinds();

/// The engine evaluates a node, until endNode is called with the same \p Frame. AccumulateGrad
/// is then open under its name; others only keep what they free apart.
void beginNode(Session &S, OpenScopes &Scopes, uintptr_t Vtable, uintptr_t Frame);
void endNode(Session &S, OpenScopes &Scopes, uintptr_t Frame);
/// Forgets nodes that an exception left, seen from the frame that is the present one.
void dropAbandonedNodes(OpenScopes &Scopes, uintptr_t Frame);

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TORCH_OPS_H
