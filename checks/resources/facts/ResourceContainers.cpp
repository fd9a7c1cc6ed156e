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
#include "checks/resources/facts/calls/FoundElements.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {

using Args = llvm::ArrayRef<const Expr *>;

bool isContainer(QualType T) {
  T = T.getNonReferenceType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && isLibraryContainer(*Class) && boxKind(T) == BoxKind::None && !isOwningPointer(T);
}

bool isPlainBox(QualType T) {
  return boxKind(T) == BoxKind::Parts && llvm::all_of(partsOf(T), [](QualType Part) {
           return !isOwningPointer(Part) && endsQuietly(Part);
         });
}

static bool holdsPlainly(const CXXRecordDecl &Container);

bool isPlain(QualType T) {
  return T->isPointerType() || T->isIntegerType() || freesNothing(T) || isPlainBox(T) ||
         (isContainer(T) && holdsPlainly(*T->getAsCXXRecordDecl()));
}

static bool holdsPlainly(const CXXRecordDecl &Container) {
  auto Held = typeArguments(Container);
  return !Held.empty() && isPlain(Held.front());
}

/// `all.data()`: the address of some element, where these hold pointers; else where they lie.
Operand ResourceGenerator::elementsOf(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getReturnType()->isPointerType() || !isContainer(Call->getObjectType()))
    return {};
  PathId All = pathOfObject(Call->getImplicitObjectArgument());
  if (All == NoPath)
    return {};
  if (holdsPlainly(*Method->getParent()))
    return {{Atom::Address, Out->Paths.extend(All, Step::elem())}};
  return {{Atom::Load, Out->Paths.extend(All, Step::data())}};
}

/// `index.emplace(key, all.begin())`: a container of iterators only keeps it.
static bool keepsIterators(const Expr &At, const Expr &Iterator) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&At);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  auto Plain = [](QualType T) { return T.getCanonicalType().getUnqualifiedType(); };
  return Method && isContainer(Call->getObjectType()) &&
         llvm::any_of(typeArguments(*Method->getParent()),
                      [&](QualType Held) { return Plain(Held) == Plain(Iterator.getType()); });
}

/// Whoever gets an iterator may free what the elements point to; operators do not, nor does an
/// iterator that is made from another.
bool ResourceGenerator::passIterator(const Expr &At, const Expr &Arg) {
  if (isIterator(Arg.getType()) && keepsIterators(At, Arg))
    return true;
  const bool IsAnother = isa<CXXConstructExpr>(At) && isIterator(At.getType());
  PathId Element = isa<CXXOperatorCallExpr>(At) || IsAnother ? NoPath : elementOf(Arg);
  if (Element == NoPath)
    return false;
  emitValue(ResourceEventKind::Escape, At, {{Atom::Load, Element}});
  emitTree(At, Element);
  return true;
}

/// `{}`, `std::vector<T *>()`, `std::vector<T *>(n)`: a container that holds nothing.
static bool isEmptyContainer(const Expr &E) {
  const Expr *Made = bare(&E);
  if (const auto *Braces = dyn_cast<CXXStdInitializerListExpr>(Made))
    Made = bare(Braces->getSubExpr());
  if (const auto *List = dyn_cast<InitListExpr>(Made))
    return List->getNumInits() == 0;
  const auto *Construct = dyn_cast<CXXConstructExpr>(Made);
  return Construct && llvm::all_of(Construct->arguments(), [](const Expr *Arg) {
           return isa<CXXDefaultArgExpr>(Arg) || bare(Arg)->getType()->isIntegerType();
         });
}

/// `all = {}`, `all = std::move(others)`: what \p Object held goes.
void ResourceGenerator::replaceElements(const CallExpr &Call, PathId Object, const Expr &New) {
  const bool IsEmpty = isEmptyContainer(New);
  const bool IsFollowed = pathOf(&New) != NoPath || Parts.count(bare(&New));
  if (IsEmpty || IsFollowed)
    emit(ResourceEventKind::Remove, Call).Path = Out->Paths.extend(Object, Step::elem());
  else
    emitTree(Call, Object);
  if (IsFollowed)
    assign(Call, Object, New);
}

/// `all.splice(all.begin(), all, it)`: the same elements in another order.
bool ResourceGenerator::onlyReorders(PathId Object, Args Arguments) {
  return Object != NoPath && Arguments.size() > 1 && llvm::any_of(Arguments, [&](const Expr *Arg) {
           return isContainer(Arg->getType()) && pathOf(Arg) == Object;
         });
}

/// `index.find(key)`, `index.erase(key)`: the key is only compared.
bool ResourceGenerator::onlyComparesKey(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || Method->getNumParams() != 1 || !isContainer(Member->getObjectType()))
    return false;
  auto Held = typeArguments(*Method->getParent());
  auto E = Api.effectOf(*Method);
  const QualType Key = Method->getParamDecl(0)->getType();
  return !(E && E->What == Does::Grow) && !Held.empty() && Key->isReferenceType() &&
         Key->getPointeeType().isConstQualified() &&
         (Held.front()->isRecordType() || onlyLooksUp(*Method, Out->Function->getBody())) &&
         Context.hasSameUnqualifiedType(Key->getPointeeType(), Held.front());
}

