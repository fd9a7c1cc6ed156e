//===-- DeclNames.h - Declarations by names that hold in all files --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_PROJECT_DECLNAMES_H
#define TENSORLEAK_CHECKS_PROJECT_DECLNAMES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace tensorleak {

/// The USR of \p D; "" when other files cannot mean it.
std::string usrOf(const clang::Decl &D);

/// Finds a field or a global again, in another file than the one that named it.
class DeclIndex {
public:
  explicit DeclIndex(llvm::ArrayRef<clang::Decl *> Decls) : Decls(Decls) {}
  const clang::ValueDecl *find(llvm::StringRef Usr) const;

private:
  llvm::ArrayRef<clang::Decl *> Decls;
  mutable llvm::StringMap<const clang::ValueDecl *> ByUsr; ///< filled at the first question
  mutable bool IsFilled = false;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_PROJECT_DECLNAMES_H
