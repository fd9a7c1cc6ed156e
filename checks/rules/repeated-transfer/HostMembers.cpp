//===-- HostMembers.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/repeated-transfer/HostMembers.h"

#include "checks/rules/repeated-transfer/Devices.h"
#include "checks/rules/repeated-transfer/Memory.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class HostMember {
public:
  HostMember(Unit &U, const FieldDecl &Member) : U(U), Member(Member) {}
  bool stays();

private:
  bool isMadeOnHost(const Expr &E, const FunctionFacts &Around);
  bool isStoredOnHost(const FunctionFacts &Maker, const Event &Store);
  bool isHarmless(const FunctionFacts &Facts, const Event &E);

  Unit &U;
  const FieldDecl &Member;
  bool IsMade = false; ///< a constructor in view puts something there
};

/// An initializer in the class: functions of LibTorch make it of numbers, on the host.
bool HostMember::isMadeOnHost(const Expr &E, const FunctionFacts &Around) {
  return !anyBelow(&E, [&](const Stmt &S) {
    if (const auto *Part = dyn_cast<Expr>(&S); Part && isa<DeclRefExpr, MemberExpr>(Part))
      return U.model().holdsTensors(Part->getType());
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (!Call || !U.model().holdsTensors(Call->getType()))
      return false;
    const FunctionDecl *Callee = Call->getDirectCallee();
    auto Known = Callee ? U.model().effectOf(*Callee) : std::nullopt;
    return !Known || Known->has(ToDevice) ||
           deviceNamedIn(*Call, Around).value_or(DeviceKind::Host) != DeviceKind::Host;
  });
}

bool HostMember::isStoredOnHost(const FunctionFacts &Maker, const Event &Store) {
  if (Store.Val != NoId)
    return isOnHost(U, Maker, Store.Val);
  const Expr *Default = Member.getInClassInitializer();
  const auto *Init = dyn_cast<Expr>(Store.At);
  if (!Init || !isa<CXXDefaultInitExpr>(Init))
    return Store.Declares; // nothing yet
  return Default && isMadeOnHost(*Default, Maker);
}

/// \p E leaves the member as it is, or is how a constructor makes it.
bool HostMember::isHarmless(const FunctionFacts &Facts, const Event &E) {
  if (E.Place == NoId || Facts.Places[E.Place].Decl != &Member || !events::mayChange(E.Kind) ||
      fillsNewObject(E)) // as the constructor itself shows
    return true;
  const auto *Maker = dyn_cast<CXXConstructorDecl>(Facts.Function);
  const bool IsMaking = Maker && Maker->getParent() == Member.getParent() &&
                        E.Kind == EventKind::Store && !E.Callee && E.In == NoId;
  if (!IsMaking || !isStoredOnHost(Facts, E))
    return false;
  IsMade = true;
  return true;
}

bool HostMember::stays() {
  if (!U.isSeenWhole(Member) || U.functions().empty())
    return false;
  for (const FunctionUnit &F : U.functions()) {
    if (givesMemoryOf(*F.Facts, Member, U.model()))
      return false;
    for (const Event &E : F.Facts->Events)
      if (!isHarmless(*F.Facts, E))
        return false;
  }
  const Expr *Default = Member.getInClassInitializer();
  return IsMade || (Default && isMadeOnHost(*Default, *U.functions().front().Facts));
}

} // namespace

TensorType madeAs(Unit &U, const FieldDecl &Member) {
  TensorType Made;
  bool IsFirst = true;
  for (const FunctionUnit &F : U.functions())
    for (unsigned I = 0; I < F.Facts->Events.size(); ++I) {
      const Event &E = F.Facts->Events[I];
      if (E.Kind != EventKind::Store || E.Val == NoId || E.Callee || E.In != NoId ||
          !isa<CXXConstructorDecl>(F.Facts->Function) || F.Facts->Places[E.Place].Decl != &Member)
        continue;
      const TensorType &Here = F.State.AtEvent[I].Info.Type;
      if (std::exchange(IsFirst, false))
        Made = Here;
      else
        joinType(Made, Here);
    }
  return Made;
}

bool staysOnHost(Unit &U, const FieldDecl &Member) { return HostMember(U, Member).stays(); }

} // namespace tensorleak
