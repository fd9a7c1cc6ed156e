//===-- Sections.h - The parts of a dump, a file each ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DUMP_SECTIONS_H
#define TENSORLEAK_CHECKS_DUMP_SECTIONS_H

#include "checks/resources/ResourceUnit.h"
#include "llvm/Support/raw_ostream.h"

namespace tensorleak {

/// What the API model says of each call, whether the function's facts need it or not.
void dumpCalls(Unit &U, const ResourceModel &Resources, const FunctionUnit &F,
               llvm::raw_ostream &Out);
/// The events of each block of the control-flow graph.
void dumpEvents(Unit &U, const FunctionUnit &F, llvm::raw_ostream &Out);
/// The same for device memory, streams and handles.
void dumpResourceEvents(const Unit &U, const FunctionResources &F, llvm::raw_ostream &Out);

/// What holds before each event that says something of a tensor.
void dumpState(const Unit &U, const FunctionUnit &F, llvm::raw_ostream &Out);
/// Where the function's variables end up, and what its callers are told.
void dumpFates(const Unit &U, const FunctionUnit &F, llvm::raw_ostream &Out);
/// What the function loses, and what its callers are told.
void dumpResourceFlow(const Unit &U, const FunctionResources &F, llvm::raw_ostream &Out);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DUMP_SECTIONS_H
