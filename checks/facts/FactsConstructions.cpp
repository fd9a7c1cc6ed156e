//===-- FactsConstructions.cpp - New objects ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a constructor in view does with what it is given, callers know by its summary; so they do
// where the library runs it, as `emplace_back` and `make_shared` do.
//
//===----------------------------------------------------------------------===//
#include "checks/facts/FactsGenerator.h"

#include "checks/model/ClassNames.h"
#include "checks/source/Functions.h"
#include "checks/source/Types.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

/// All methods have bodies here, and nothing happens where an object ends.
static bool isInView(const CXXRecordDecl &Class) {
  return Class.hasDefinition() && !Class.hasUserDeclaredDestructor() &&
         llvm::all_of(Class.methods(), [](const CXXMethodDecl *M) { return isSeenHere(*M); });
}

void FactsGenerator::visitConstruct(const CXXConstructExpr &C) {
  const CXXConstructorDecl &Constructor = *C.getConstructor();
  llvm::SmallVector<const Expr *, 4> Operands(C.arg_begin(), C.arg_end());
  if (runLambdas(C, Operands))
    return;
  const bool Copies = Constructor.isCopyOrMoveConstructor();
  if (!Copies)
    handOverPointers(C, Operands);
  bool OfLibrary =
      Constructor.isInStdNamespace() || Model.classify(C.getType()) == TypeClass::Optimizer;
  if (Copies || OfLibrary || Model.isTensorIterator(C.getType()))
    return;
  if (Model.holdsTensors(C.getType())) { // where it is not known, it may hold all of them
    if (ValueId Object = newObject(C, &Constructor, Operands); Object != NoId)
      ExprValues[&C] = Object;
    return;
  }
  if (Model.isPlainData(C.getType())) // it keeps nothing
    return applyConstructor(C, Operands);
  // A user's object built from tensors or optimizers may do anything to them.
  const bool IsInView = summaryOfNewObject(&Constructor) && isInView(*Constructor.getParent());
  for (const Expr *Arg : Operands) {
    if (ValueId V = operand(Arg); V != NoId)
      emit(EventKind::Escape, C, placeBehind(V), V);
    else if (PlaceId P = mayChange(*Arg, IsInView) ? placeOf(Arg) : NoId; P != NoId)
      emit(EventKind::Unknown, C, P);
  }
}

/// A new object may change what it is given, at once or later. Where all that its class does is
/// \p InView, that stands where its methods are called; but what holds tensors or is a model's has
/// other names there.
bool FactsGenerator::mayChange(const Expr &Given, bool InView) {
  const QualType Type = strip(&Given)->getType();
  const bool IsFollowed = InView && !Model.holdsTensors(Type) && !Type->isPointerType() &&
                          Model.classify(Type) == TypeClass::Other;
  return !Model.isPlainData(Type) && !IsFollowed;
}

/// Of a class whose objects keep nothing: what its body does is all that happens.
void FactsGenerator::applyConstructor(const CXXConstructExpr &C, Args Operands) {
  const CXXConstructorDecl &Constructor = *C.getConstructor();
  if (const Summary *S = summaryOf(&Constructor))
    return applySummary(C, Constructor, *S, Operands, nullptr);
  // `TensorOptions(device)` takes what it is given by a reference that could be written.
  const bool IsOfLibTorch = isInLibTorch(namespaceOf(*Constructor.getParent()));
  for (unsigned I = 0; I < Operands.size() && I < Constructor.getNumParams(); ++I) {
    TypeClass Class = Model.classify(strip(Operands[I])->getType());
    bool IsHandle = Class == TypeClass::Module || Class == TypeClass::Optimizer;
    PlaceId P =
        IsHandle || (!IsOfLibTorch && mayWriteThrough(Constructor.getParamDecl(I)->getType()))
            ? placeOf(Operands[I])
            : NoId;
    if (P != NoId)
      emit(EventKind::Unknown, C, P);
  }
}

//===-- Objects with tensors in them ---------------------------------------===//

/// A part of the object is made by another constructor than \p Constructor: that of a base, or
/// the one that it delegates to. What these hold is not told by its summary.
static bool leavesPartsToOthers(const CXXConstructorDecl &Constructor) {
  const FunctionDecl *Body = nullptr;
  if (!Constructor.hasBody(Body))
    return true;
  return llvm::any_of(cast<CXXConstructorDecl>(Body)->inits(), [](const CXXCtorInitializer *I) {
    return I->isWritten() && !I->isAnyMemberInitializer();
  });
}

const Summary *FactsGenerator::summaryOfNewObject(const CXXConstructorDecl *Constructor) const {
  const Summary *S = Constructor ? summaryOf(Constructor) : nullptr;
  if (!S || leavesPartsToOthers(*Constructor))
    return nullptr;
  auto MayPutAnything = [](const SummaryEffect &Effect) {
    return Effect.Kind == EventKind::Unknown && Effect.Where.Root == RelativePlace::This;
  };
  return llvm::any_of(S->Effects, MayPutAnything) ? nullptr : S;
}

