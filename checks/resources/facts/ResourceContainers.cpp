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

static bool isPlain(QualType T) { return T->isPointerType() || freesNothing(T); }

static bool holdsPlainly(const CXXRecordDecl &Container) {
  auto Held = typeArguments(Container);
  return !Held.empty() && isPlain(Held.front());
}

/// `all.data()`: the address of some element, where these hold pointers.
PathId ResourceGenerator::pathOfElements(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getReturnType()->isPointerType() ||
      !isContainer(Call->getImplicitObjectArgument()->getType()) ||
      !holdsPlainly(*Method->getParent()))
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

/// Whether \p Call only puts something into a container, or a container into another.
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
  const bool IsList = isa<InitListExpr>(bare(&Arg));
  bool IsFollowed = Arg.getType()->isPointerType() || IsList || pathOf(&Arg) != NoPath;
  if (!E || E->What != Does::Grow || !holdsPlainly(*Method->getParent()) ||
      !isPlain(Arg.getType()) || !IsFollowed)
    return false;
  assign(Call, Out->Paths.extend(Object, Step::elem()), Arg);
  return true;
}

} // namespace tensorleak
