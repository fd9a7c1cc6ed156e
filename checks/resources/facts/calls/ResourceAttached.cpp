//===-- ResourceAttached.cpp - What is attached to memory --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A registration belongs to memory that was there before, and does not end with it:
// cudaHostRegister on the elements of a vector outlives the vector.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

using namespace clang;

namespace tensorleak {

/// `base + used`, or a constant of that value: a part of what the variable names, and another one
/// each time.
static bool isWithinAnother(const Expr &Arg) {
  const Expr *Address = bare(&Arg);
  const auto *Ref = dyn_cast<DeclRefExpr>(Address);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (V && V->isLocalVarDecl() && V->getType().isConstQualified() && V->getInit())
    Address = bare(V->getInit());
  const auto *Sum = dyn_cast<BinaryOperator>(Address);
  return Sum && Sum->isAdditiveOp();
}

/// `all[0]` and `all.front()`, of which the address is that of all elements.
static const Expr *containerOfFirst(const Expr &Element, const ASTContext &Context) {
  const auto *Call = dyn_cast<CallExpr>(&Element);
  const auto *Method = Call ? dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()) : nullptr;
  if (!Method || !Call->getType()->isObjectType() || !isOfStandardClass(*Method))
    return nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    return Member->getNumArgs() == 0 ? Member->getImplicitObjectArgument() : nullptr;
  const bool IsFirst = Call->getNumArgs() == 2 && constantIn(Context, Call->getArg(1)) == 0;
  return IsFirst && isContainer(Call->getArg(0)->getType()) ? Call->getArg(0) : nullptr;
}

/// `all.data()`, `owner.get()`, and `file.data()` of a class of the user's: the object.
static const Expr *ownerOfElements(const Expr &Pointer, const ASTContext &Context) {
  const auto *Address = dyn_cast<UnaryOperator>(&Pointer);
  if (Address && Address->getOpcode() == UO_AddrOf)
    return containerOfFirst(*bare(Address->getSubExpr()), Context);
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&Pointer);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  const bool IsAccess = Method && Call->getNumArgs() == 0 && Call->getType()->isPointerType();
  return IsAccess ? Call->getImplicitObjectArgument() : nullptr;
}

/// Where the memory that \p Arg points to is named.
Operand ResourceGenerator::attachedAt(const Expr &Arg) {
  if (const Expr *Owner = ownerOfElements(*bare(&Arg), Context)) {
    const QualType Type =
        Owner->getType()->isPointerType() ? Owner->getType()->getPointeeType() : Owner->getType();
    PathId P = mayDetachAtEnd(Type) ? NoPath : pathOfObject(Owner);
    return P == NoPath ? Operand() : Operand{{Atom::Load, Out->Paths.extend(P, Step::data())}};
  }
  Operand Named = operand(&Arg);
  for (Atom &A : Named) // an array has no pointer of its own
    if (A.What == Atom::Address) {
      const bool IsOfArray = Out->Paths.last(A.Id).What == Step::Elem;
      A = {Atom::Load, IsOfArray ? Out->Paths.extend(Out->Paths.parent(A.Id), Step::data()) : A.Id};
    }
  return Named;
}

void ResourceGenerator::attach(const CallExpr &Call, const ResourceEffect &E) {
  const Expr &Arg = *Call.getArg(E.Argument);
  if (isWithinAnother(Arg))
    return;
  SiteId Id = addSite({E.Kind_, &Call, {}, std::nullopt, false});
  Out->Sites[Id].Attached = true;
  Out->Statuses[&Call].Sites.push_back(Id);
  Operand Memory = attachedAt(Arg);
  ResourceEvent &Taken = emit(ResourceEventKind::Acquire, Call);
  Taken.Site = Id;
  if (!Memory.empty() && Memory.front().What == Atom::Load)
    Taken.Path = Memory.front().Id;
  Taken.Accepts = 1; // joins what the path holds instead of replacing it
}

} // namespace tensorleak
