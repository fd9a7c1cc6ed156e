//===-- ResourceValues.cpp - Which place or value an expression is --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace tensorleak {

std::optional<int64_t> constantIn(const ASTContext &Context, const Expr *E) {
  Expr::EvalResult R;
  if (E && !E->isValueDependent() && !E->containsErrors() && E->EvaluateAsInt(R, Context))
    return R.Val.getInt().tryExtValue();
  return std::nullopt;
}

bool isZeroOrNull(ASTContext &Context, const Expr &E) {
  return E.isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull) ||
         constantIn(Context, &E) == 0;
}

/// The pointer through which the element \p Lvalue is reached; null for one of an array.
static const Expr *pointerOf(const Expr *Lvalue) {
  Lvalue = bare(Lvalue);
  const Expr *Base = nullptr;
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue))
    Base = Element->getBase();
  else if (const auto *Op = dyn_cast<UnaryOperator>(Lvalue); Op && Op->getOpcode() == UO_Deref)
    Base = Op->getSubExpr();
  return Base && bare(Base)->getType()->isPointerType() ? Base : nullptr;
}

/// How many elements \p Pointer lies behind the pointer that it is computed from.
int64_t ResourceGenerator::offsetOf(const Expr *Pointer) const {
  Pointer = bare(Pointer);
  if (const auto *Op = dyn_cast<UnaryOperator>(Pointer)) {
    bool IsWithin = Op->getOpcode() == UO_AddrOf && pointerOf(Op->getSubExpr());
    return Op->isIncrementDecrementOp() || IsWithin ? Step::Any : 0;
  }
  const auto *Op = dyn_cast<BinaryOperator>(Pointer);
  if (!Op || !Op->isAdditiveOp() || !Op->getType()->isPointerType())
    return 0;
  bool OnLeft = Op->getLHS()->getType()->isPointerType();
  int64_t Inner = offsetOf(OnLeft ? Op->getLHS() : Op->getRHS());
  auto By = constant(OnLeft ? Op->getRHS() : Op->getLHS());
  if (!By || Inner == Step::Any)
    return Step::Any;
  int64_t Sum = Op->getOpcode() == BO_Sub ? Inner - *By : Inner + *By;
  return Sum < 0 ? Step::Any : Sum;
}

bool isOfStandardClass(const Decl &Member) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Member.getDeclContext());
  return Class && Class->isInStdNamespace();
}

bool isIterator(QualType T) {
  const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && !isOwningPointer(T) &&
         llvm::any_of(Class->methods(), [](const CXXMethodDecl *M) {
           return M->getOverloadedOperator() == OO_Star && M->getNumParams() == 0; // no product
         });
}

/// `std::begin(all)`: the container.
static const Expr *containerOfFree(const Expr *Iterator) {
  const auto *Call = dyn_cast_or_null<CallExpr>(Iterator);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  bool IsOne = Callee && !isa<CXXMethodDecl>(Callee) && Callee->isInStdNamespace() &&
               Call->getNumArgs() == 1 && isIterator(Call->getType()) &&
               !isIterator(Call->getArg(0)->getType());
  return IsOne ? Call->getArg(0) : nullptr;
}

/// An iterator, or what emplace() and insert() give: an iterator, and whether the element is new.
static bool hasIterator(QualType T) {
  const auto *Pair = dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsCXXRecordDecl());
  const bool IsPair = Pair && Pair->isInStdNamespace() && Pair->getName() == "pair";
  return isIterator(IsPair ? Pair->getTemplateArgs()[0].getAsType() : T);
}

/// What a variable got from a method of a standard container, such as begin(), and can be
/// asked for an element.
static const Expr *containerOf(const Expr *Iterator) {
  Iterator = bare(Iterator);
  while (const auto *C = dyn_cast_or_null<CXXConstructExpr>(Iterator))
    Iterator = C->getNumArgs() == 1 ? bare(C->getArg(0)) : nullptr;
  if (const Expr *Container = containerOfFree(Iterator))
    return Container;
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(Iterator);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  bool IsOne = Method && isOfStandardClass(*Method) && hasIterator(Call->getType());
  return IsOne ? Call->getImplicitObjectArgument() : nullptr;
}

void ResourceGenerator::bindIterator(const ValueDecl &Iterator, const Expr *Value) {
  const bool IsOne = Value && hasIterator(Iterator.getType());
  if (PathId P = IsOne ? elementOf(*Value) : NoPath; P != NoPath)
    Iterators[&Iterator] = P;
}

