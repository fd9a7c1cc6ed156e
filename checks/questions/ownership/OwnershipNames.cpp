//===-- OwnershipNames.cpp - Which object an expression names -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/ownership/OwnershipReader.h"

#include "checks/model/ClassNames.h"
#include "checks/questions/ownership/OwnershipReads.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"

using namespace clang;

namespace tensorleak::ownership {

ObjectName Reader::objectOfVar(const ValueDecl &V) {
  auto It = Aliases.find(&V);
  return It == Aliases.end() ? ObjectName(&V) : It->second;
}

/// Some way from \p Earlier leads to the block at hand: what was done there may still hold.
bool Reader::leadsHere(const CFGBlock &Earlier) {
  return &Earlier == Block || Reaches.isReachable(&Earlier, Block);
}

/// What a member points to, or one of its elements: what was put there last, else something
/// that the member has named from the start.
ObjectName Reader::objectOfMember(const MemberExpr &M) {
  const auto *Field = dyn_cast<FieldDecl>(M.getMemberDecl());
  ObjectName Owner =
      Field && keepsOthersAlive(Field->getType()) ? objectOf(M.getBase()) : ObjectName();
  if (!Owner)
    return {};
  bool IsOwn = Owner == ObjectName(&Function);
  const Part FromTheStart{IsOwn ? ObjectName(Field) : ObjectName(&M), Block};
  auto [It, IsFirst] = Parts.try_emplace({Owner.getOpaqueValue(), Field}, FromTheStart);
  if (!IsFirst && !leadsHere(*It->second.Since)) {
    It->second = FromTheStart;
    IsFirst = true;
  }
  const ObjectName Named = It->second.Name;
  if (IsFirst || IsOwn)
    add({OwnershipStep::Links, M.getExprLoc(), Owner, Named, Field, classAround(M),
         Field->getType(), /*IsOld=*/true});
  return Named;
}

/// `*p`, `p->`, `list[i]`, `list.back()`, `std::move(p)`, `shared_from_this()`; and what a call
/// makes that is seen nowhere else.
ObjectName Reader::objectOfCall(const CallExpr &Call) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
  if (Op && followsPointer(*Op))
    return objectOf(Op->getArg(0));
  const Effect *E = effectOf(Call);
  if (E && (E->What == Does::Element || E->What == Does::Forward1))
    return objectOf(objectOrFirst(&Call));
  return isOwningPointer(Call.getType()) ? ObjectName(&Call) : ObjectName(); // std::make_shared
}

ObjectName Reader::objectOf(const Expr *E) {
  E = strip(E);
  if (!E || E->getType().isNull() ||
      !(isPointerToObject(E->getType()) || keepsOthersAlive(E->getType())))
    return {};
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E); Made && Made->getNumArgs() == 1)
    return objectOf(Made->getArg(0)); // one smart pointer from another, or from `new`
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return isa<VarDecl, BindingDecl>(Ref->getDecl()) ? objectOfVar(*Ref->getDecl()) : ObjectName();
  if (isa<CXXThisExpr>(E))
    return &Function;
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf))
    return objectOf(Op->getSubExpr());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return objectOfMember(*M);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return objectOfCall(*Call);
  return isa<CXXNewExpr>(E) ? ObjectName(E) : ObjectName();
}

/// As objectOf(); of a part that stands in an object, that object.
ObjectName Reader::objectAround(const Expr *E) {
  const ObjectName Of = objectOf(E);
  const auto *Part = Of ? nullptr : dyn_cast_or_null<MemberExpr>(strip(E));
  const bool StandsThere = Part && Part->getMemberDecl()->getType()->isRecordType();
  return StandsThere ? objectAround(Part->getBase()) : Of;
}

/// The member that \p E names, or whose element it names.
std::optional<Slot> Reader::slotOf(const Expr *E) {
  E = strip(E);
  if (const auto *Call = dyn_cast_or_null<CallExpr>(E)) {
    const Effect *Of = effectOf(*Call);
    return Of && Of->What == Does::Element ? slotOf(objectOrFirst(Call)) : std::nullopt;
  }
  const auto *M = dyn_cast_or_null<MemberExpr>(E);
  const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  if (!Field || !(keepsOthersAlive(Field->getType()) || holdsFunctions(Field->getType())))
    return std::nullopt;
  return Slot{objectOf(M->getBase()), Field, classAround(*M)};
}

} // namespace tensorleak::ownership