/// Whether \p Call only puts something into a container, or a container into another.
bool ResourceGenerator::visitContainerCall(const CallExpr &Call, PathId Object, Args Arguments) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (visitRemoval(Call, Object, Arguments) || visitEmplace(Call, Object, Arguments) ||
      visitPair(Call, Object, Arguments) || onlyReorders(Object, Arguments) ||
      onlyComparesKey(Call))
    return true;
  if (Object == NoPath || !Method || Arguments.size() != 1 ||
      !isContainer(Method->getFunctionObjectParameterType()))
    return false;
  const Expr &Arg = *Arguments.front();
  const bool Empties = Method->getOverloadedOperator() == OO_Equal && isEmptyContainer(Arg);
  if (isContainer(Arg.getType()) || Empties) {
    const bool Copies =
        Empties || Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator();
    const bool Swaps = Method->getIdentifier() && Method->getName() == "swap";
    if (Copies)
      replaceElements(Call, Object, Arg);
    else if (Swaps)
      swapElements(Call, Object, pathOf(&Arg));
    else
      emitTree(Call, Object); // `a.merge(b)`
    return Copies || Swaps;
  }
  auto E = Api.effectOf(*Method);
  if (!E || E->What != Does::Grow || !holdsPlainly(*Method->getParent()) ||
      !isPlain(Arg.getType()) || !isKnown(Arg))
    return false;
  noteAppended(Call, Object, Arg);
  assign(Call, Out->Paths.extend(Object, Step::elem()), Arg);
  return true;
}

/// A place, a pointer, a handle that a call returns, or a record that is made here or by a function
/// in view.
bool ResourceGenerator::isKnown(const Expr &Value) {
  return Value.getType()->isPointerType() || isa<InitListExpr>(bare(&Value)) ||
         Parts.count(bare(&Value)) || pathOf(&Value) != NoPath || !operand(&Value).empty();
}

/// `v.resize(0)`, `v.assign(n, nullptr)`: nothing that was in it stays.
static bool leavesNothing(const CXXMethodDecl &Method, llvm::ArrayRef<const Expr *> Arguments) {
  if (!Method.getIdentifier() || Arguments.empty())
    return false;
  auto Size = Method.getName() == "resize"
                  ? Arguments.front()->getIntegerConstantExpr(Method.getASTContext())
                  : std::nullopt;
  return Method.getName() == "assign" || (Size && *Size == 0);
}

/// `v.clear()`, `v.pop_back()`, `list.remove_if(isOld)`, and `m.erase(k)`, which says what comes
/// next or how many it took; `v.resize(n)` says nothing.
bool ResourceGenerator::visitRemoval(const CallExpr &Call, PathId Object, Args Arguments) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (Object == NoPath || !Method || !isContainer(Method->getFunctionObjectParameterType()) ||
      (Arguments.empty() != Method->getReturnType()->isVoidType() &&
       !leavesNothing(*Method, Arguments) &&
       !(Arguments.size() == 1 && leavesElements(*Arguments[0]))))
    return false;
  auto E = Api.effectOf(*Method);
  auto Held = typeArguments(*Method->getParent());
  if (Method->getIdentifier() && Method->getName() == "extract")
    return false; // the node that it returns has it
  // Who names the entry by its pointer has that pointer.
  bool IsNamed = llvm::any_of(
      Arguments, [](const Expr *Arg) { return bare(Arg)->getType()->isPointerType(); });
  if (!E || E->What != Does::Shrink || IsNamed || llvm::none_of(Held, isPlain))
    return false;
  emit(ResourceEventKind::Remove, Call).Path = Out->Paths.extend(Object, Step::elem());
  // Those behind it have other numbers then, by which this function may free them.
  if (Out->isOwnStorage(Object) &&
      llvm::any_of(Arguments, [](const Expr *Arg) { return isIterator(bare(Arg)->getType()); }))
    emitTree(Call, Object);
  return true;
}

//===-- Loops over elements -----------------------------------------------===//

ElementLoop ResourceGenerator::loopDown(const CountedDown &Down) {
  ElementLoop Out{Down.Begin, Down.Body, ManyElements, unsigned(Down.Last)};
  Out.End = endAt(*Down.Top, Down.SeesTop);
  if (Out.End.Number && !Out.End.Of && *Out.End.Number > Down.Last)
    Out.Rounds = unsigned(*Out.End.Number - Down.Last);
  return Out;
}

/// `++p`, `p += n`: the pointer or iterator that goes on to another element.
static const ValueDecl *movedOn(const Stmt &S) {
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S))
    return llvm::is_contained({OO_PlusPlus, OO_MinusMinus, OO_PlusEqual}, Op->getOperator())
               ? namedBy(Op->getArg(0))
               : nullptr;
  const auto *Step = dyn_cast<UnaryOperator>(&S);
  const auto *Jump = dyn_cast<CompoundAssignOperator>(&S);
  const Expr *Pointer = Step && Step->isIncrementDecrementOp() ? Step->getSubExpr()
                        : Jump                                 ? Jump->getLHS()
                                                               : nullptr;
  return Pointer && Pointer->getType()->isPointerType() ? namedBy(Pointer) : nullptr;
}

