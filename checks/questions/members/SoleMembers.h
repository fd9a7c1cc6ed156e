//===-- SoleMembers.h - Is a member the only handle on its tensor? ---------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A method does not see who else refers to what a member held when it began. The
// file does, where nothing but the member is ever given what is stored there.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_QUESTIONS_MEMBERS_SOLEMEMBERS_H
#define TENSORLEAK_CHECKS_QUESTIONS_MEMBERS_SOLEMEMBERS_H

#include "checks/questions/Handles.h"

namespace tensorleak {

class SoleMembers {
public:
  SoleMembers(Unit &U, AllStorages &All) : U(U), All(All) {}

  /// Whether nothing but \p Member refers to its tensor whenever a method begins; InView, where
  /// methods return it, and no call in view keeps that.
  Sole isOnlyHandle(const clang::FieldDecl &Member);
  /// Whether \p V is what \p Member holds, a view of that, or an object that it is a part of.
  bool isAlias(const FunctionUnit &F, ValueId V, const clang::FieldDecl &Member);

private:
  Sole compute(const clang::FieldDecl &Member);
  void findGetters(const clang::FieldDecl &Member);
  bool isFreshOrItself(const FunctionUnit &F, ValueId V, const clang::FieldDecl &Member);
  bool isHarmless(const FunctionUnit &F, unsigned Event, const clang::FieldDecl &Member);
  bool staysInCall(const FunctionUnit &F, const Event &E, const clang::FieldDecl &Member);
  const clang::FunctionDecl *calleeOf(const FunctionUnit &F, ValueId V);

  Unit &U;
  AllStorages &All;
  llvm::DenseMap<const clang::FieldDecl *, Sole> Known;
  /// The functions that return it, by member.
  using Functions = llvm::DenseSet<const clang::FunctionDecl *>;
  llvm::DenseMap<const clang::FieldDecl *, Functions> Getters;
  llvm::DenseMap<const FunctionUnit *, llvm::DenseMap<ValueId, const clang::FunctionDecl *>>
      Callees;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_QUESTIONS_MEMBERS_SOLEMEMBERS_H
