//===-- ResourceGenerator.cpp - Statements --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"

using namespace clang;

namespace tensorleak {

/// What is known of the expressions and variables of the one before.
void ResourceGenerator::forgetFunction() {
  Results.clear();
  Aliases.clear();
  Iterators.clear();
  Targets.clear();
  Placed.clear();
  Rotations.clear();
  Parts.clear();
  Temporaries.clear();
  CopiedElements.clear();
  TriesUnseen.clear();
  Discarded.clear();
  Asked.reset();
  Uses.reset();
  NullTested.reset();
  Owners.reset();
  Unnamed.clear();
  RangeLoops.clear();
  FreedLater.clear();
  LastCallOf.clear();
}

ResourceFacts ResourceGenerator::generate(const FunctionDecl &F, const CFG &Cfg) {
  ResourceFacts Facts;
  Facts.Function = &F;
  Facts.Cfg = &Cfg;
  Facts.Blocks.resize(Cfg.getNumBlockIDs());
  Out = &Facts;
  forgetFunction();
  Facts.AreThrowsCaught = Throwing.areCaught();
  Guards = EndGuards(F, Cfg);
  findTargets();
  findElementLoops();
  PostOrderCFGView Order(&Cfg);
  for (const CFGBlock *Each : Order) {
    BlockAtHand = Each->getBlockID();
    Events = &Facts.Blocks[BlockAtHand];
    LastCall = lastCallBefore(*Each);
    Named.clear();
    for (const CFGElement &Element : *Each)
      visitElement(Element);
    leaveExchanges();
    visitBranch(*Each);
    LastCallOf[Each] = LastCall;
  }
  addLaterEscapes();
  return Facts;
}

/// That of the only block that leads to \p Block, which was visited before.
const CallExpr *ResourceGenerator::lastCallBefore(const CFGBlock &Block) const {
  const CFGBlock *Only = nullptr;
  for (const CFGBlock *From : Block.preds())
    if (From && std::exchange(Only, From))
      return nullptr;
  return Only ? LastCallOf.lookup(Only) : nullptr;
}

/// The member of a structure that \p B is the name of; null for parts of a pair or a tuple.
static const FieldDecl *fieldNamedBy(const BindingDecl &B) {
  const auto *Member = B.getBinding() ? dyn_cast<MemberExpr>(bare(B.getBinding())) : nullptr;
  return Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
}

/// `for (Slot s : slots) cudaMalloc(&s.data, n);`: what is filled is a copy.
static bool isFilledCopy(const VarDecl &V, const CXXForRangeStmt &Loop) {
  return !V.getType()->isReferenceType() && anyBelow(Loop.getBody(), [&](const Stmt &S) {
    const auto *Address = dyn_cast<UnaryOperator>(&S);
    const Expr *Place =
        Address && Address->getOpcode() == UO_AddrOf ? bare(Address->getSubExpr()) : nullptr;
    while (const auto *Part = dyn_cast_or_null<MemberExpr>(Place))
      Place = Part->isArrow() ? nullptr : bare(Part->getBase());
    return Place && variableRead(*Place) == &V;
  });
}

/// `for (auto &p : buffers)`: p is any element of buffers, which may be another name itself.
void ResourceGenerator::bindRangeVariable(const CXXForRangeStmt &Loop) {
  const PathId Element = elementOfRange(Loop);
  const VarDecl *V = Loop.getLoopVariable();
  if (isFilledCopy(*V, Loop)) {
    CopiedElements[V] = Element;
    return;
  }
  Aliases[V] = Element;
  if (const auto *D = dyn_cast<DecompositionDecl>(V))
    for (const BindingDecl *B : D->bindings()) {
      const FieldDecl *Field = fieldNamedBy(*B);
      Aliases[B] = Field ? Out->Paths.extend(Element, Step::field(*Field)) : Element;
    }
}

//===-- Statements --------------------------------------------------------===//

void ResourceGenerator::visitElement(const CFGElement &Element) {
  if (auto S = Element.getAs<CFGStmt>())
    return forEachEvaluated(*S->getStmt(), [&](const Stmt &Part) {
      visitStmt(Part);
      endExchangesIn(Part);
    });
  if (auto Init = Element.getAs<CFGInitializer>())
    return visitInitializer(*Init->getInitializer());
  if (auto Dtor = Element.getAs<CFGAutomaticObjDtor>())
    return visitEndOfLife(*Dtor->getVarDecl(), *Dtor->getTriggerStmt());
  visitEndOfPart(Element);
}

/// `reinterpret_cast<uintptr_t>(p) | tag`: the pointer of which \p Op makes another number; null
/// for none.
static const Expr *pointerTagged(const BinaryOperator &Op) {
  const Expr *Found = nullptr;
  if (Op.getOpcode() == BO_Or || Op.getOpcode() == BO_Xor)
    for (const Expr *Side : {Op.getLHS(), Op.getRHS()})
      if (const auto *Cast = dyn_cast<CastExpr>(Side->IgnoreParenImpCasts());
          Cast && Cast->getCastKind() == CK_PointerToIntegral)
        Found = Cast->getSubExpr();
  return Found;
}

void ResourceGenerator::visitStmt(const Stmt &S) {
  if (const auto *E = dyn_cast<Expr>(&S); E && (yieldedAtOnce(*E) || Placed.contains(E)))
    return; // its parts were visited, and what has it comes later
  if (visitRotation(S))
    return;
  if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each))
        visitVar(*V, S);
  } else if (const auto *R = dyn_cast<ReturnStmt>(&S)) {
    visitReturn(*R);
  } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    const auto *Set = dyn_cast<CXXOperatorCallExpr>(Call);
    if (const auto *To =
            Set && Set->isAssignmentOp() ? dyn_cast<DeclRefExpr>(bare(Set->getArg(0))) : nullptr)
      bindIterator(*To->getDecl(), Set->getArg(1));
    visitCall(*Call);
    if (maySetLastError(*Call))
      LastCall = Call;
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(&S)) {
    visitConstruct(*C);
  } else if (const auto *N = dyn_cast<CXXNewExpr>(&S)) {
    visitNew(*N);
  } else if (const auto *D = dyn_cast<CXXDeleteExpr>(&S)) {
    visitDelete(*D);
  } else if (const auto *R = dyn_cast<RecoveryExpr>(&S)) {
    visitRecovery(*R);
  } else if (const auto *M = dyn_cast<MemberExpr>(&S)) {
    if (!M->isArrow() && isa<FieldDecl>(M->getMemberDecl()))
      placeTemporary(*M->getBase());
  } else if (const auto *B = dyn_cast<BinaryOperator>(&S)) {
    visitBinary(*B);
  }
}

