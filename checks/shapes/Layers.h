//===-- Layers.h - Which layer a variable or member holds ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fc = register_module("fc", Linear(784, 64))`: from the one place in the file
// that makes the layer to its options. Looked for once, when first asked.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_LAYERS_H
#define TENSORLEAK_CHECKS_SHAPES_LAYERS_H

#include "checks/shapes/LayerShapes.h"
#include "checks/shapes/members/MemberNumbers.h"

namespace tensorleak {

class Layers {
public:
  Layers(clang::ASTContext &Context, ApiModel &Model, llvm::ArrayRef<clang::Decl *> Decls,
         llvm::ArrayRef<const clang::FunctionDecl *> Functions)
      : Context(Context), Model(Model), Functions(Functions), Members(Decls, Functions) {}

  /// What \p D holds; null where that is made in no place or in several, or is no
  /// layer of LibTorch's.
  const Layer *find(const clang::ValueDecl &D);
  /// What the options object \p E says, for an op or layer of \p Kind.
  Layer readOptions(const LayerKind &Kind, const clang::Expr &E, SizeReader &Reader);
  /// The number that all who construct an object give for a parameter of its constructor, or for
  /// a member, in the file that has its class.
  Dim givenFor(const clang::ValueDecl &ParamOrMember);
  /// The file gives the parameters of some module another dtype.
  bool convertsDtype();

private:
  using Exprs = llvm::SmallVector<const clang::Expr *, 2>;
  struct Made {
    llvm::SmallVector<Origin, 1> By;
    llvm::SmallVector<Origin, 2> Appended;
    bool AppendsVary = false; ///< in a loop or under a condition
  };

  /// The arguments of a construction, and the function that it is in.
  struct Construction {
    Exprs Args;
    const clang::FunctionDecl *In;
  };

  void collect();
  void collectIn(const clang::Stmt *S, const clang::FunctionDecl &F, bool Varies);
  void collectCall(const clang::CallExpr &Call, const clang::FunctionDecl &F, bool Varies);
  void collectConstruction(const clang::Expr &E, const clang::FunctionDecl &F);
  SizeReader readerOf(const clang::FunctionDecl *In);
  std::vector<Origin> givers(const clang::ParmVarDecl &Param);
  Dim sameNumber(llvm::ArrayRef<Origin> By);
  void addOrigin(const clang::ValueDecl &D, const clang::Expr &E, const clang::FunctionDecl *In);
  Layer read(const clang::ValueDecl &D);
  Layer read(const clang::Expr &E, const clang::FunctionDecl *In, unsigned Depth);
  Layer readMade(const clang::Expr &Type, Exprs Args, const clang::FunctionDecl *In,
                 unsigned Depth);
  Layer readModules(Layer Out, const Exprs &Args, const clang::FunctionDecl *In, unsigned Depth);
  bool isEmpty(const clang::Expr &E);

  clang::ASTContext &Context;
  ApiModel &Model;
  llvm::ArrayRef<const clang::FunctionDecl *> Functions;
  bool IsCollected = false;
  bool Converts = false;
  llvm::DenseMap<const clang::ValueDecl *, Made> MadeFor;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<Construction>> Constructions;
  MemberNumbers Members;
  llvm::DenseMap<const clang::ValueDecl *, Dim> GivenFor;
  llvm::DenseMap<const clang::ValueDecl *, std::unique_ptr<Layer>> Known;
};

/// The variable or member behind `fc`, `fc->`, `*fc`, `this->fc`; null for others.
const clang::ValueDecl *moduleDecl(const clang::Expr *E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_LAYERS_H
