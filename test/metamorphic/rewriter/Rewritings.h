//===-- Rewritings.h - The rewritings by name ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_H
#define TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_H

#include "test/metamorphic/rewriter/Unit.h"

namespace tensorleak::rewriter {

struct Rewriting {
  const char *Name;
  const char *Says;
  /// A rewriting keeps what happens; a seed puts in a bug.
  bool IsSeed;
  void (*Find)(const Unit &, Sites &);
};

llvm::ArrayRef<Rewriting> rewritings();
const Rewriting *rewritingNamed(llvm::StringRef Name);

#define REWRITING(FUNCTION, NAME, SAYS) void FUNCTION(const Unit &U, Sites &Out);
#define SEED(FUNCTION, NAME, SAYS) void FUNCTION(const Unit &U, Sites &Out);
#include "test/metamorphic/rewriter/Rewritings.def"

} // namespace tensorleak::rewriter

#endif // TENSORLEAK_TEST_METAMORPHIC_REWRITER_REWRITINGS_H
