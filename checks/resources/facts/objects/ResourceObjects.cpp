//===-- ResourceObjects.cpp - What new makes and delete ends --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Functions.h"
#include "checks/source/Statements.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace tensorleak {

/// A call that accepts memory of the device, streams, handles or the like.
std::optional<Family> firstOfDevice(FamilySet Accepts) {
  for (unsigned I = 0; I < unsigned(Family::Count); ++I)
    if ((Accepts & only(Family(I))) && !infoOf(Family(I)).IsHost && Family(I) != Family::Owner)
      return Family(I);
  return std::nullopt;
}

/// The constructor hands the object to others, as one does that registers it.
bool ResourceGenerator::mayKeepItself(const CXXNewExpr &N) const {
  const CXXConstructExpr *Made = N.getConstructExpr();
  const ResourceSummary *Known = Made ? summaryOf(*Made->getConstructor()) : nullptr;
  return Known && llvm::any_of(Known->TreesEscape, [](const RelativeResourcePath &P) {
           return P.Root == RelativeResourcePath::This && P.Steps.empty();
         });
}

static const CXXDestructorDecl *destructorOf(const CXXRecordDecl *Class) {
  return Class && Class->hasDefinition() ? Class->getDestructor() : nullptr;
}

static const CXXDestructorDecl *destructorOf(QualType Type) {
  // What is deleted has no type where its argument was not understood.
  return destructorOf(Type.isNull() ? nullptr : Type->getAsCXXRecordDecl());
}

/// Some object of the function's own gives something back in its destructor: \p F is written for
/// the exceptions that leave it.
bool ResourceGenerator::findOwners(const FunctionDecl &F) {
  return anyBelow(F.getBody(), [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    return D && llvm::any_of(D->decls(), [&](const Decl *Each) {
             const auto *V = dyn_cast<VarDecl>(Each);
             const CXXDestructorDecl *Dtor = V ? destructorOf(V->getType()) : nullptr;
             const ResourceSummary *Known = Dtor ? summaryOf(*Dtor) : nullptr;
             return Known && !Known->Releases.empty();
           });
  });
}

/// The destructor, or that of a base class or member, gives back something of the device's.
bool ResourceGenerator::givesBackAtEnd(QualType Type) const {
  const CXXDestructorDecl *Dtor = destructorOf(Type);
  const ResourceSummary *Known = Dtor && Dtor->isUserProvided() ? summaryOf(*Dtor) : nullptr;
  return Known && llvm::any_of(Known->Releases, [](const ResourceSummary::Given &G) {
           return G.Where.Root == RelativeResourcePath::This && firstOfDevice(G.Accepts);
         });
}

/// The destructor of \p Type takes off itself what is attached to the memory, or may do so.
bool ResourceGenerator::mayDetachAtEnd(QualType Type) const {
  const CXXDestructorDecl *Dtor = destructorOf(Type);
  if (!Dtor || isOfStandardClass(*Dtor) || !Dtor->isUserProvided())
    return false;
  const ResourceSummary *Known = summaryOf(*Dtor);
  return !Known || llvm::any_of(Known->Releases, [](const ResourceSummary::Given &G) {
    return (G.Accepts & AttachedFamilies) != 0; // and may free the memory then
  });
}

/// `new (p) T`, which makes an object in memory that is there.
static const Expr *placeOfNew(const CXXNewExpr &N) {
  const FunctionDecl *New = N.getOperatorNew();
  return New && New->isReservedGlobalPlacementOperator() ? N.getPlacementArg(0) : nullptr;
}

/// `new (std::nothrow) T` is like others.
static bool isPlainNew(const CXXNewExpr &N) {
  const auto IsNoThrow = [](const Expr *Arg) {
    const CXXRecordDecl *Class = Arg->getType()->getAsCXXRecordDecl();
    return Class && Class->isInStdNamespace() && Class->getName() == "nothrow_t";
  };
  return llvm::all_of(N.placement_arguments(), IsNoThrow);
}

