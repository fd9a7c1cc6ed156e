//===-- ResourceBoxes.cpp - Resources in optionals, tuples and the like -----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer in a box is held like one in a variable: no destructor of the library frees it. A
// box whose objects have destructors of their own is not followed, they may.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceBoxes.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Functions.h"

using namespace clang;

namespace tensorleak {

/// A container of the library's that frees nothing but its own memory.
static bool isQuietContainer(const CXXRecordDecl &R, QualType T) {
  return isLibraryContainer(R) && boxKind(T) == BoxKind::None && !isOwningPointer(T) &&
         endsQuietly(T);
}

bool isVariantType(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && isVariant(*R);
}

bool isFollowedBox(QualType T) {
  return (boxKind(T) != BoxKind::None || isVariantType(T)) &&
         llvm::all_of(partsOf(T), [](QualType Part) {
           const CXXRecordDecl *R = Part->getAsCXXRecordDecl();
           return !R || isFollowedBox(Part) || !R->hasDefinition() || R->hasTrivialDestructor() ||
                  isQuietContainer(*R, Part) || freesNothing(Part);
         });
}

/// An owning pointer that begins with an object of its own.
static bool beginsWithObject(const ValueDecl *Pointer) {
  const auto *V = dyn_cast_or_null<VarDecl>(Pointer);
  return V && V->hasLocalStorage() && V->getInit() && isBoxMaker(*bare(V->getInit()));
}

bool isFollowed(const Expr &Box) {
  if (!isFollowedBox(Box.getType()))
    return false;
  if (!isOwningPointer(Box.getType()))
    return true;
  const auto *Ref = dyn_cast<DeclRefExpr>(bare(&Box));
  return Ref && beginsWithObject(Ref->getDecl());
}

bool isOptional(QualType T) { return boxKind(T) == BoxKind::One && !isOwningPointer(T); }

bool freesNothing(QualType T) {
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && !Class->isInStdNamespace() && !Class->isPolymorphic() &&
         endsQuietly(T);
}

Step partStep(QualType Box, unsigned Part) {
  const CXXRecordDecl *R = Box.getNonReferenceType()->getAsCXXRecordDecl();
  if (R->getName() != "pair")
    return Step::held(Part);
  return Step::field(**std::next(R->getDefinition()->field_begin(), Part));
}

std::optional<BoxAccess> partAccess(const CallExpr &Call) {
  auto Access = boxAccess(Call);
  if (!Access && !Call.getType()->isBooleanType())
    Access = alternativeNamedBy(Call);
  return Access;
}

PathId ResourceGenerator::pathOfPart(const BoxAccess &Access) {
  PathId P = pathOf(Access.Box);
  return P == NoPath ? NoPath : Out->Paths.extend(P, partStep(Access.Box->getType(), Access.Part));
}

/// `box->` and `box.get()`.
Operand ResourceGenerator::addressOfPart(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E);
  auto Access = Call ? partAccess(*Call) : std::nullopt;
  if (!Access || !Access->GivesPointer || !isFollowed(*Access->Box))
    return {};
  PathId P = pathOfPart(*Access);
  return P == NoPath ? Operand() : Operand{{Atom::Address, P}};
}

/// As forEachHandle, of a box.
void ResourceGenerator::forEachPart(PathId P, QualType Box, llvm::function_ref<void(PathId)> Do,
                                    unsigned Depth) {
  if (!isFollowedBox(Box))
    return;
  for (const auto &[Part, Type] : llvm::enumerate(partsOf(Box))) {
    PathId Held = Out->Paths.extend(P, partStep(Box, Part));
    if (mayBeHandle(Type))
      Do(Held);
    else if (Type->isRecordType())
      forEachHandle(Held, Type, Do, Depth + 1);
  }
}

bool ResourceGenerator::makesFollowedBox(const Expr &E) const {
  return isFollowedBox(E.getType()) && partsOfNewBox(E);
}

/// Whether \p Value makes a box of parts that are known.
bool ResourceGenerator::fillBox(const Stmt &At, PathId Box, const Expr &Value) {
  auto Parts = isFollowedBox(Value.getType()) ? partsOfNewBox(Value) : std::nullopt;
  if (!Parts)
    return false;
  const bool IsPointer =
      isOwningPointer(Value.getType()) && // as isFollowed() decides for who names the part
      !(Out->Paths.last(Box).What == Step::Root && beginsWithObject(Out->Paths.variable(Box)));
  for (const auto &[Index, Part] : llvm::enumerate(*Parts))
    assign(At, Out->Paths.extend(Box, IsPointer ? Step::star() : partStep(Value.getType(), Index)),
           *Part);
  return true;
}

