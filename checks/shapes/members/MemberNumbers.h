//===-- MemberNumbers.h - What integer members are made with ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `struct Config { int64_t height = 8192; };`: from the places in the file that give
// a member its value to the expressions that they give. Looked for once, when first asked.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_SHAPES_MEMBERS_MEMBERNUMBERS_H
#define TENSORLEAK_CHECKS_SHAPES_MEMBERS_MEMBERNUMBERS_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorleak {

/// An expression, and the function that it is in; null where it is in none.
struct Origin {
  const clang::Expr *E;
  const clang::FunctionDecl *In;
};

/// The values that objects are made with, of the integer members of classes in the main file:
/// other files cannot write these.
class MemberNumbers {
public:
  /// \p Decls are those of the user, \p Functions the bodies below them.
  MemberNumbers(llvm::ArrayRef<clang::Decl *> Decls,
                llvm::ArrayRef<const clang::FunctionDecl *> Functions)
      : Decls(Decls), Functions(Functions) {}

  /// All that an object may have in \p Member from when it is made to its end; empty where
  /// something in the file may write the member, or where some object is made without a value.
  llvm::ArrayRef<Origin> originsOf(const clang::FieldDecl &Member);

private:
  void collect();
  void collectConstructor(const clang::CXXConstructorDecl &Constructor);
  void collectIn(const clang::Stmt *S, const clang::FunctionDecl *In, bool IsRead);
  void collectBindings(const clang::Stmt &S);
  void collectBraces(const clang::Stmt &S, const clang::FunctionDecl *In);
  void add(const clang::FieldDecl &Member, const clang::Expr *E, const clang::FunctionDecl *In);
  bool isWritten(const clang::FieldDecl &Member) const;

  llvm::ArrayRef<clang::Decl *> Decls;
  llvm::ArrayRef<const clang::FunctionDecl *> Functions;
  bool IsCollected = false;
  llvm::DenseMap<const clang::FieldDecl *, llvm::SmallVector<Origin, 1>> MadeBy;
  llvm::DenseSet<const clang::FieldDecl *> Written;
  llvm::DenseSet<const clang::TagDecl *> WrittenAsBytes;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_SHAPES_MEMBERS_MEMBERNUMBERS_H
