//===-- ResourceLists.cpp - What lists in braces make, and name ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `Pair p{a, b};`, `return {a, b};`, `return std::make_tuple(a, b);`, `for (float **p : {&a, &b})`
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Statements.h"

using namespace clang;

namespace tensorleak {

/// False where \p List makes no record whose members it names one by one.
static bool forEachMember(const InitListExpr &List,
                          llvm::function_ref<void(const FieldDecl &, const Expr &)> Visit) {
  const RecordDecl *Record = List.getType()->getAsRecordDecl();
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  if (!Record || Record->isUnion() || (Class && Class->getNumBases() > 0))
    return false;
  unsigned I = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField() || I == List.getNumInits())
      continue;
    if (const Expr *Init = List.getInit(I++)) // null after errors
      Visit(*Field, *Init);
  }
  return true;
}

/// `{{a, b}}`, of a std::array: the inner list.
static const InitListExpr *arrayIn(const InitListExpr &List) {
  const CXXRecordDecl *Class = List.getType()->getAsCXXRecordDecl();
  const bool IsArray = Class && Class->isInStdNamespace() && List.getNumInits() == 1;
  return IsArray ? dyn_cast_or_null<InitListExpr>(List.getInit(0)) : nullptr;
}

const InitListExpr *listedElements(const Expr &E) {
  const Expr *Made = bare(&E);
  if (const auto *List = dyn_cast<InitListExpr>(Made))
    return arrayIn(*List);
  if (const auto *C = dyn_cast<CXXConstructExpr>(Made);
      C && C->getNumArgs() && isContainer(C->getType()))
    Made = bare(C->getArg(0));
  const auto *List = dyn_cast<CXXStdInitializerListExpr>(Made);
  return List ? dyn_cast<InitListExpr>(bare(List->getSubExpr())) : nullptr;
}

/// `std::vector<float *> all{a, b};`: as what push_back() adds. What is under keys is not followed.
void ResourceGenerator::assignElements(const Stmt &At, PathId Target, const InitListExpr &List) {
  for (const Expr *Each : List.inits())
    if (const QualType Type = Each->getType(); Type->isRecordType() && isFollowedBox(Type))
      anyBelow(Each, [&](const Stmt &S) {
        if (const auto *Part = dyn_cast<Expr>(&S); Part && Part->getType()->isPointerType())
          emitValue(ResourceEventKind::Escape, At, operand(Part));
        return false;
      });
    else
      assign(At, Out->Paths.extend(Target, Step::elem()), *Each);
}

void ResourceGenerator::assignList(const Stmt &At, PathId Target, const InitListExpr &List) {
  if (const InitListExpr *Array = arrayIn(List))
    return assignList(At, Target, *Array);
  if (!List.getType()->isRecordType()) {
    for (unsigned I = 0; I < List.getNumInits(); ++I)
      if (const Expr *Init = List.getInit(I))
        assign(At, Out->Paths.extend(Target, Step::elem(I)), *Init);
    return;
  }
  forEachMember(List, [&](const FieldDecl &Field, const Expr &Init) {
    assign(At, Out->Paths.extend(Target, Step::field(Field)), Init);
    if (Field.getType()->isReferenceType())
      freeLater(pathOf(&Init));
  });
}

/// `Slot()`, `{}`, `Slot{nullptr, 0}`: a record that is given nothing to hold.
static bool holdsNothing(const Expr &Value) {
  const Expr *E = bare(&Value);
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  const bool IsList = isa<InitListExpr>(E);
  return (Made && Made->getNumArgs() == 0) ||
         (IsList && !mentions(E, [](const Expr &Part) {
            return isa<DeclRefExpr, MemberExpr, CallExpr>(Part);
          }));
}

void ResourceGenerator::copyRecord(const Expr &At, PathId Target, const Expr &Value) {
  if (Target != NoPath && holdsNothing(Value))
    removeWhole(At, Target, Value.getType());
  if (Target != NoPath)
    return assign(At, Target, Value);
  emitTree(At, pathOf(&Value));
}

//===-- Loops over lists --------------------------------------------------===//

/// `for (T &x : array)`.
static std::optional<unsigned> elementsIn(QualType Range, const ASTContext &Context) {
  if (const auto *Array = Context.getAsConstantArrayType(Range))
    return Array->getZExtSize();
  const auto *Class =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Range->getAsCXXRecordDecl());
  const bool IsArray = Class && Class->isInStdNamespace() && Class->getName() == "array";
  return IsArray
             ? std::optional<unsigned>(Class->getTemplateArgs()[1].getAsIntegral().getExtValue())
             : std::nullopt;
}