/// What \p Iterator points to: `all.begin()`, or a variable that got it.
PathId ResourceGenerator::elementOf(const Expr &Iterator) {
  const Expr *E = bare(&Iterator);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E); C && C->getNumArgs() == 1)
    E = bare(C->getArg(0)); // a copy
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->getNumArgs() && onlyLooks(*Call))
    return elementOf(*Call->getArg(0)); // `std::prev(all.end())`
  if (const auto *Part = dyn_cast<MemberExpr>(E); Part && hasIterator(Part->getBase()->getType()))
    E = bare(Part->getBase()); // `all.emplace(key).first`
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  if (auto It = Ref ? Iterators.find(Ref->getDecl()) : Iterators.end(); It != Iterators.end())
    return It->second;
  const Expr *Container = containerOf(E);
  PathId P = Container ? pathOfObject(Container) : NoPath;
  return P == NoPath ? NoPath : Out->Paths.extend(P, Step::elem());
}

/// The element that `*it` or `it->` speaks of.
PathId ResourceGenerator::pathOfIterator(const Expr *Access, OverloadedOperatorKind How) {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(Access);
  return Op && Op->getOperator() == How && followsPointer(*Op) ? elementOf(*Op->getArg(0)) : NoPath;
}

/// `owner.get()`, where `*owner` is not followed as a part of the owner: the owner.
const Expr *ResourceGenerator::ownerAsked(const Expr &Pointer) const {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&Pointer);
  auto Access = Call ? boxAccess(*Call) : std::nullopt;
  bool IsOwner = Access && Access->GivesPointer && isOwningPointer(Access->Box->getType());
  return IsOwner && !isFollowed(*Access->Box) ? Access->Box : nullptr;
}

/// Of which a method is called, by `.` or by `->`.
PathId ResourceGenerator::pathOfObject(const Expr *Self) {
  return Self->getType()->isPointerType() ? pathThrough(Self, 0) : pathOf(Self);
}

/// What \p Pointer points to.
PathId ResourceGenerator::pathThrough(const Expr *Pointer, int64_t Index) {
  if (const ValueDecl *V = namedBy(Pointer); V && Walking.count(V))
    Index = Step::Any;
  if (const Expr *Owner = ownerAsked(*bare(Pointer)))
    if (PathId P = pathOf(Owner); P != NoPath)
      return Out->Paths.extend(P, Step::star(Index));
  if (PathId Element = pathOfIterator(bare(Pointer), OO_Arrow); Element != NoPath)
    return Element;
  if (isa<CXXThisExpr>(bare(Pointer)))
    return Out->Paths.root(nullptr);
  if (const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(bare(Pointer));
      Arrow && Arrow->getOperator() == OO_Arrow && !isFollowed(*Arrow->getArg(0)))
    return pathOfCall(*Arrow); // the same as `*p`
  for (const Atom &A : operand(Pointer)) {
    if (A.What == Atom::Address)
      return Out->Paths.element(A.Id, Index);
    if (A.What != Atom::Load)
      continue;
    int64_t Offset = offsetOf(Pointer);
    bool IsKnown = Index != Step::Any && Offset != Step::Any;
    return Out->Paths.extend(A.Id, Step::star(IsKnown ? Index + Offset : Step::Any));
  }
  return NoPath;
}

/// `v[0]` and `m.at("in")` of a library's container, or `v[i]`. What an element points to, if that
/// holds pointers itself, has other names where it was put in.
Step ResourceGenerator::elementStep(const CallExpr &Call) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const unsigned Key = isa<CXXMemberCallExpr>(Call) ? 0 : 1;
  if (!Callee || !isOfStandardClass(*Callee) || Call.getNumArgs() != Key + 1)
    return Step::elem();
  const QualType Pointee = Call.getType()->getPointeeType();
  if (!Pointee.isNull() && (Pointee->isPointerType() || Pointee->isRecordType()))
    return Step::elem();
  auto Constant = constantKey(Call.getArg(Key), Context);
  bool IsKnown = Constant && Constant->Number >= 0;
  return IsKnown ? Step::elem(Constant->Number, Constant->Text) : Step::elem();
}

/// `rows()` and `table.rows()`, where that only returns a variable or a member of the object.
PathId ResourceGenerator::pathOfGetter(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const ValueDecl *Place = Callee ? returnedPlace(*Callee) : nullptr;
  if (isa_and_nonnull<VarDecl>(Place))
    return Out->Paths.root(Place);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const PathId Object = Member ? pathOfObject(Member->getImplicitObjectArgument()) : PathId(NoPath);
  if (!Place)
    return Callee && returnsItself(*Callee) ? Object : PathId(NoPath);
  return Object == NoPath ? NoPath
                          : Out->Paths.extend(Object, Step::field(*cast<FieldDecl>(Place)));
}

