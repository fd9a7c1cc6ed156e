//===-- Globs.h - clang-tidy's list of globs -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `-*,tensor-*`: later globs win, a leading '-' takes away. The same language in
// --checks and in NOLINT comments, as clang-tidy has it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_GLOBS_H
#define TENSORLEAK_CHECKS_FRONTEND_GLOBS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/GlobPattern.h"
#include <memory>
#include <string>
#include <vector>

namespace tensorleak {

class GlobList {
public:
  explicit GlobList(llvm::StringRef Globs);
  bool contains(llvm::StringRef Name) const;

private:
  struct Item {
    bool Positive;
    llvm::GlobPattern Pattern;
  };
  std::shared_ptr<const std::string> Text; ///< the patterns refer to it
  std::vector<Item> Items;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_GLOBS_H