void ResourceGenerator::visitBinary(const BinaryOperator &B) {
  if (const Expr *Pointer = pointerTagged(B)) // whoever has the number has it
    return emitValue(ResourceEventKind::Escape, B, operand(Pointer));
  if (B.getOpcode() != BO_Assign)
    return;
  PathId Target = pathOf(B.getLHS());
  if (Target == NoPath)
    emitValue(ResourceEventKind::Escape, B, operand(B.getRHS()));
  else
    assign(B, Target, *B.getRHS());
  noteStored(*B.getLHS(), *B.getRHS());
}

/// `auto [data, bytes] = made();`: each name is that of a part of \p Whole.
void ResourceGenerator::nameBindings(const DecompositionDecl &D, PathId Whole) {
  QualType Type = D.getType().getNonReferenceType();
  const bool IsBox = isFollowedBox(Type);
  for (const auto &[Part, B] : llvm::enumerate(D.bindings())) {
    if (B->getType().isNull())
      continue; // of something that did not parse
    const FieldDecl *Field = fieldNamedBy(*B);
    if (IsBox || Field)
      Aliases[B] = Out->Paths.extend(Whole, IsBox ? partStep(Type, Part) : Step::field(*Field));
    if (isIterator(B->getType()))
      bindIterator(*B, D.getInit()); // `auto [it, isNew] = all.try_emplace(key);`
  }
}

