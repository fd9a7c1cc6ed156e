//===-- Apply.h - The text that edits leave behind ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_METAMORPHIC_REWRITER_APPLY_H
#define TENSORLEAK_TEST_METAMORPHIC_REWRITER_APPLY_H

#include "test/metamorphic/rewriter/Unit.h"

namespace tensorleak::rewriter {

struct Rewritten {
  std::string Text;
  unsigned Applied = 0;
  unsigned Skipped = 0; ///< sites whose edits meet those of others
};

/// The file after the edits of \p Chosen.
Rewritten apply(const Unit &U, llvm::ArrayRef<Site> Chosen);

} // namespace tensorleak::rewriter

#endif // TENSORLEAK_TEST_METAMORPHIC_REWRITER_APPLY_H
