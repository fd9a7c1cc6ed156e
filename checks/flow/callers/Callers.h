//===-- Callers.h - Is a function seen where it is called? ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FLOW_CALLERS_CALLERS_H
#define TENSORLEAK_CHECKS_FLOW_CALLERS_CALLERS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// The body of \p F stands in the graphs of all of its callers, \p All of a file: what it does
/// to what it is given is told there.
bool isInAllCallers(llvm::ArrayRef<FunctionUnit> All, const FunctionUnit &F);

/// A call of a function, as its caller's event.
struct CallInView {
  const FunctionUnit &Caller;
  unsigned Index;
  const Event &event() const { return Caller.Facts->Events[Index]; }
};

/// The calls of \p F by functions of \p All, each once: not again where the body that it stands in
/// is repeated in the graph of another function.
std::vector<CallInView> callsInView(llvm::ArrayRef<FunctionUnit> All, const clang::FunctionDecl &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FLOW_CALLERS_CALLERS_H