/// A container's element, what a smart pointer or an iterator points to, or what a getter names.
PathId ResourceGenerator::pathOfCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (auto Access = partAccess(Call); Access && isFollowed(*Access->Box))
    return Access->GivesPointer ? NoPath : pathOfPart(*Access);
  if (PathId Place = pathReturned(Call); Place != NoPath)
    return Place;
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call)) {
    if (PathId Element = pathOfIterator(Op, OO_Star); Element != NoPath)
      return Element;
    PathId Base = Op->getNumArgs() ? pathOf(Op->getArg(0)) : NoPath;
    if (Base == NoPath)
      return NoPath;
    if (Op->getOperator() == OO_Subscript)
      return Out->Paths.extend(Base, elementStep(Call));
    const ValueDecl *Iterator = namedBy(Op->getArg(0));
    const bool IsAny = Iterator && Walking.count(Iterator); // as in pathThrough()
    return followsPointer(*Op) ? Out->Paths.extend(Base, Step::star(IsAny ? Step::Any : 0))
                               : NoPath;
  }
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  if (!Member || !Callee || !Callee->getIdentifier() || !isOfStandardClass(*Callee))
    return pathOfGetter(Call);
  bool GivesElement = Callee->getReturnType()->isReferenceType();
  PathId Base = GivesElement ? pathOfObject(Member->getImplicitObjectArgument()) : NoPath;
  return Base == NoPath ? NoPath : Out->Paths.extend(Base, elementStep(Call));
}

PathId ResourceGenerator::pathOf(const Expr *E) {
  E = bare(E);
  if (!E)
    return NoPath;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = Ref->getDecl();
    if (auto It = Aliases.find(D); It != Aliases.end())
      return It->second;
    return isa<VarDecl, BindingDecl>(D) ? Out->Paths.root(D) : NoPath;
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!Field)
      return isa<VarDecl>(M->getMemberDecl()) ? Out->Paths.root(M->getMemberDecl()) : NoPath;
    PathId Base = M->isArrow() ? pathThrough(M->getBase(), 0) : pathOf(M->getBase());
    return Base == NoPath ? NoPath : Out->Paths.extend(Base, Step::field(*Field));
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_Deref)
    return pathThrough(Op->getSubExpr(), 0);
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
    int64_t Index = constant(S->getIdx()).value_or(Step::Any);
    Index = Index < 0 ? Step::Any : Index;
    if (PathId Array = pathOf(S->getBase());
        Array != NoPath && bare(S->getBase())->getType()->isArrayType())
      return Out->Paths.extend(Array, Step::elem(Index));
    return pathThrough(S->getBase(), Index);
  }
  if (auto It = Temporaries.find(E); It != Temporaries.end())
    return It->second;
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return pathOfCall(*Call);
  if (isa<CXXThisExpr>(E))
    return Out->Paths.extend(Out->Paths.root(nullptr), Step::star());
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    if (C->getNumArgs() == 1 && C->getConstructor()->isCopyOrMoveConstructor())
      return pathOf(C->getArg(0));
  return NoPath;
}

static void append(Operand &To, const Operand &From) { To.append(From.begin(), From.end()); }

/// CUdeviceptr is an integer, and so is what a pointer is cast to for arithmetic.
static bool isAsWideAsPointer(QualType T, const ASTContext &Context) {
  return T->isIntegerType() && !T->isDependentType() &&
         Context.getTypeSize(T) == Context.getTypeSize(Context.VoidPtrTy);
}

/// `(intptr_t)p + pitch` and `((uintptr_t)p + 255) & ~255` lie in the block of p.
Operand ResourceGenerator::movedAddress(const BinaryOperator &Op) {
  bool Aligns = Op.getOpcode() == BO_And;
  if (!(Op.isAdditiveOp() || Aligns) || !isAsWideAsPointer(Op.getType(), Context))
    return {};
  Operand Moved = operand(Op.getLHS());
  if (Op.getOpcode() == BO_Add)
    append(Moved, operand(Op.getRHS()));
  for (Atom &A : Moved)
    if (A.What == Atom::Address)
      A.Id = Out->Paths.moved(A.Id, std::nullopt);
  return Moved;
}

/// `array + 1` is the address of another element; `p + 1` is a pointer into the block of p.
Operand ResourceGenerator::movedPointer(const BinaryOperator &Op) {
  bool OnLeft = Op.getLHS()->getType()->isPointerType();
  if (!Op.isAdditiveOp() || OnLeft == Op.getRHS()->getType()->isPointerType())
    return {};
  Operand Pointers = operand(OnLeft ? Op.getLHS() : Op.getRHS());
  auto By = constant(OnLeft ? Op.getRHS() : Op.getLHS());
  if (By && Op.getOpcode() == BO_Sub)
    By = -*By;
  for (Atom &A : Pointers)
    if (A.What == Atom::Address)
      A.Id = Out->Paths.moved(A.Id, By);
  return Pointers;
}

