//===-- ResourceSwaps.cpp - Pointers that change places -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `std::swap(a, b)`, and the same written out: `t = a; a = b; b = t;`, of two places or more.
// What is allocated stays as much as it was, which single stores would not tell.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/source/Statements.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;

namespace tensorleak {

namespace {

/// `To = From`, or the variable \p To that begins with it.
struct Move {
  const Expr *To = nullptr;
  const VarDecl *Variable = nullptr; ///< of the function's own
  const Expr *From = nullptr;
};

} // namespace

static const VarDecl *localOf(const Expr *E) {
  const auto *Ref = E ? dyn_cast<DeclRefExpr>(bare(E)) : nullptr;
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && V->hasLocalStorage() ? V : nullptr;
}

static std::optional<Move> moveOf(const Stmt &S) {
  if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    const auto *V = D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    bool IsPointer = V && V->getType()->isPointerType() && V->hasLocalStorage() && V->getInit();
    return IsPointer ? std::optional(Move{nullptr, V, V->getInit()}) : std::nullopt;
  }
  const auto *E = dyn_cast<Expr>(&S);
  const auto *B = E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
  if (!B || B->getOpcode() != BO_Assign || !B->getLHS()->getType()->isPointerType())
    return std::nullopt;
  return Move{B->getLHS(), localOf(B->getLHS()), B->getRHS()};
}

static bool areSame(const Expr &A, const Expr &B, const ASTContext &Context) {
  llvm::FoldingSetNodeID OfA, OfB;
  bare(&A)->Profile(OfA, Context, /*Canonical=*/true);
  bare(&B)->Profile(OfB, Context, /*Canonical=*/true);
  return OfA == OfB;
}

/// Finds the statements between that which saves one place and that which puts it into the last.
void ResourceGenerator::findRotation(const CompoundStmt &Block) {
  const Stmt *const *End = Block.body_end();
  for (const Stmt *const *First = Block.body_begin(); First != End; ++First) {
    auto Saved = moveOf(**First);
    if (!Saved || !Saved->Variable)
      continue;
    llvm::SmallVector<const Expr *, 2> Places{Saved->From};
    for (const Stmt *const *Next = First + 1; Next != End; ++Next) {
      auto Here = moveOf(**Next);
      if (!Here || !Here->To || !areSame(*Here->To, *Places.back(), Context))
        break;
      if (localOf(Here->From) != Saved->Variable) {
        Places.push_back(Here->From);
        continue;
      }
      if (Places.size() < 2)
        break;
      for (const Stmt *const *Part = First + 1; Part != Next; ++Part)
        Rotations[cast<Expr>(*Part)->IgnoreParens()];
      Rotations[cast<Expr>(*Next)->IgnoreParens()] = Places;
      First = Next;
      break;
    }
  }
}

/// Whether \p S is a part of one, and what the part does, if anything, is written down.
bool ResourceGenerator::visitRotation(const Stmt &S) {
  auto It = Rotations.find(&S);
  if (It == Rotations.end())
    return false;
  Operand Places;
  for (const Expr *E : It->second)
    if (PathId P = pathOf(E); P != NoPath)
      Places.push_back({Atom::Load, P});
  if (Places.empty())
    return true;
  ResourceEvent &Turn = emit(ResourceEventKind::Rotate, S);
  Turn.Path = pathOf(cast<BinaryOperator>(S).getRHS());
  Turn.Value = std::move(Places);
  return true;
}

/// `todo.swap(all)`, with a container of the function's own: each has what the other had, and what
/// outlives the function has lost what it held before. Of others, what they had is anywhere now.
void ResourceGenerator::swapElements(const Stmt &At, PathId A, PathId B) {
  if (A == NoPath || B == NoPath || Out->isOwnStorage(A) == Out->isOwnStorage(B)) {
    emitTree(At, A);
    emitTree(At, B);
    return;
  }
  const PathId Own = Out->isOwnStorage(A) ? A : B, Lasting = Own == A ? B : A;
  for (auto [To, From] : {std::pair(Lasting, Own), std::pair(Own, Lasting)}) {
    ResourceEvent &Copy = emit(ResourceEventKind::CopyTree, At);
    Copy.Path = To;
    Copy.From = From;
  }
  emit(ResourceEventKind::Remove, At).Path = Out->Paths.extend(Lasting, Step::elem());
}

bool isMovedByMember(const CXXRecordDecl *Class) {
  Class = Class ? Class->getDefinition() : nullptr;
  if (!Class || Class->isInStdNamespace() || Class->getNumBases() > 0 ||
      Class->hasUserDeclaredCopyConstructor() || Class->hasUserDeclaredCopyAssignment() ||
      Class->hasUserDeclaredMoveConstructor() || Class->hasUserDeclaredMoveAssignment() ||
      Class->hasUserDeclaredDestructor())
    return false;
  return llvm::all_of(Class->fields(), [](const FieldDecl *Member) {
    const QualType T = Member->getType();
    const CXXRecordDecl *Part = T->getAsCXXRecordDecl();
    return T->isPointerType() || T->isArithmeticType() || T->isEnumeralType() ||
           (Part &&
            (Part->isInStdNamespace() ? Part->getName() == "basic_string" : isMovedByMember(Part)));
  });
}

