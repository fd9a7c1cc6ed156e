//===-- Parse.h - Parses a file as check does ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TEST_METAMORPHIC_REWRITER_PARSE_H
#define TENSORLEAK_TEST_METAMORPHIC_REWRITER_PARSE_H

#include <functional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace tensorleak::rewriter {

/// What the command line says of the file.
struct ParseRequest {
  std::string File; ///< absolute
  std::vector<std::string> Flags;
  std::string CudaPath; ///< as `tensorleak check --cuda-path`
};

/// Called with the tree, and with the top-level declarations of the main file.
using Parsed = std::function<void(clang::ASTContext &, const std::vector<clang::Decl *> &)>;

/// Returns the first error of the compiler, or "".
std::string parse(const ParseRequest &Request, const Parsed &Use);

} // namespace tensorleak::rewriter

#endif // TENSORLEAK_TEST_METAMORPHIC_REWRITER_PARSE_H
