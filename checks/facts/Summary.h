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
#ifndef TENSORLEAK_CHECKS_FACTS_SUMMARY_H
#define TENSORLEAK_CHECKS_FACTS_SUMMARY_H

#include "checks/facts/Facts.h"

namespace tensorleak {

/// A place as the caller can translate it: a root and the fields below it.
struct RelativePlace {
  enum RootKind : uint8_t { Anything, Param, This, Variable } Root = Anything;
  unsigned ParamIndex = 0;
  const clang::ValueDecl *Var = nullptr;
  llvm::SmallVector<const clang::ValueDecl *, 2> Fields; ///< outermost first

  bool operator==(const RelativePlace &O) const {
    return Root == O.Root && ParamIndex == O.ParamIndex && Var == O.Var && Fields == O.Fields;
  }
};

struct SummaryEffect {
  EventKind Kind;
  RelativePlace Where;
  GraphOut Graph = GraphOut::FromInputs;     ///< of the value that is stored or run
  llvm::SmallVector<unsigned, 2> FromParams; ///< whose values it depends on
  bool Keyed = false, KeyVaries = false, Bounded = false;
  unsigned KeyParam = NoId;  ///< that parameter alone decides the key
  bool Conditional = false;  ///< on some ways through the function only
  bool Repeats = false;      ///< in a loop of the function
  bool RetainsGraph = false; ///< as of the event
  bool FromItself = false;   ///< Store: it is computed from what the place held
  bool WasRun = false;       ///< the graph of what is stored was run backward before
  clang::SourceLocation At;

  bool operator==(const SummaryEffect &O) const {
    return Kind == O.Kind && Where == O.Where && Graph == O.Graph && FromParams == O.FromParams &&
           Keyed == O.Keyed && KeyVaries == O.KeyVaries && KeyParam == O.KeyParam &&
           Bounded == O.Bounded && Conditional == O.Conditional && Repeats == O.Repeats &&
           RetainsGraph == O.RetainsGraph && FromItself == O.FromItself && WasRun == O.WasRun &&
           At == O.At;
  }
};

struct Summary {
  std::vector<SummaryEffect> Effects;
  GraphOut Returned = GraphOut::FromInputs; ///< of a constructor, here and below: its object
  /// What is returned was run backward by itself: its saved tensors are gone.
  bool ReturnedWasRun = false;
  /// Parameters that the result may alias or be computed from.
  llvm::SmallVector<unsigned, 2> ReturnedFrom;
  /// What the reference or pointer that is returned leads to: each place that it may be.
  /// Empty where it may be one that callers do not know.
  llvm::SmallVector<RelativePlace, 1> ReturnedPlaces;
  bool IsIdle = false; ///< nothing happens in the body that analyses look at
};

using SummaryMap = llvm::DenseMap<const clang::FunctionDecl *, Summary>;

/// A function whose body is in another file.
struct ImportedFunction {
  Summary Effects;
  std::vector<unsigned> ParameterFates; ///< Fate bits
  /// It calls what nobody has seen, or does what a summary does not tell.
  bool IsOpen = false;
  /// It runs a network, or computes from parameters what keeps tensors, and nothing backward.
  bool BuildsGraph = false;
};

/// What is known of functions that have no body in this file.
class FunctionsElsewhere {
public:
  virtual ~FunctionsElsewhere() = default;
  /// Null where \p F has a body here, or nothing is known of it.
  virtual const ImportedFunction *function(const clang::FunctionDecl &F) = 0;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_SUMMARY_H