/// What \p Owner, a unique_ptr that is moved or returned, owns has another name afterwards.
bool ResourceGenerator::giveAway(const Stmt &At, const Expr &Owner) {
  QualType Type = Owner.getType();
  const Expr *Named = bare(&Owner);
  if (const auto *C = dyn_cast<CXXConstructExpr>(Named); C && C->getNumArgs() == 1)
    Named = bare(C->getArg(0)); // `return owner;` moves it
  if (boxKind(Type) != BoxKind::One || !isOwningPointer(Type))
    return false;
  if (isFollowed(*Named)) {
    emitTree(At, pathOf(Named));
    return true;
  }
  if (const PathId P = pathOf(Named); P != NoPath && freesNothing(partsOf(Type).front()))
    emitTree(At, Out->Paths.extend(P, Step::star()));
  return false;
}

const CallExpr *tieSetBy(const CXXOperatorCallExpr &Set) {
  const auto *Tie =
      Set.getOperator() == OO_Equal ? dyn_cast<CallExpr>(bare(Set.getArg(0))) : nullptr;
  return Tie && callsStd(*Tie, "tie") ? Tie : nullptr;
}

static unsigned partIndex(const Step &S) {
  const auto *Field = dyn_cast_or_null<FieldDecl>(S.Decl);
  return Field ? Field->getFieldIndex() : unsigned(S.Index);
}

/// `std::tie(a, b) = made();`: each variable gets its part, or something that is not known.
bool ResourceGenerator::visitTie(const CallExpr &Call) {
  const auto *Set = dyn_cast<CXXOperatorCallExpr>(&Call);
  const CallExpr *Tie = Set ? tieSetBy(*Set) : nullptr;
  if (!Tie)
    return false;
  const Expr *Value = bare(Set->getArg(1));
  auto New = partsOfNewBox(*Value);
  const llvm::ArrayRef<ReturnedPart> Made = partsReturnedBy(*Value);
  for (unsigned I = 0; I < Tie->getNumArgs(); ++I) {
    PathId Place = pathOf(Tie->getArg(I));
    if (Place == NoPath)
      continue;
    if (New && I < New->size() && (*New)[I])
      assign(Call, Place, *(*New)[I]);
    else if (Made.empty())
      emitTree(Call, Place);
    else
      emit(ResourceEventKind::Assign, Call).Path = Place;
    for (const ReturnedPart &Part : Made)
      if (partIndex(Part.Steps.front()) == I)
        takePart(Call, Out->Paths.extend(Place, llvm::ArrayRef(Part.Steps).drop_front()), Part);
  }
  return true;
}

/// `all.reset()`, `all.emplace(...)`: what the optional held ends, or is another object.
bool ResourceGenerator::visitOptional(const CXXMemberCallExpr &Call, PathId Box, Args Arguments) {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  const QualType Type = Call.getObjectType();
  const bool Begins = Method->getIdentifier() && Method->getName() == "emplace";
  if (!isOptional(Type) || Box == NoPath || !Method->getIdentifier() ||
      !(Begins || Method->getName() == "reset"))
    return false;
  const QualType Part = partsOf(Type).front();
  const PathId Held = Out->Paths.extend(Box, partStep(Type, 0));
  const bool IsGiven = Begins && Arguments.size() == 1;
  if (IsGiven && Context.hasSameUnqualifiedType(Arguments.front()->getType(), Part)) {
    assign(Call, Held, *Arguments.front());
    return true;
  }
  if (IsGiven && !Part->isRecordType())
    return false;
  forEachPart(Box, Type, [&](PathId P) { emit(ResourceEventKind::Assign, Call).Path = P; }, 0);
  makeInPlace(Call, Part, Held, Begins ? Arguments : Args());
  return true;
}

/// `box.emplace(...)`: what the constructor of the new object takes is in that.
void ResourceGenerator::makeInPlace(const CallExpr &Call, QualType Type, PathId P, Args Arguments) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  const CXXConstructorDecl *Run = Class && Class->hasDefinition() && !Arguments.empty()
                                      ? constructorFor(*Class, Arguments.size())
                                      : nullptr;
  if (const ResourceSummary *Known = Run ? summaryOf(*Run) : nullptr)
    applySummary({Call, &Call, *Run, Arguments, P}, *Known);
}

