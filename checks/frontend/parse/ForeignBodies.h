//===-- ForeignBodies.h - Which function bodies the parser may skip --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend. The API model describes foreign functions to the analyses, never
// from their bodies, so these need not be parsed. The exception are the standard
// algorithms: only their bodies say with what types a generic lambda of the user
// is called.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_FOREIGNBODIES_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_FOREIGNBODIES_H

#include "clang/AST/ASTConsumer.h"

namespace tensorleak {

/// Whether the body of \p D, which is foreign, may be skipped.
bool canSkipForeignBody(const clang::Decl *D);

/// Tells a parser of foreign code alone what to skip.
class ForeignBodySkipper : public clang::ASTConsumer {
public:
  bool shouldSkipFunctionBody(clang::Decl *D) override { return canSkipForeignBody(D); }
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_FOREIGNBODIES_H
