//===-- ResourceContainers.cpp - Resources in containers of the library -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A container of plain pointers holds what they point to as an array does, and frees none of
// it. Which element a pointer is put into is not followed.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"

using namespace clang;

namespace tensorleak {

static bool isContainer(QualType T) {
  T = T.getNonReferenceType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && isLibraryContainer(*Class) && boxKind(T) == BoxKind::None && !isOwningPointer(T);
}

static bool holdsPlainPointers(const CXXRecordDecl &Container) {
  auto Held = typeArguments(Container);
  return !Held.empty() && Held.front()->isPointerType();
}

/// `all.data()`: the address of some element, where these are pointers themselves.
PathId ResourceGenerator::pathOfElements(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getReturnType()->isPointerType() ||
      !isContainer(Call->getImplicitObjectArgument()->getType()) ||
      !holdsPlainPointers(*Method->getParent()))
    return NoPath;
  PathId All = pathOf(Call->getImplicitObjectArgument());
  return All == NoPath ? NoPath : Out->Paths.extend(All, Step::elem());
}

/// Whoever gets an iterator may free what the elements point to; operators do not.
bool ResourceGenerator::passIterator(const Expr &At, const Expr &Arg) {
  PathId Element = isa<CXXOperatorCallExpr>(At) ? NoPath : elementOf(Arg);
  if (Element == NoPath)
    return false;
  emitValue(ResourceEventKind::Escape, At, {{Atom::Load, Element}});
  emitTree(At, Element);
  return true;
}

/// Whether \p Call only puts a pointer into a container, or a container into another.
bool ResourceGenerator::visitContainerCall(const CallExpr &Call, PathId Object, Args Arguments) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (Object == NoPath || !Method || Arguments.size() != 1 ||
      !isContainer(Method->getFunctionObjectParameterType()))
    return false;
  const Expr &Arg = *Arguments.front();
  if (isContainer(Arg.getType())) {
    bool Copies = Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator();
    if (Copies && pathOf(&Arg) != NoPath)
      assign(Call, Object, Arg);
    else
      emitTree(Call, Object); // `a.swap(b)`
    return Copies;
  }
  auto E = Api.effectOf(*Method);
  if (!E || E->What != Does::Grow || !holdsPlainPointers(*Method->getParent()) ||
      !Arg.getType()->isPointerType())
    return false;
  ResourceEvent &Store = emit(ResourceEventKind::Assign, Call);
  Store.Path = Out->Paths.extend(Object, Step::elem());
  Store.Value = operand(&Arg);
  return true;
}

} // namespace tensorleak
