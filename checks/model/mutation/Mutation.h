//===-- Mutation.h - Entries of the tables, changed on purpose ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For `scripts/check mutation`, which changes each entry of the tables in turn and expects a
// test to fail. Compiled in with TENSORLEAK_MUTATION; elsewhere all of this is nothing.
//
// TENSORLEAK_MUTATE=LibTorch:relu names the entry that is changed.
// TENSORLEAK_COVER_ENTRIES=FILE gathers `has TABLE:ENTRY` and `asked TABLE:ENTRY` lines.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_MUTATION_MUTATION_H
#define TENSORLEAK_CHECKS_MODEL_MUTATION_MUTATION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace tensorleak::mutation {

#ifdef TENSORLEAK_MUTATION
/// Whether this entry, of which the table is being made, is the one to change.
bool changes(llvm::StringRef Table, const llvm::Twine &Entry);
/// The entry was looked for, whether or not the table has it.
void asked(llvm::StringRef Table, const llvm::Twine &Entry);
#else
inline bool changes(llvm::StringRef, const llvm::Twine &) { return false; }
inline void asked(llvm::StringRef, const llvm::Twine &) {}
#endif

} // namespace tensorleak::mutation

#endif // TENSORLEAK_CHECKS_MODEL_MUTATION_MUTATION_H