/// `new T(p)`, `new T{p}`.
std::optional<NewObject> ResourceGenerator::objectOfNew(const CXXNewExpr &N) const {
  if (N.isArray() || !isPlainNew(N) || mayKeepItself(N) || !freesNothing(N.getAllocatedType()))
    return std::nullopt;
  if (const auto *List = dyn_cast_or_null<InitListExpr>(N.getInitializer()))
    return NewObject{List, nullptr, {}, List};
  const CXXConstructExpr *Made = N.getConstructExpr();
  if (!Made || Made->getConstructor()->isCopyOrMoveConstructor() ||
      !summaryOf(*Made->getConstructor()))
    return std::nullopt;
  return NewObject{Made, Made->getConstructor(), Args(Made->getArgs(), Made->getNumArgs())};
}

/// `std::make_unique<T>(p)`.
std::optional<NewObject> ResourceGenerator::objectOfMaker(const CallExpr &Maker) const {
  const CXXRecordDecl *Class = isBoxMaker(Maker) ? classMadeBy(Maker) : nullptr;
  if (!Class || Maker.getNumArgs() == 0 || makesFollowedBox(Maker) ||
      !isFollowedBox(Maker.getType()))
    return std::nullopt;
  const CXXConstructorDecl *Run = constructorFor(*Class, Maker.getNumArgs());
  if (!Run || !summaryOf(*Run))
    return std::nullopt;
  return NewObject{&Maker, Run, Args(Maker.getArgs(), Maker.getNumArgs())};
}

/// That \p Value, which may be null, makes for a variable.
std::optional<NewObject> ResourceGenerator::newObject(const Expr *Value) const {
  const Expr *E = Value ? bare(Value) : nullptr;
  if (const auto *N = dyn_cast_or_null<CXXNewExpr>(E))
    return objectOfNew(*N);
  const auto *Maker = dyn_cast_or_null<CallExpr>(E);
  return Maker ? objectOfMaker(*Maker) : std::nullopt;
}

/// \p Pointer points to the object that \p Value makes, and to no other: what the object is given
/// is known by that name.
void ResourceGenerator::fillObject(const Stmt &At, PathId Pointer, const Expr &Value) {
  const auto Object = newObject(&Value);
  if (!Object || !Placed.contains(Object->By))
    return;
  const Step Into =
      boxKind(Value.getType()) == BoxKind::One ? partStep(Value.getType(), 0) : Step::star();
  const PathId Made = Out->Paths.extend(Pointer, Into);
  if (Object->List)
    return assignList(At, Made, *Object->List);
  applySummary({At, Object->By, *Object->Run, Object->Arguments, Made}, *summaryOf(*Object->Run));
}

void ResourceGenerator::visitNew(const CXXNewExpr &N) {
  if (const Expr *Place = placeOfNew(N))
    Results[&N] = operand(Place);
  if (const auto *List = dyn_cast_or_null<InitListExpr>(N.getInitializer());
      List && !Placed.contains(List))
    escapeParts(N, *List);
  const Expr *Value = mayBeHandle(N.getAllocatedType()) ? N.getInitializer() : nullptr;
  if (Value && !isa<InitListExpr>(Value)) // `new cufftHandle(plan)`
    emitValue(ResourceEventKind::Escape, N, operand(Value));
  bool HoldsTensors = mayOwnTensors(Api.classify(N.getAllocatedType()));
  const bool IsOwner = !N.isArray() && !HoldsTensors && givesBackAtEnd(N.getAllocatedType());
  bool IsFollowed = N.isArray() || HoldsTensors || IsOwner || freesNothing(N.getAllocatedType());
  if (!IsFollowed || !isPlainNew(N) || mayKeepItself(N))
    return;
  Family What = HoldsTensors  ? Family::Object
                : N.isArray() ? Family::NewArray
                : IsOwner     ? Family::Owner
                              : Family::Record;
  SiteId Id = addSite({What, &N, {}, std::nullopt, false});
  if (auto Size = N.getArraySize(); Size && *Size)
    if (auto Count = constant(*Size); Count && *Count > 0 && !N.isTypeDependent())
      Out->Sites[Id].Bytes =
          *Count * Context.getTypeSizeInChars(N.getAllocatedType()).getQuantity();
  Results[&N].push_back({Atom::Fresh, Id});
  emit(ResourceEventKind::Acquire, N).Site = Id;
}