/// `&p[i]` is `p + i`, and `&*p` is p, where an element is a number and holds nothing itself.
Operand ResourceGenerator::addressOf(const Expr *Lvalue) {
  QualType Type = Lvalue->getType();
  bool IsNumber = Type->isArithmeticType() && !isAsWideAsPointer(Type, Context);
  if (const Expr *Pointer = IsNumber ? pointerOf(Lvalue) : nullptr)
    if (Operand Moved = operand(Pointer); !Moved.empty() && Moved.front().What != Atom::Address)
      return Moved;
  PathId P = pathOf(Lvalue);
  return P == NoPath ? Operand() : Operand{{Atom::Address, P}};
}

/// The part of \p E that has the value of the whole: of `a = b` and `++a`, of `f(), a`, and of an
/// object that is only another name of a pointer. Null for others.
const Expr *ResourceGenerator::partWithValue(const Expr &E) const {
  if (const auto *Op = dyn_cast<UnaryOperator>(&E))
    return Op->isIncrementDecrementOp() ? Op->getSubExpr() : nullptr;
  if (const auto *Op = dyn_cast<BinaryOperator>(&E))
    return Op->getOpcode() == BO_Comma ? Op->getRHS()
           : Op->isAssignmentOp()      ? Op->getLHS()
                                       : nullptr;
  const auto *C = dyn_cast<CXXConstructExpr>(&E);
  return C && C->getNumArgs() == 1 && Model.isPointer(C->getType()) ? C->getArg(0) : nullptr;
}

Operand ResourceGenerator::operand(const Expr *E) {
  E = bare(E);
  const QualType Type = E ? E->getType() : QualType(); // handles are integers, and no bytes
  if (Type.isNull() || Type->isFloatingType() || Type->isBooleanType() ||
      Type->isAnyCharacterType())
    return {};
  if (auto It = Results.find(E); It != Results.end())
    return It->second;
  if (const Expr *Part = partWithValue(*E))
    return operand(Part);
  if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_AddrOf)
    return addressOf(Op->getSubExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return Op->getType()->isPointerType() ? movedPointer(*Op) : movedAddress(*Op);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Operand Both = operand(C->getTrueExpr());
    append(Both, operand(C->getFalseExpr()));
    return Both;
  }
  if (isa<VAArgExpr>(E)) // the function stands for its unnamed arguments
    return {{Atom::Load, Out->Paths.root(Out->Function)}};
  if (isa<CXXThisExpr>(E))
    return {{Atom::Address, Out->Paths.root(nullptr)}};
  if (Operand Part = addressOfPart(E); !Part.empty())
    return Part;
  if (Operand Elements = elementsOf(*E); !Elements.empty())
    return Elements;
  PathId P = pathOf(E);
  if (P == NoPath)
    return partRead(*E);
  if (E->getType()->isArrayType())
    return {{Atom::Address, Out->Paths.extend(P, Step::elem(0))}};
  return {{Atom::Load, P}};
}

//===-- In a caller's terms -------------------------------------------------===//

/// What a lambda calls by the name \p V, with the first of \p Steps where that is an iterator.
PathId ResourceGenerator::pathOfCaptured(const ValueDecl &V, llvm::ArrayRef<Step> &Steps) {
  if (auto It = Aliases.find(&V); It != Aliases.end())
    return It->second;
  auto It = Iterators.find(&V);
  if (It == Iterators.end() || Steps.empty() || !(Steps.front() == Step::star()))
    return Out->Paths.root(&V);
  Steps = Steps.drop_front();
  return It->second;
}

/// The callee knows \p A and \p B as parts of different things.
static bool haveDifferentRoots(const RelativeResourcePath &A, const RelativeResourcePath &B) {
  return A.Root != B.Root || A.Param_ != B.Param_ || A.Var != B.Var;
}

/// Where the callee takes into a place and releases what is there by another name, only a
/// look into it could tell which it does first. What it has just released holds nothing else.
void ResourceGenerator::doubtSecondNames(const CallShape &C, const ResourceSummary &S) {
  for (const ResourceSummary::Given &G : S.Releases) {
    bool TakesElsewhere = llvm::any_of(S.Takes, [&](const ResourceSummary::Taken &T) {
      return llvm::any_of(T.Where, [&](const RelativeResourcePath &Where) {
        const bool IsPlace = Where.Root != RelativeResourcePath::Returned; // which held nothing
        return IsPlace && haveDifferentRoots(Where, G.Where);
      });
    });
    PathId Freed = TakesElsewhere ? translate(C, G.Where) : NoPath;
    if (Freed != NoPath && Out->Paths.isExact(Freed))
      emitValue(ResourceEventKind::Escape, C.At, {{Atom::Load, Freed}});
  }
}

} // namespace tensorleak