/// What the new object holds is what its constructor keeps of \p Operands; nothing where that is
/// not known.
ValueId FactsGenerator::newObject(const Expr &Made, const CXXConstructorDecl *Constructor,
                                  Args Operands) {
  const Summary *S = summaryOfNewObject(Constructor);
  if (!S)
    return NoId;
  applyEffects(Made, *Constructor, *S, Operands, nullptr);
  const ValueId Object = fromCall(Made, Operands, S->Returned, S->ReturnedFrom);
  emit(EventKind::Compute, Made, NoId, Object).Callee = Constructor;
  return Object;
}

/// The arguments fit by whether they hold tensors; conversions among numbers and texts are not
/// told apart.
bool FactsGenerator::mayTake(const CXXConstructorDecl &Constructor, Args Operands) {
  if (Constructor.isDeleted())
    return false;
  for (unsigned I = 0; I < Operands.size(); ++I)
    if (Model.holdsTensors(Constructor.getParamDecl(I)->getType()) !=
        Model.holdsTensors(strip(Operands[I])->getType()))
      return false;
  return true;
}

/// The one constructor of the class \p Made that the library can run with \p Operands; null where
/// it copies an object, or there are several.
const CXXConstructorDecl *FactsGenerator::constructorRun(QualType Made, Args Operands) {
  const CXXRecordDecl *Class = Made->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition() || Class->isInStdNamespace() || !Model.holdsTensors(Made) ||
      Model.isTensor(Made))
    return nullptr;
  return constructorFor(*Class, Operands.size(),
                        [&](const CXXConstructorDecl &Each) { return mayTake(Each, Operands); });
}

/// `std::make_shared<T>(...)`, `std::make_unique<T>(...)`: the pointer holds what the new object
/// does.
bool FactsGenerator::makesObject(const CallExpr &Call, Args Operands) {
  const CXXRecordDecl *Pointer = Call.getType()->getAsCXXRecordDecl();
  if (!isMaker(Call) || !Pointer || typeArguments(*Pointer).empty())
    return false;
  const CXXConstructorDecl *Constructor = constructorRun(typeArguments(*Pointer).front(), Operands);
  if (!Constructor)
    return false;
  handOverPointers(Call, Operands);
  const ValueId Object = newObject(Call, Constructor, Operands);
  if (Object != NoId)
    ExprValues[&Call] = Object;
  else
    group(Call);
  return true;
}

/// `list.emplace_back(...)`, `map.emplace(key, ...)`: what the entry that is made in place holds;
/// nothing where no constructor in view makes it.
ValueId FactsGenerator::valueMadeInPlace(const CallExpr &Call, Args Operands) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const CXXRecordDecl *List = recordOf(strip(Operands.front())->getType());
  if (!List || !Callee || !Callee->getIdentifier() || !Callee->getName().contains("emplace"))
    return NoId;
  const bool IsKeyed = Model.isKeyed(strip(Operands.front())->getType());
  auto Types = typeArguments(*List);
  if (Types.size() <= IsKeyed || Operands.size() <= 1u + IsKeyed)
    return NoId;
  Args Given = Operands.drop_front(1 + IsKeyed);
  return newObject(Call, constructorRun(Types[IsKeyed], Given), Given);
}

/// `Batch batch(x, y)`: each of the fields has its own value.
bool FactsGenerator::storeMembers(PlaceId P, const Expr &Init, const Stmt &S) {
  const auto *C = dyn_cast<CXXConstructExpr>(strip(&Init));
  const Summary *Known = C ? summaryOfNewObject(C->getConstructor()) : nullptr;
  if (!Known || !Model.holdsTensors(C->getType()) || C->getConstructor()->isCopyOrMoveConstructor())
    return false;
  const Args Operands(C->getArgs(), C->getNumArgs());
  emit(EventKind::Store, S, P).Declares = true;
  for (const SummaryEffect &Effect : Known->Effects) {
    if (Effect.Where.Root != RelativePlace::This || Effect.Where.Fields.empty() ||
        !events::writes(Effect.Kind))
      continue;
    const bool IsEmpty = Effect.Graph == GraphOut::No && Effect.FromParams.empty();
    const bool Puts = Effect.Kind == EventKind::Store && !Effect.Conditional;
    Event &Fill =
        emit(Puts ? EventKind::Store : EventKind::StoreWeak, S, partAt(P, Effect.Where.Fields),
             IsEmpty ? NoId : fromCall(*C, Operands, Effect.Graph, Effect.FromParams));
    Fill.Declares = true;
    Fill.Callee = C->getConstructor();
  }
  return true;
}

//===-- new ----------------------------------------------------------------===//

void FactsGenerator::visitNew(const CXXNewExpr &N) {
  TypeClass Class = Model.classify(N.getAllocatedType());
  bool Matters = Class == TypeClass::Tensor || Class == TypeClass::Optimizer ||
                 Class == TypeClass::Module || N.isArray();
  if (!Matters || N.getNumPlacementArgs())
    return;
  Value V;
  V.From = Source::New;
  if (const Expr *Init = N.getInitializer())
    if (ValueId In = operand(Init); In != NoId)
      V.Inputs.push_back(In);
  ValueId Id = addValue(&N, std::move(V));
  emit(EventKind::Compute, N, NoId, Id);
}

} // namespace tensorleak
