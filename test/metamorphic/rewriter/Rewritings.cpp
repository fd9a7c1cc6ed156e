//===-- Rewritings.cpp - The table --------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Rewritings.h"

namespace tensorleak::rewriter {

llvm::ArrayRef<Rewriting> rewritings() {
  static const Rewriting All[] = {
#define REWRITING(FUNCTION, NAME, SAYS) {NAME, SAYS, false, FUNCTION},
#define SEED(FUNCTION, NAME, SAYS) {NAME, SAYS, true, FUNCTION},
#include "test/metamorphic/rewriter/Rewritings.def"
  };
  return All;
}

const Rewriting *rewritingNamed(llvm::StringRef Name) {
  for (const Rewriting &R : rewritings())
    if (Name == R.Name)
      return &R;
  return nullptr;
}

} // namespace tensorleak::rewriter
