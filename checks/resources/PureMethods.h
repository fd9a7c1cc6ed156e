//===-- PureMethods.h - What calls of pure virtual methods may run --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A class of the file itself can have no children elsewhere:
// what overrides its pure virtual methods is all in view.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_PUREMETHODS_H
#define TENSORLEAK_CHECKS_RESOURCES_PUREMETHODS_H

#include "checks/resources/facts/ResourceFacts.h"
#include "clang/AST/DeclCXX.h"

namespace tensorleak {

class PureMethods {
public:
  explicit PureMethods(llvm::ArrayRef<const clang::FunctionDecl *> All);
  /// \p F does what \p S says. A pure method gets a summary once all that overrides it has one:
  /// that of the only one, or one that says nothing where none of them says anything.
  void add(const clang::FunctionDecl &F, const ResourceSummary &S, ResourceSummaries &Summaries);

private:
  struct Overriders {
    unsigned Count = 0, Seen = 0;
    bool AreQuiet = true;
  };
  llvm::DenseMap<const clang::CXXMethodDecl *, Overriders> Pure; ///< canonical
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_PUREMETHODS_H
