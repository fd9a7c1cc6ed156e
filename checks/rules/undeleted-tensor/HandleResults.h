//===-- HandleResults.h - Tensors that C functions compute and return -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind a C API a tensor is a pointer, and no destructor runs for it. A factory
// (`tensor_zeros(n)`) is called for its result. An operator (`tensor_add(a, b)`) is also
// nested in other calls and assigned over, and then nobody has the pointer any more.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_HANDLERESULTS_H
#define TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_HANDLERESULTS_H

#include "checks/flow/Unit.h"
#include "clang/AST/ExprCXX.h"

namespace tensorleak {

/// A function with C linkage that reads a tensor behind a pointer that it is given, computes
/// another and returns it as a new object.
struct HandleResult {
  const clang::FunctionDecl *Function;
  const clang::CXXNewExpr *New;                       ///< the object that is returned
  llvm::SmallVector<const clang::Expr *, 2> Computed; ///< the operators, in the order of the code
};

/// Those of the file that nothing in it calls, in the order of the code.
std::vector<HandleResult> findHandleResults(Unit &U);

/// A function with C linkage that deletes the tensor it is given; null for none in this file.
const clang::FunctionDecl *findHandleDeleter(Unit &U);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNDELETED_TENSOR_HANDLERESULTS_H
