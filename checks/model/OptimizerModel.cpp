//===-- OptimizerModel.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/OptimizerModel.h"

#include "checks/model/mutation/Mutation.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace tensorleak {

static llvm::StringMap<unsigned> readStates() {
  llvm::StringMap<unsigned> States;
  [[maybe_unused]] auto Add = [&](unsigned Times, llvm::StringRef Classes) {
    llvm::SmallVector<llvm::StringRef, 4> Names;
    Classes.split(Names, ' ');
    for (llvm::StringRef Name : Names)
      if (!mutation::changes("LibTorch", "torch::optim::" + Name))
        States[("torch::optim::" + Name).str()] = Times;
  };
#define OPTIMIZER_STATE(Times, Classes) Add(Times, Classes);
#include "checks/model/LibTorch.def"
  return States;
}

unsigned stateOfOptimizer(QualType T) {
  static const llvm::StringMap<unsigned> States = readStates();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  if (!Class)
    return 0;
  mutation::asked("LibTorch", Class->getQualifiedNameAsString());
  return States.lookup(Class->getQualifiedNameAsString());
}

} // namespace tensorleak