void ResourceGenerator::forEachHandle(const RecordDecl &Class, PathId A, PathId B,
                                      llvm::function_ref<void(PathId, PathId)> Visit) {
  for (const FieldDecl *Member : Class.getDefinition()->fields()) {
    const PathId OfA = Out->Paths.extend(A, Step::field(*Member));
    const PathId OfB = Out->Paths.extend(B, Step::field(*Member));
    const auto *Part = Member->getType()->getAsCXXRecordDecl();
    if (mayBeHandle(Member->getType()))
      Visit(OfA, OfB);
    else if (Part && !Part->isInStdNamespace())
      forEachHandle(*Part, OfA, OfB, Visit);
  }
}

bool ResourceGenerator::visitSwap(const CallExpr &Call, Args Arguments) {
  const bool IsSwap = callsStd(Call, "swap") && Arguments.size() == 2;
  const PathId First = IsSwap ? pathOf(Arguments[0]) : NoPath;
  const PathId Second = IsSwap ? pathOf(Arguments[1]) : NoPath;
  if (First == NoPath || Second == NoPath)
    return false;
  const QualType Type = Arguments[0]->getType();
  const auto *Class = Type->getAsCXXRecordDecl();
  if (isContainer(Type))
    swapElements(Call, First, Second);
  else if (isMovedByMember(Class))
    forEachHandle(*Class, First, Second, [&](PathId A, PathId B) {
      emitValue(ResourceEventKind::Rotate, Call, {{Atom::Load, A}, {Atom::Load, B}});
    });
  else if (Type->isPointerType())
    emitValue(ResourceEventKind::Rotate, Call, {{Atom::Load, First}, {Atom::Load, Second}});
  else
    return false;
  return true;
}

/// `old = std::exchange(p, v)`: p gets its value when the statement around has used the old one.
bool ResourceGenerator::visitExchange(const CallExpr &Call, Args Arguments) {
  bool IsExchange = callsStd(Call, "exchange") && Arguments.size() == 2 &&
                    !Arguments[0]->getType()->isRecordType();
  PathId Place = IsExchange ? pathOf(Arguments[0]) : NoPath;
  if (Place == NoPath)
    return false;
  if (Discarded.count(&Call)) {
    assign(Call, Place, *Arguments[1]);
    return true;
  }
  Results[&Call] = {{Atom::Load, Place}};
  Exchanges.push_back({&Call, Place, Arguments[1]});
  return true;
}

/// \p S does something with the values of its parts, rather than to hand them on.
static bool usesValues(const Stmt &S) {
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    return !yieldsItsArgument(*Call) && !yieldedAtOnce(*Call);
  const auto *Op = dyn_cast<BinaryOperator>(&S);
  return !isa<Expr>(S) || (Op && Op->isAssignmentOp()) ||
         isa<CXXConstructExpr, CXXDeleteExpr, CXXNewExpr>(S);
}

/// A box that is made of the values, `std::make_unique<T *>(std::exchange(p, v))`, has them only
/// where the variable gets it.
void ResourceGenerator::endExchangesIn(const Stmt &S) {
  const auto *E = dyn_cast<Expr>(&S);
  const bool MakesBox = E && makesFollowedBox(*E);
  const bool IsOne = llvm::any_of(Exchanges, [&](const Exchange &Each) { return Each.Call == &S; });
  if (!IsOne && !MakesBox && usesValues(S))
    endExchanges(S);
}

/// \p User has used the old values of the exchanges in it.
void ResourceGenerator::endExchanges(const Stmt &User) {
  for (const Exchange &Each : llvm::reverse(Exchanges)) // an outer one has the value of an inner
    if (contains(&User, Each.Call))
      assign(User, Each.Place, *Each.Value);
  llvm::erase_if(Exchanges, [&](const Exchange &Each) { return contains(&User, Each.Call); });
}

/// Only one of several ways comes by those that are left: `c ? std::exchange(p, nullptr) : q`.
void ResourceGenerator::leaveExchanges() {
  for (const Exchange &Each : llvm::reverse(Exchanges)) {
    emitValue(ResourceEventKind::Escape, *Each.Call, {{Atom::Load, Each.Place}});
    assign(*Each.Call, Each.Place, *Each.Value);
  }
  Exchanges.clear();
}

void ResourceGenerator::applyRotations(const CallShape &C, const ResourceSummary &S) {
  for (const std::vector<RelativeResourcePath> &Turn : S.Rotates) {
    Operand Places;
    for (const RelativeResourcePath &P : Turn)
      for (const Atom &A : translateValue(C, P))
        Places.push_back(A);
    if (Places.empty())
      continue;
    emitValue(ResourceEventKind::Rotate, C.At, std::move(Places));
    Events->back().ByCallee = true;
  }
}

} // namespace tensorleak
