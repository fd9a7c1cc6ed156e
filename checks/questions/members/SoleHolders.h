//===-- SoleHolders.h - Does nobody else hold a tensor? ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function does not see who else refers to what a member or a global held when it
// began, or to what the elements of a list are. The file does, where nothing but the
// holder is ever given what is stored there.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_MEMBERS_SOLEHOLDERS_H
#define TENSORLEAK_CHECKS_QUESTIONS_MEMBERS_SOLEHOLDERS_H

#include "checks/questions/Handles.h"

namespace tensorleak {

class SoleHolders {
public:
  SoleHolders(Unit &U, AllStorages &All) : U(U), All(All) {}

  /// Whether nothing but \p Holder, a member or a variable, refers to its tensor, or to each of its
  /// elements, whenever a function begins; InView, where methods return it, or other files may
  /// name it, and no call in view keeps that.
  Sole isOnlyHandle(const clang::ValueDecl &Holder);
  /// Whether \p V is what \p Holder holds, a view of that, or an object that it is a part of.
  bool isAlias(const FunctionUnit &F, ValueId V, const clang::ValueDecl &Holder);

private:
  Sole compute(const clang::ValueDecl &Holder);
  void findGetters(const clang::ValueDecl &Holder);
  bool isFreshOrItself(const FunctionUnit &F, ValueId V, const clang::ValueDecl &Holder);
  bool isNew(const FunctionUnit &F, ValueId V, const clang::ValueDecl &Holder);
  bool isOwnContent(const FunctionUnit &F, const Event &E, const clang::ValueDecl &Holder);
  bool isHarmless(const FunctionUnit &F, unsigned Event, const clang::ValueDecl &Holder);
  bool staysInCall(const FunctionUnit &F, const Event &E, const clang::ValueDecl &Holder);
  const clang::FunctionDecl *calleeOf(const FunctionUnit &F, ValueId V);

  Unit &U;
  AllStorages &All;
  llvm::DenseMap<const clang::ValueDecl *, Sole> Known;
  /// The functions that return it, by member.
  using Functions = llvm::DenseSet<const clang::FunctionDecl *>;
  llvm::DenseMap<const clang::ValueDecl *, Functions> Getters;
  llvm::DenseMap<const FunctionUnit *, llvm::DenseMap<ValueId, const clang::FunctionDecl *>>
      Callees;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_MEMBERS_SOLEHOLDERS_H