void ResourceGenerator::findElementLoops() {
  ElementLoops.clear();
  Walking.clear();
  anyBelow(Out->Function->getBody(), [&](const Stmt &S) {
    if (const ValueDecl *Pointer = movedOn(S))
      Walking.insert(Pointer);
    if (auto Counted = countedLoop(S, Out->Function->getBody(), Context)) {
      auto Number = constant(Counted->First);
      if (unsigned Rounds = Number && *Number >= 0 ? roundsOf(*Counted, Context) : 0)
        ElementLoops[Counted->Counter].push_back(
            {Counted->Begin, Counted->Body, Rounds, unsigned(*Number), Counted->Limit,
             Counted->Ahead, endAt(*Counted->Limit, Counted->ReachesLimit - Counted->Ahead)});
    } else if (auto Down = countedDown(S, Out->Function->getBody(), Context)) {
      ElementLoops[Down->Counter].push_back(loopDown(*Down));
    } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(&S)) {
      if (const VarDecl *V = Range->getLoopVariable(); V && namesElements(*Range))
        ElementLoops[V].push_back(rangeLoop(*Range));
    }
    return false;
  });
}

const ValueDecl *indexOf(const Expr *Target) {
  Target = bare(Target);
  if (const auto *Op = dyn_cast<UnaryOperator>(Target); Op && Op->getOpcode() == UO_AddrOf)
    Target = bare(Op->getSubExpr());
  else if (const auto *Sum = dyn_cast<BinaryOperator>(Target))
    return Sum->getOpcode() == BO_Add ? namedBy(Sum->getRHS()) : nullptr;
  while (const auto *Member = dyn_cast<MemberExpr>(Target))
    Target = bare(Member->getBase());
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Target))
    return namedBy(Element->getIdx());
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Target))
    return Op->getOperator() == OO_Subscript ? namedBy(Op->getArg(1)) : nullptr;
  if (const auto *At = dyn_cast<CXXMemberCallExpr>(Target))
    return At->getNumArgs() == 1 ? namedBy(At->getArg(0)) : nullptr;
  const ValueDecl *V = namedBy(Target);
  return V && V->getType()->isReferenceType() ? V : nullptr;
}

/// \p Taking fills \p Target, which may be another element in each round of a loop.
void ResourceGenerator::fillElements(SiteId Id, const Expr &Taking, const Expr &Target) {
  const ValueDecl *Index = indexOf(&Target);
  if (const ValueDecl *Pointer = namedBy(bare(&Target)); !Index && ElementLoops.count(Pointer)) {
    Index = Pointer;
    Out->Sites[Id].IntoNamed = true;
  }
  if (Index && isAlwaysBelow(Out->Function->getBody(), Taking))
    fillElementAt(Id, Taking, *Index);
}

void ResourceGenerator::fillElementAt(SiteId Id, const Expr &Taking, const ValueDecl &Index) {
  auto Loops = ElementLoops.find(&Index);
  if (Loops == ElementLoops.end()) {
    Out->Sites[Id].Index = &Index;
    return;
  }
  for (const ElementLoop &Loop : Loops->second)
    if (Loop.Rounds > 1 && contains(Loop.Body, &Taking)) {
      Out->Sites[Id].LoopBegin = Loop.Begin;
      Out->Sites[Id].First = Loop.First;
      Out->Sites[Id].End = Loop.End;
      Out->Sites[Id].Elements = Loop.Rounds;
    }
}

/// Of what a callee takes: in a loop of its own, or of this function.
void ResourceGenerator::fillElements(SiteId Id, const CallShape &C,
                                     const ResourceSummary::Taken &T) {
  Out->Sites[Id].Elements = T.Elements;
  Out->Sites[Id].First = T.Elements ? ManyElements : 0; // nobody says with which it begins
  for (const RelativeResourcePath &Where : T.Where)
    if (Where.Root == RelativeResourcePath::Param && Where.Param_ < C.Arguments.size())
      fillElements(Id, *C.Call, *C.Arguments[Where.Param_]);
  if (!isAlwaysBelow(Out->Function->getBody(), *C.Call))
    return;
  if (const ValueDecl *Index = T.Index ? indexGivenTo(C, *T.Index) : nullptr)
    fillElementAt(Id, *C.Call, *Index);
  if (T.Appended)
    noteAppendedTo(Id, *C.Call);
}

/// What the callee knows by the name \p Index is another element in each round of a loop here.
const ValueDecl *ResourceGenerator::indexGivenTo(const CallShape &C, const ValueDecl &Index) {
  const auto *Param = dyn_cast<ParmVarDecl>(&Index);
  if (!Param || Param->getDeclContext() != &C.Callee)
    return &Index; // which a lambda captures
  const unsigned I = Param->getFunctionScopeIndex();
  return I < C.Arguments.size() ? namedBy(C.Arguments[I]) : nullptr;
}

} // namespace tensorleak