void ResourceGenerator::visitVar(const VarDecl &V, const Stmt &S) {
  if (Aliases.count(&V) || V.isStaticLocal())
    return; // a static variable is initialized once, before it is of interest
  const Expr *Init = V.getInit();
  if (auto It = RangeLoops.find(&V); It != RangeLoops.end())
    bindRangeVariable(*It->second);
  if (V.getType()->isReferenceType()) {
    if (PathId Target = Init ? pathOf(Init) : NoPath; Target != NoPath) {
      Aliases[&V] = Target;
      if (const auto *D = dyn_cast<DecompositionDecl>(&V))
        nameBindings(*D, Target);
    } else if (Init && (V.isImplicit() || !partsReturnedBy(*Init).empty()))
      assign(S, Out->Paths.root(&V), *Init);
    return;
  }
  if (auto It = CopiedElements.find(&V); It != CopiedElements.end()) {
    declare(Out->Paths.root(&V), S);
    return copyPlace(S, Out->Paths.root(&V), It->second, V.getType());
  }
  bindIterator(V, Init);
  const unsigned Before = Events->size();
  PathId P = Out->Paths.root(&V);
  if (const auto *D = dyn_cast<DecompositionDecl>(&V))
    nameBindings(*D, P);
  if (!Init || !Targets.count(bare(Init))) // else where it is constructed
    declare(P, S);
  if (Init) {
    assign(S, P, *Init);
    fillObject(S, P, *Init);
  }
  if (Init && V.getType()->isBooleanType())
    nameCondition(V, Before);
}

/// The names that were given just before hold as well: that of a condition changes no pointer.
void ResourceGenerator::nameCondition(const VarDecl &V, unsigned Before) {
  for (auto &[Other, At] : Named)
    if (At == Before)
      At = Events->size();
  Named[&V] = Events->size();
}

void ResourceGenerator::visitInitializer(const CXXCtorInitializer &Init) {
  const FieldDecl *Field = Init.getAnyMember();
  if (Field && Init.getInit())
    assign(*Init.getInit(), Out->Paths.extend(Out->Paths.root(nullptr), Step::field(*Field)),
           *Init.getInit());
  if (Init.getInit())
    endExchanges(*Init.getInit());
}

//===-- Assignment --------------------------------------------------------===//

/// Gives \p Do the pointers and handles in the record at \p P.
void ResourceGenerator::forEachHandle(PathId P, QualType Type, llvm::function_ref<void(PathId)> Do,
                                      unsigned Depth) {
  if (isFollowedBox(Type))
    return forEachPart(P, Type, Do, Depth);
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Record->isUnion() || isOver(Budget::NestedRecords, Depth + 1) ||
      isInLibraryHeader(*Record))
    return;
  for (const FieldDecl *Field : Record->fields()) {
    if (mayBeHandle(Field->getType()) || isTakenWhole(Field->getType()))
      Do(Out->Paths.extend(P, Step::field(*Field)));
    else if (Field->getType()->isRecordType())
      forEachHandle(Out->Paths.extend(P, Step::field(*Field)), Field->getType(), Do, Depth + 1);
  }
}

/// Names the pointers and handles in the record at \p P, or those that a container there holds, so
/// that a copy of the whole copies them.
void ResourceGenerator::nameHandles(PathId P, QualType Type) {
  if (isContainer(Type))
    if (auto Held = typeArguments(*Type->getAsCXXRecordDecl()); !Held.empty()) {
      P = Out->Paths.extend(P, Step::elem());
      Type = Held.front();
    }
  forEachHandle(P, Type, [](PathId) {});
}