/// What its destructor gives back, where a variable of the function's own points to it.
void ResourceGenerator::visitDelete(const CXXDeleteExpr &D) {
  const PathId Object = D.isArrayForm() ? NoPath : pathThrough(D.getArgument(), 0);
  const CXXDestructorDecl *Dtor = destructorOf(D.getDestroyedType());
  if (Object != NoPath && Dtor && Out->isOwnVariable(Out->Paths.variable(Object)))
    if (const ResourceSummary *Known = summaryOf(*Dtor))
      applySummary({D, nullptr, *Dtor, {}, Object}, *Known);
  ResourceEvent &E = emit(ResourceEventKind::Release, D);
  E.Value = operand(D.getArgument());
  E.Accepts =
      only(Family::NewArray) | only(Family::Object) | only(Family::Record) | only(Family::Owner);
  E.Accepts |= Model.deletedAs(D.getDestroyedType());
}

/// `virtual void onFrame(float *) {}`: there to be overridden.
static bool isEmptyHere(const FunctionDecl &F) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F.getBody());
  return Body && Body->body_empty();
}

/// What a call of \p Callee runs on \p Object: of a variable or member the class is known, and so
/// is what overrides a virtual method. Null where that may be anything.
const FunctionDecl *ResourceGenerator::functionRun(const FunctionDecl &Callee,
                                                   PathId Object) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  const ValueDecl *D = Object == NoPath ? nullptr : Out->Paths.last(Object).Decl;
  if (!Method || !Method->isVirtual() || Method->hasAttr<FinalAttr>() || !D)
    return &Callee; // on this itself, too
  if (D->getType()->isReferenceType())
    return isEmptyHere(Callee) ? nullptr : &Callee;
  const CXXRecordDecl *Class = D->getType()->getAsCXXRecordDecl();
  return Class && Class->hasDefinition()
             ? Method->getCorrespondingMethodInClass(Class->getDefinition(), true)
             : nullptr;
}

/// The library's own destructors do what those of the elements do.
static bool isQuiet(QualType T, unsigned Depth) {
  const CXXRecordDecl *Named = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  const CXXRecordDecl *R = Named ? Named->getDefinition() : nullptr;
  if (!Named || (R && R->hasTrivialDestructor()))
    return Named || !T->isRecordType();
  if (isOver(Budget::NestedRecords, Depth + 1))
    return false;
  auto IsQuiet = [&](QualType Part) { return isQuiet(Part, Depth + 1); };
  if (Named->isInStdNamespace()) // also where nothing needs its definition, as a map's order
    return !isFunctionObject(T) && llvm::all_of(typeArguments(*Named), IsQuiet);
  if (!R)
    return false;
  return !(R->getDestructor() && R->getDestructor()->isUserProvided()) &&
         llvm::all_of(R->fields(), [&](const FieldDecl *F) { return IsQuiet(F->getType()); }) &&
         llvm::all_of(R->bases(), [&](const CXXBaseSpecifier &B) { return IsQuiet(B.getType()); });
}

bool endsQuietly(QualType Type) { return isQuiet(Type, 0); }

//===-- The end of objects --------------------------------------------------===//

/// What an array or a container of the library holds, where that is a class of the user's.
static const CXXRecordDecl *classOfElements(QualType Type, const ASTContext &Context) {
  if (Type->isArrayType())
    return Context.getBaseElementType(Type)->getAsCXXRecordDecl();
  const CXXRecordDecl *Container = Type->getAsCXXRecordDecl();
  if (!Container || !isContainer(Type))
    return nullptr;
  for (QualType Held : typeArguments(*Container))
    if (const auto *Class = Held.isNull() ? nullptr : Held->getAsCXXRecordDecl();
        Class && !Class->isInStdNamespace())
      return Class;
  return nullptr;
}