/// `box = value`, `box.reset()`, `box.emplace(...)`: what an optional or a unique_ptr held before
/// ends there.
static const Expr *boxEmptiedBy(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const auto *Set = dyn_cast<CXXOperatorCallExpr>(&Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  const bool Ends = Method && Method->getIdentifier() &&
                    (Method->getName() == "reset" || Method->getName() == "emplace");
  const Expr *Box = Ends                                    ? Member->getImplicitObjectArgument()
                    : Set && Set->getOperator() == OO_Equal ? Set->getArg(0)
                                                            : nullptr;
  return Box && boxKind(Box->getType()) == BoxKind::One ? Box : nullptr;
}

void ResourceGenerator::endContent(const CallExpr &Call, const Expr &Box, PathId P) {
  const QualType Part = partsOf(Box.getType()).front();
  const Step Way = isOwningPointer(Box.getType()) ? Step::star() : partStep(Box.getType(), 0);
  if (P != NoPath)
    removeWhole(Call, Out->Paths.extend(P, Way), Part);
}

/// `box = nullptr`, `box = std::nullopt`, `box = std::make_unique<T>()`: nothing that was in it,
/// nor in anything else, is in it afterwards.
bool ResourceGenerator::emptyBox(const CallExpr &Call, PathId P, QualType Box, const Expr &Value) {
  const bool IsOwner = isOwningPointer(Box);
  const bool IsNew = IsOwner && (Value.getType()->isNullPtrType() || isBoxMaker(Value));
  if (!IsNew && !isNullOpt(Value))
    return false;
  auto Empty = [&](PathId Part) { emit(ResourceEventKind::Assign, Call).Path = Part; };
  if (IsOwner)
    forEachHandle(Out->Paths.extend(P, Step::star()), partsOf(Box).front(), Empty, 0);
  else
    forEachPart(P, Box, Empty, 0);
  return true;
}

/// `v = value`, `v.emplace<T>(...)`: another alternative, or another object of the same.
bool ResourceGenerator::visitVariant(const CallExpr &Call, PathId Object, Args Arguments) {
  const Expr *Box = objectOrFirst(&Call);
  const auto *Set = dyn_cast<CXXOperatorCallExpr>(&Call);
  const FunctionDecl *Callee = Call.getDirectCallee();
  const bool IsSet = Set ? Set->getOperator() == OO_Equal
                         : isa<CXXMemberCallExpr>(Call) && Callee && Callee->getIdentifier() &&
                               Callee->getName() == "emplace";
  if (!IsSet || Object == NoPath || !isVariantType(Box->getType()) ||
      !isFollowedBox(Box->getType()))
    return false;
  const QualType Type = Box->getType().getNonReferenceType();
  const Expr *Value = Arguments.size() == 1 ? Arguments.front() : nullptr;
  std::optional<unsigned> Into;
  for (const auto &[Index, Part] : llvm::enumerate(partsOf(Type))) {
    removeWhole(Call, Out->Paths.extend(Object, partStep(Type, Index)), Part);
    if (Value && Context.hasSameUnqualifiedType(Value->getType().getNonReferenceType(), Part))
      Into = Index;
  }
  forEachPart(Object, Type, [&](PathId P) { emit(ResourceEventKind::Assign, Call).Path = P; }, 0);
  if (Into)
    assign(Call, Out->Paths.extend(Object, partStep(Type, *Into)), *Value);
  return Into.has_value();
}

/// `raw.release()`: whoever gets the pointer has what is tied to its memory, as a registration is.
static bool handsPointerOut(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Method->getName() == "release" &&
         isOwningPointer(Member->getObjectType());
}

/// Whether \p Call only names a part of a box, makes one for a variable or fills one.
bool ResourceGenerator::visitBoxCall(const CallExpr &Call, PathId Object, Args Arguments) {
  if (auto Access = partAccess(Call))
    return isFollowed(*Access->Box);
  if (visitVariant(Call, Object, Arguments))
    return true;
  if (Object != NoPath && handsPointerOut(Call))
    emitValue(ResourceEventKind::Escape, Call,
              {{Atom::Load, Out->Paths.extend(Object, Step::data())}});
  if (const Expr *Box = boxEmptiedBy(Call))
    endContent(Call, *Box, Object);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  if (Member && Member->getMethodDecl() && !Member->getMethodDecl()->isConst() &&
      isFollowed(*Member->getImplicitObjectArgument())) {
    if (visitOptional(*Member, Object, Arguments))
      return true;
    emitTree(Call, Object); // release(), reset(), swap()
  }
  if (Targets.count(&Call) || visitTie(Call))
    return true;
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call);
  bool Sets = Op && Op->getOperator() == OO_Equal && Object != NoPath && Arguments.size() == 1;
  if (!Sets || !isFollowedBox(Op->getArg(0)->getType()))
    return false;
  const Expr *Value = bare(Arguments.front());
  if (fillBox(Call, Object, *Value) || emptyBox(Call, Object, Op->getArg(0)->getType(), *Value))
    return true;
  const bool IsBox = boxKind(Value->getType()) != BoxKind::None;
  const bool IsPart =
      Context.hasSameUnqualifiedType(Value->getType(), partsOf(Op->getArg(0)->getType()).front());
  if (IsBox && pathOf(Value) != NoPath)
    assign(Call, Object, *Value);
  else if (!IsBox && (Value->getType()->isPointerType() || IsPart))
    assign(Call, Out->Paths.extend(Object, partStep(Op->getArg(0)->getType(), 0)), *Value);
  else
    emitTree(Call, Object);
  return true;
}

} // namespace tensorleak
