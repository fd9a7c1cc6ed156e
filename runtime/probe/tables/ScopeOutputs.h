//===-- ScopeOutputs.h - Outputs that could have been made in place -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the conclusion which output of an operator could have reused an input that dies
// right after it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TABLES_SCOPEOUTPUTS_H
#define TENSORLEAK_RUNTIME_PROBE_TABLES_SCOPEOUTPUTS_H

#include "runtime/probe/tables/LiveTable.h"
#include "runtime/probe/tables/Sites.h"

namespace tensorleak::probe {

/// An allocation on this thread: an output of the open operator, so far.
void noteOutput(OpenScopes &Scopes, void *Data, uint64_t Bytes, uint32_t SiteId);
/// A free on this thread: an output that was temporary, or an input that died right
/// after the operator that could have reused it.
void noteFree(OpenScopes &Scopes, const LiveObject &Gone, SiteTable &Sites);

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TABLES_SCOPEOUTPUTS_H