/// \p Base and what that inherits can give itself to a class that derives from it, by its name:
/// `static_cast<Derived *>(this)`.
static bool namesItsChild(const CXXRecordDecl &Base) {
  return llvm::any_of(typeArguments(Base), [&](QualType Given) {
    const CXXRecordDecl *Child = Given.isNull() ? nullptr : Given->getAsCXXRecordDecl();
    return Child && Child->hasDefinition() && Child->isDerivedFrom(&Base);
  });
}

void ResourceGenerator::emitPartsOf(const CXXRecordDecl &Base, PathId P, const Stmt &At) {
  const CXXRecordDecl *Class = Base.getDefinition();
  if (P == NoPath || !Class || Class->isInvalidDecl() || namesItsChild(*Class))
    return emitTree(At, P);
  for (const FieldDecl *Field : Class->fields())
    emitTree(At, Out->Paths.extend(P, Step::field(*Field)));
  for (const CXXBaseSpecifier &Above : Class->bases())
    if (const CXXRecordDecl *Inherited = Above.getType()->getAsCXXRecordDecl())
      emitPartsOf(*Inherited, P, At);
    else
      emitTree(At, P);
}

/// A record that frees nothing ends, or is replaced by another; its fields may be all that knows of
/// what it holds.
void ResourceGenerator::removeWhole(const Stmt &At, PathId P, QualType Type) {
  if (P == NoPath || !freesNothing(Type) || Out->isOwnStorage(P))
    return;
  ResourceEvent &End = emit(ResourceEventKind::Remove, At);
  End.Path = P;
  End.Whole = Type->getAsCXXRecordDecl();
}

/// The destructor of the object at \p P runs, or those of the elements of a container, which frees
/// nothing that raw pointers point to.
void ResourceGenerator::endObject(QualType Type, PathId P, const Stmt &S) {
  const CXXRecordDecl *Element = classOfElements(Type, Context);
  const CXXDestructorDecl *Dtor = Element ? destructorOf(Element) : destructorOf(Type);
  if (!Dtor)
    return;
  if (Element)
    P = Out->Paths.extend(P, Step::elem());
  if (const ResourceSummary *Known = summaryOf(*Dtor))
    return applySummary({S, nullptr, *Dtor, {}, P}, *Known);
  if (!isForeign(Dtor) && !endsQuietly(Type))
    emitTree(S, P);
}

/// At the end of its scope.
void ResourceGenerator::visitEndOfLife(const VarDecl &V, const Stmt &S) {
  if (!Aliases.count(&V) && !Guards.isDisarmedAt(V, BlockAtHand))
    endObject(V.getType(), Out->Paths.root(&V), S);
}

/// A destructor that is not in view reaches no further than the members of its own class: those of
/// the class that derives from it have ended before.
void ResourceGenerator::endBase(QualType Type, PathId This, const Stmt &S) {
  const CXXDestructorDecl *Dtor = destructorOf(Type);
  if (Dtor && !summaryOf(*Dtor) && !isForeign(Dtor) && !endsQuietly(Type))
    return emitPartsOf(*Dtor->getParent(), This, S);
  endObject(Type, This, S);
}

/// Behind the body of a destructor those of the members and of the bases run.
void ResourceGenerator::visitEndOfPart(const CFGElement &Element) {
  auto Member = Element.getAs<CFGMemberDtor>();
  auto Base = Element.getAs<CFGBaseDtor>();
  if (!Member && !Base)
    return;
  const Stmt &Body = *Out->Function->getBody();
  const PathId This = Out->Paths.root(nullptr);
  if (Base)
    return endBase(Base->getBaseSpecifier()->getType(), This, Body);
  const FieldDecl &Field = *Member->getFieldDecl();
  endObject(Field.getType(), Out->Paths.extend(This, Step::field(Field)), Body);
}

/// \p P begins a new life. Where an exception has ended the round before, the destructor has run,
/// and no place in the control-flow graph says so.
void ResourceGenerator::declare(PathId P, const Stmt &S) {
  const auto *V = dyn_cast_or_null<VarDecl>(Out->Paths.last(P).Decl);
  if (V && Out->Tries.count(&S))
    visitEndOfLife(*V, S);
  emit(ResourceEventKind::Declare, S).Path = P;
}

} // namespace tensorleak
