//===-- TypeInference.h - Shapes along the code -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the dataflow of TensorState.h asks for each value: what does it look like,
// given what its operands look like at that moment?
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_TYPEINFERENCE_H
#define TENSORLEAK_CHECKS_SHAPES_TYPEINFERENCE_H

#include "checks/facts/Facts.h"
#include "checks/facts/leaves/LeafMembers.h"
#include "checks/shapes/OpShapes.h"

namespace tensorleak {

/// What the tensors look like that the functions of the file return, in terms of
/// their own parameters.
using ReturnedTypes = llvm::DenseMap<const clang::FunctionDecl *, TensorType>;

/// Of members, whenever a method of their object begins.
using MemberTypes = llvm::DenseMap<const clang::FieldDecl *, TensorType>;

/// What one function's inference needs of its file.
struct TypeSources {
  Layers &Known;
  const ReturnedTypes &Returned;
  LeafMembers &Leaves;
  /// Modules whose parameters need no gradient; null until all functions were looked at.
  const llvm::DenseSet<const clang::ValueDecl *> *Frozen = nullptr;
  const MemberTypes *Members = nullptr; ///< null where they are not asked for
};

class TypeInference {
public:
  /// The dataflow's answers at the moment.
  struct Now {
    std::function<TensorType(ValueId)> OfValue;
    std::function<TensorType(PlaceId)> OfPlace;
  };

  TypeInference(const FunctionFacts &Facts, clang::ASTContext &Context, ApiModel &Model,
                TypeSources Sources, Now Current);

  /// The result of an API call or of a function of the file.
  TensorType result(const Value &V);
  /// Of a tensor that nothing but its name is known of; nothing for containers.
  TensorType named(PlaceId P);

private:
  TensorType ofApi(const Value &V, llvm::ArrayRef<TensorType> Inputs, const clang::CallExpr &Call);
  TensorType ofModule(const Value &V, llvm::ArrayRef<TensorType> Inputs,
                      const clang::CallExpr &Call);
  TensorType ofFunction(const clang::FunctionDecl *Callee, const clang::CallExpr &Call);
  const clang::FunctionDecl *forwardOf(const clang::Expr &Object,
                                       const clang::CallExpr &Call) const;
  llvm::SmallVector<TensorType, 4> joinedParts(const Value &V);
  TensorType typeOf(const clang::Expr &E);
  std::string spelled(PlaceId P) const;

  const FunctionFacts &Facts;
  ApiModel &Model;
  TypeSources Sources;
  Now Current;
  SizeReader Reader;
  OpShapes Ops;
  llvm::DenseMap<const clang::Expr *, ValueId> ValueOf;
  llvm::DenseMap<PlaceId, TensorType> Names;
};

/// What \p F returns, from the returns that the dataflow reached.
TensorType returnedType(const FunctionFacts &Facts,
                        llvm::function_ref<TensorType(unsigned)> AtEvent);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_TYPEINFERENCE_H
