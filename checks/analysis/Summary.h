//===-- Summary.h - What a call to a function of this file does -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed bottom-up over the file's call graph, so that a summary already
// holds the effects of what the function calls. Places are relative to the
// parameters, the object, globals, and for a lambda the variables it captures.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_SUMMARY_H
#define TENSORLEAK_CHECKS_ANALYSIS_SUMMARY_H

#include "checks/analysis/Facts.h"

namespace tensorleak {

/// A place as the caller can translate it: a root and the fields below it.
struct RelativePlace {
  enum RootKind : uint8_t { Anything, Param, This, Variable } Root = Anything;
  unsigned ParamIndex = 0;
  const clang::ValueDecl *Var = nullptr;
  llvm::SmallVector<const clang::ValueDecl *, 2> Fields; ///< outermost first
};

struct SummaryEffect {
  EventKind Kind;
  RelativePlace Where;
  GraphOut Graph = GraphOut::FromInputs; ///< of the value that is stored or run
  llvm::SmallVector<unsigned, 2> FromParams; ///< whose values it depends on
  bool Keyed = false, KeyVaries = false, Bounded = false;
  clang::SourceLocation At;
};

struct Summary {
  std::vector<SummaryEffect> Effects;
  GraphOut Returned = GraphOut::FromInputs;
  /// What is returned was run backward by itself: its saved tensors are gone.
  bool ReturnedWasRun = false;
  /// Parameters that the result may alias or be computed from.
  llvm::SmallVector<unsigned, 2> ReturnedFrom;
  bool RunsModule = false;
};

using SummaryMap = llvm::DenseMap<const clang::FunctionDecl *, Summary>;

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_SUMMARY_H