/// `for (float **p : {&a, &b})`: the list.
static const InitListExpr *listOf(const CXXForRangeStmt &Loop) {
  const Expr *Range = bare(Loop.getRangeInit());
  if (const auto *Made = dyn_cast<CXXStdInitializerListExpr>(Range))
    Range = bare(Made->getSubExpr());
  return dyn_cast<InitListExpr>(Range);
}

ElementLoop ResourceGenerator::rangeLoop(const CXXForRangeStmt &Loop) const {
  auto Rounds = elementsIn(bare(Loop.getRangeInit())->getType(), Context);
  if (const InitListExpr *List = listOf(Loop))
    Rounds = List->getNumInits();
  ElementLoop Out{Loop.getRangeStmt(), Loop.getBody(), Rounds.value_or(ManyElements)};
  if (Rounds)
    Out.End.Number = *Rounds;
  return Out;
}

/// Each element, or, by its address, each variable of a list.
bool ResourceGenerator::namesElements(const CXXForRangeStmt &Loop) {
  const QualType Type = Loop.getLoopVariable()->getType();
  return Type->isReferenceType() || (Type->isPointerType() && listOf(Loop));
}

//===-- Objects -------------------------------------------------------------===//

/// `memset(object, 0, sizeof *object)`: its pointers are null, and hold nothing.
bool ResourceGenerator::visitZeroing(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const bool Zeroes = Callee->getIdentifier() && Callee->getName() == "memset" &&
                      Call.getNumArgs() == 3 && constant(Call.getArg(1)) == 0;
  const Expr *Object = Zeroes ? bare(Call.getArg(0)) : nullptr;
  const auto *Record = Object && Object->getType()->isPointerType()
                           ? Object->getType()->getPointeeType()->getAsRecordDecl()
                           : nullptr;
  const PathId P = Record ? pathOfObject(Object) : NoPath;
  if (P == NoPath)
    return false;
  for (const FieldDecl *Field : Record->fields())
    if (Field->getType()->isPointerType())
      emit(ResourceEventKind::Assign, Call).Path = Out->Paths.extend(P, Step::field(*Field));
  return true;
}

/// An object that is made of resources goes where we do not follow.
void ResourceGenerator::escapeParts(const Stmt &At, const InitListExpr &List) {
  for (const Expr *Each : List.inits()) {
    emitValue(ResourceEventKind::Escape, At, operand(Each));
    if (const auto *Inner = dyn_cast<InitListExpr>(bare(Each)))
      escapeParts(At, *Inner);
  }
}

//===-- What a function returns -------------------------------------------===//

void ResourceGenerator::visitReturn(const ReturnStmt &R) {
  const Expr *Value = R.getRetValue();
  if (!Value)
    return;
  returnPart(R, *Value, {});
}

/// \p Value becomes the part \p Below of what is returned, or all of it.
void ResourceGenerator::returnPart(const ReturnStmt &R, const Expr &Value,
                                   std::vector<Step> Below) {
  if (giveAway(R, Value) || returnParts(R, *bare(&Value), Below))
    return;
  returnNames(R, Value, Below);
  returnCopy(R, Value, Below);
  ResourceEvent &E = emit(ResourceEventKind::Return, R);
  E.Value = operand(&Value);
  E.Below = std::move(Below);
  if (Value.getType()->isRecordType())
    E.Path = pathOf(&Value);
  for (const ReturnedPart &Part : partsReturnedBy(Value))
    if (Part.Value.empty())
      E.Parts.push_back(Part);
}

/// `return {a, b};` and `return std::make_pair(a, b);`.
bool ResourceGenerator::returnParts(const ReturnStmt &R, const Expr &Value,
                                    llvm::ArrayRef<Step> Below) {
  auto Return = [&](const Expr *Part, Step S) {
    std::vector<Step> Here(Below.begin(), Below.end());
    Here.push_back(S);
    if (Part)
      returnPart(R, *Part, std::move(Here));
  };
  if (const auto *Written = dyn_cast<InitListExpr>(&Value)) {
    const auto *List = Written->isSemanticForm() ? Written : Written->getSemanticForm();
    if (!forEachMember(
            *List, [&](const FieldDecl &F, const Expr &Init) { Return(&Init, Step::field(F)); }))
      escapeParts(R, *List);
    return true;
  }
  auto Parts = isFollowedBox(Value.getType()) ? partsOfNewBox(Value) : std::nullopt;
  if (!Parts)
    return false;
  for (const auto &[Index, Part] : llvm::enumerate(*Parts))
    Return(Part, partStep(Value.getType(), Index));
  return true;
}

} // namespace tensorleak
