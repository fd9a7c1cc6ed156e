//===-- SizeReader.h - What an integer expression says of a size -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers, and symbols for what is the same wherever the function reads it: a
// parameter or variable that is never changed, a member that the function does
// not write, a dimension of a tensor. For all else: nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_SIZEREADER_H
#define TENSORLEAK_CHECKS_SHAPES_SIZEREADER_H

#include "checks/model/ApiModel.h"
#include "checks/shapes/Shapes.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace tensorleak {

class SizeReader {
public:
  /// What the tensor expression is at the moment that the reader is asked.
  using TypeOf = std::function<TensorType(const clang::Expr &)>;

  /// Reads expressions of \p In; null: of no function.
  SizeReader(clang::ASTContext &Context, ApiModel &Model, const clang::FunctionDecl *In,
             TypeOf Types)
      : Context(Context), Model(Model), In(In), Types(std::move(Types)) {}

  /// What is known from outside of the function: of a constructor's parameter, of a member.
  using Constructed = std::function<Dim(const clang::ValueDecl &)>;
  void setConstructed(Constructed Outside) { FromOutside = std::move(Outside); }

  /// A body beside that of the function, whose parameters are \p Given by a call in it.
  void addBody(const clang::FunctionDecl &Body, llvm::ArrayRef<const clang::Expr *> Given);

  Dim size(const clang::Expr *E);
  /// As size, of what is given as one number, in braces, or as `x.sizes()`.
  std::optional<DimList> sizes(const clang::Expr *E);
  std::optional<int64_t> number(const clang::Expr *E);

  /// The symbol for a variable or member, or for a part of it.
  const Symbol &symbolFor(const void *Root, int Part, llvm::StringRef Text);
  /// A tensor of which only the name is known: `x.numel()` elements.
  ShapeRef shapeOfNamed(const void *Root, llvm::StringRef Name);
  /// Dimension \p Index of \p T; a symbol where only the tensor's name is known.
  Dim dimension(const TensorType &T, int64_t Index);
  /// Whether \p V has the value that it is made with wherever the function reads it.
  bool isUnchanged(const clang::VarDecl &V);
  clang::ASTContext &context() const { return Context; }
  ApiModel &model() const { return Model; }

private:
  Dim ofBinary(const clang::BinaryOperator &B);
  Dim ofVariable(const clang::VarDecl &V);
  Dim ofMember(const clang::MemberExpr &M);
  Dim ofCall(const clang::CallExpr &Call);
  Dim opaque(const clang::Expr &E);
  Dim ofArgument(const clang::VarDecl &V);
  bool isWritten(const clang::ValueDecl &Field) { return writes().Targets.count(&Field); }

  /// What the function assigns to, and where first. Only its body is looked at: a parent map
  /// of the whole file costs seconds.
  struct Writes {
    llvm::DenseMap<const clang::ValueDecl *, clang::SourceLocation> Targets;
    llvm::DenseSet<const clang::ValueDecl *> MayChange; ///< in any way, assigned or not
    llvm::DenseSet<const clang::VarDecl *> DeclaredInLoop;
    void add(const clang::Expr *Target);
    void collect(const clang::Stmt *S, bool InLoop);
    void collectChanges(const clang::Stmt *S, bool IsRead);
    void handBack(const clang::FunctionDecl &Body, llvm::ArrayRef<const clang::Expr *> Given);
    llvm::DenseSet<const clang::Stmt *> Given; ///< what parameters of bodies stand for
  };
  const clang::Expr *givenTo(const clang::VarDecl &V) const;
  bool isOfBody(const clang::VarDecl &V) const;
  const Writes &writes();

  clang::ASTContext &Context;
  ApiModel &Model;
  const clang::FunctionDecl *In;
  std::vector<std::pair<const clang::FunctionDecl *, llvm::SmallVector<const clang::Expr *, 4>>>
      Bodies; ///< the outer ones first
  TypeOf Types;
  Constructed FromOutside;
  std::optional<Writes> Written;
};

/// The braces of `{2, 3}` inside what the compiler made of them.
const clang::InitListExpr *bracesIn(const clang::Stmt *S);

/// \p E without conversions to classes that take one value, such as Scalar.
const clang::Expr *unwrap(const clang::Expr *E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_SIZEREADER_H
