//===-- DefaultedMembers.h - Defines what large classes leave to the compiler //
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, while a prelude is made. The compiler defines a defaulted copy constructor
// where it is first used, and reads all of the class for that: of at::Tensor and its two
// thousand methods, more than the rest of a small file takes. A prelude has it defined.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_PARSE_DEFAULTEDMEMBERS_H
#define TENSORLEAK_CHECKS_FRONTEND_PARSE_DEFAULTEDMEMBERS_H

#include "clang/Sema/SemaConsumer.h"

namespace tensorleak {

/// At the end of a prelude's headers, before they are written.
class DefaultedMembers : public clang::SemaConsumer {
public:
  void InitializeSema(clang::Sema &S) override { Semantics = &S; }
  void ForgetSema() override { Semantics = nullptr; }
  void HandleTranslationUnit(clang::ASTContext &Context) override;

private:
  clang::Sema *Semantics = nullptr;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_PARSE_DEFAULTEDMEMBERS_H
