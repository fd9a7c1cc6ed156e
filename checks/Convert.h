//===-- Convert.h - From diagnoses in Clang's terms to findings ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage frontend, after the rules: the only place where source locations become
// files, lines and columns. What a macro wrote is reported where the macro is
// used; what stands in a macro's argument, where it stands.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_CONVERT_H
#define TENSORLEAK_CHECKS_CONVERT_H

#include "checks/Diagnosis.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace tensorleak {

/// \p Decls are the user's top-level declarations: a finding's fingerprint names
/// the function that it lies in.
std::vector<Finding> toFindings(llvm::ArrayRef<Diagnosis> Diagnoses,
                                const clang::ASTContext &Context,
                                llvm::ArrayRef<clang::Decl *> Decls);

/// Every file that \p Findings speak about.
std::vector<std::string> filesOf(llvm::ArrayRef<Finding> Findings);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_CONVERT_H