/// A library's C struct, such as a cudaPitchedPtr: its pointers have no names here, and what
/// it holds is held by the whole.
bool ResourceGenerator::isTakenWhole(QualType Type) const {
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  return Record && Record->isCLike() && isInLibraryHeader(*Record) &&
         llvm::any_of(Record->fields(),
                      [](const FieldDecl *F) { return F->getType()->isPointerType(); });
}

void ResourceGenerator::emitCopy(const Stmt &At, PathId Target, PathId From) {
  ResourceEvent &Copy = emit(ResourceEventKind::Assign, At);
  Copy.Path = Target;
  Copy.Value = {{Atom::Load, From}};
}

/// `auto each = all[i];`: what the element holds is in the parts of a pair of the function's own.
void ResourceGenerator::copyPair(const Stmt &At, PathId Target, PathId From, QualType Type) {
  if (boxKind(Type) != BoxKind::Parts || Out->Paths.last(From).What != Step::Elem)
    return;
  for (unsigned Part = 0; Part < partsOf(Type).size(); ++Part)
    if (Out->Paths.extend(From, partStep(Type, Part)) == From)
      emitCopy(At, Out->Paths.extend(Target, partStep(Type, Part)), From);
}

/// What is at \p From is at \p Target, too: a pointer, or all that a record holds.
void ResourceGenerator::copyPlace(const Stmt &At, PathId Target, PathId From, QualType Type) {
  if (!Type->isRecordType() || Model.isPointer(Type))
    return emitCopy(At, Target, From);
  nameHandles(From, Type);
  if (isTakenWhole(Type))
    emitCopy(At, Target, From);
  copyPair(At, Target, From, Type);
  ResourceEvent &Copy = emit(ResourceEventKind::CopyTree, At);
  Copy.Path = Target;
  Copy.From = From;
}

/// `float **`
static bool isPointerToHandles(QualType Type) {
  return Type->isPointerType() && mayBeHandle(Type->getPointeeType());
}

void ResourceGenerator::assign(const Stmt &At, PathId Target, const Expr &Value) {
  if (Value.getType().isNull()) // arguments in parentheses that were not understood
    return;
  const Expr *E = bare(&Value);
  const bool IsRecord = Value.getType()->isRecordType() && !Model.isPointer(Value.getType());
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return assignList(At, Target, *(List->isSemanticForm() ? List : List->getSemanticForm()));
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E))
    return assign(At, Target, *List->getSubExpr());
  if (const InitListExpr *Elements = listedElements(*E))
    return assignElements(At, Target, *Elements);
  if (IsRecord)
    takeParts(At, Target, *E);
  if (fillBox(At, Target, *E))
    return;
  if (IsRecord) {
    if (PathId From = pathOf(E); From != NoPath)
      copyPlace(At, Target, From, Value.getType());
    return;
  }
  ResourceEvent &Store = emit(ResourceEventKind::Assign, At);
  Store.Path = Target;
  Store.Value = operand(E);
  if (Out->Paths.last(Target).What == Step::Root && isPointerToHandles(Value.getType()))
    if (PathId Named = pathOf(E); Named != NoPath)
      Out->OtherNames.try_emplace(Out->Paths.variable(Target), Named);
  takeParts(At, Target, *E); // below the new pointer
}

//===-- Events ------------------------------------------------------------===//

ResourceEvent &ResourceGenerator::emit(ResourceEventKind Kind, const Stmt &At) {
  ResourceEvent E;
  E.Kind = Kind;
  E.At = &At;
  Events->push_back(std::move(E));
  return Events->back();
}

void ResourceGenerator::emitValue(ResourceEventKind Kind, const Stmt &At, Operand Value,
                                  std::optional<CallAnswer> When) {
  if (Value.empty())
    return;
  ResourceEvent &E = emit(Kind, At);
  E.Value = std::move(Value);
  E.When = When;
}

void ResourceGenerator::emitTree(const Stmt &At, PathId P) {
  if (P != NoPath)
    emit(ResourceEventKind::EscapeTree, At).Path = P;
}

} // namespace tensorleak
