//===-- GeneratorParts.h - What the generator of resource facts notes down --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Loops over elements, exchanges, new objects and calls, as ResourceGenerator
// hands them from one of its parts to the next.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_GENERATORPARTS_H
#define TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_GENERATORPARTS_H

#include "checks/resources/facts/ResourceFacts.h"
#include "clang/AST/ExprCXX.h"

namespace tensorleak {

/// A loop of which each round is about another element.
struct ElementLoop {
  const clang::Stmt *Begin, *Body;
  unsigned Rounds;                    ///< ManyElements where not known
  unsigned First = 0;                 ///< with which it begins to count
  const clang::Expr *Limit = nullptr; ///< null for that of a range
  int64_t Ahead = 0;                  ///< see CountedLoop
  ElementEnd End = {};
};

/// `std::exchange(p, v)`, whose value is in use: p still has the old one.
struct Exchange {
  const clang::CallExpr *Call;
  PathId Place;
  const clang::Expr *Value;
};

/// An object on the heap that frees nothing, and the constructor or the list that fills it.
struct NewObject {
  const clang::Expr *By; ///< runs the constructor, or has the list
  const clang::CXXConstructorDecl *Run = nullptr;
  llvm::ArrayRef<const clang::Expr *> Arguments = {};
  const clang::InitListExpr *List = nullptr;
};

struct CallShape {
  const clang::Stmt &At;
  const clang::Expr *Call; ///< null for a destructor
  const clang::FunctionDecl &Callee;
  llvm::ArrayRef<const clang::Expr *> Arguments;
  PathId Object; ///< of a method or constructor; may be NoPath
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_FACTS_CALLS_GENERATORPARTS_H
