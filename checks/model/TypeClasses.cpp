//===-- TypeClasses.cpp - ApiModel: what types are to LibTorch ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/Budgets.h"
#include "checks/model/ApiModel.h"
#include "checks/model/ApiTables.h"
#include "checks/model/ClassNames.h"
#include "checks/model/mutation/Mutation.h"

using namespace clang;
using llvm::StringRef;

namespace tensorleak {

TypeClass ApiModel::classify(QualType T) {
  if (T.isNull() || T->isDependentType())
    return TypeClass::Other;
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  auto It = Classes.find(T.getTypePtr());
  if (It != Classes.end())
    return It->second;
  TypeClass C = computeClass(T, 0);
  Classes[T.getTypePtr()] = C;
  return C;
}

bool ApiModel::holdsTensors(QualType T) { return holdsTensors(T, 0); }

bool ApiModel::isOnlyTensor(const Decl *Member) {
  const auto *Field = dyn_cast_or_null<FieldDecl>(Member);
  return Field && isTensor(Field->getType()) &&
         llvm::count_if(Field->getParent()->fields(),
                        [&](const FieldDecl *Each) { return holdsTensors(Each->getType()); }) == 1;
}

bool ApiModel::holdsTensors(QualType T, unsigned Depth) {
  switch (computeClass(T, Depth)) {
  case TypeClass::Tensor:
  case TypeClass::TensorContainer:
  case TypeClass::TensorRecord:
  case TypeClass::TensorTuple:
    return true;
  default:
    return false;
  }
}

static TypeClass classByName(StringRef Name) {
  if (Name == "torch::nn::Module" || Name == "torch::nn::ModuleHolder" ||
      Name == "torch::jit::Module" || Name == "torch::nn::AnyModule")
    return TypeClass::Module;
  if (Name == "torch::optim::Optimizer")
    return TypeClass::Optimizer;
  if (Name == "c10::IValue" || Name == "c10::ivalue::Tuple" || Name == "c10::ivalue::TupleElements")
    return TypeClass::TensorRecord;
  return TypeClass::Other;
}

/// What a library template holds: its arguments decide.
static TypeClass classOfWrapped(TypeClass Inner, bool IsTuple) {
  switch (Inner) {
  case TypeClass::Module:
  case TypeClass::Optimizer:
  case TypeClass::Guard:
    return Inner;
  case TypeClass::Other:
    return TypeClass::Other;
  default:
    return IsTuple ? TypeClass::TensorTuple : TypeClass::TensorContainer;
  }
}

TypeClass ApiModel::classOfRecord(const CXXRecordDecl &R, unsigned Depth) {
  const std::pair<const CXXRecordDecl *, unsigned> Key(R.getCanonicalDecl(), Depth);
  auto It = RecordClasses.find(Key);
  if (It != RecordClasses.end())
    return It->second;
  TypeClass C = computeRecordClass(R, Depth);
  RecordClasses[Key] = C;
  return C;
}

TypeClass ApiModel::computeRecordClass(const CXXRecordDecl &R, unsigned Depth) {
  std::string Name = qualifiedName(R);
  if (isTensorRecord(R))
    return TypeClass::Tensor;
  mutation::asked("LibTorch", Name);
  if (tables().Guards.count(Name))
    return TypeClass::Guard; // a user's class that holds a guard: see guardOf
  bool IsTuple = R.isInStdNamespace() && R.getIdentifier() &&
                 (R.getName() == "tuple" || R.getName() == "pair" || R.getName() == "variant");
  if (IsTuple || isLibraryContainer(R) || isTorchContainer(Name)) {
    for (QualType T : typeArguments(R))
      if (TypeClass C = classOfWrapped(computeClass(T, Depth + 1), IsTuple); C != TypeClass::Other)
        return C;
    return TypeClass::Other;
  }
  TypeClass Found = TypeClass::Other;
  anyBase(R, [&](const CXXRecordDecl &Base) {
    Found = classByName(&Base == &R ? Name : qualifiedName(Base));
    return Found != TypeClass::Other;
  });
  bool OfLibrary = R.isInStdNamespace() || Name.find("__gnu_cxx::") == 0; // iterators
  if (Found != TypeClass::Other || !R.hasDefinition() || OfLibrary || R.isLambda())
    return Found;
  for (const FieldDecl *F : R.getDefinition()->fields())
    if (holdsTensors(F->getType(), Depth + 1))
      return TypeClass::TensorRecord;
  for (const CXXBaseSpecifier &Base : R.getDefinition()->bases())
    if (holdsTensors(Base.getType(), Depth + 1))
      return TypeClass::TensorRecord;
  return TypeClass::Other;
}

TypeClass ApiModel::computeClass(QualType T, unsigned Depth) {
  if (T.isNull() || T->isDependentType() || isOver(Budget::NestedClasses, Depth))
    return TypeClass::Other;
  T = T.getNonReferenceType();
  if (const auto *Array = T->getAsArrayTypeUnsafe())
    return computeClass(Array->getElementType(), Depth + 1) == TypeClass::Tensor
               ? TypeClass::TensorContainer
               : TypeClass::Other;
  const CXXRecordDecl *R = recordOf(T);
  return R ? classOfRecord(*R, Depth) : TypeClass::Other;
}

/// A class of the table, one derived from it, or a user's RAII class that holds one.
static Guard guardOfRecord(const CXXRecordDecl &R, unsigned Depth) {
  Guard Found = Guard::None;
  anyBase(R, [&](const CXXRecordDecl &Base) {
    mutation::asked("LibTorch", qualifiedName(Base));
    auto It = tables().Guards.find(qualifiedName(Base));
    if (It != tables().Guards.end())
      Found = It->second;
    return Found != Guard::None;
  });
  if (Found != Guard::None || !R.hasDefinition() || R.isInStdNamespace() ||
      isOver(Budget::NestedGuards, Depth))
    return Found;
  for (const FieldDecl *F : R.getDefinition()->fields())
    if (const CXXRecordDecl *Member = F->getType()->getAsCXXRecordDecl())
      if (Guard G = guardOfRecord(*Member, Depth + 1); G != Guard::None)
        return G;
  return Guard::None;
}

Guard ApiModel::guardOf(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : recordOf(T);
  if (!R)
    return Guard::None;
  if (isLibraryContainer(*R))
    if (auto Types = typeArguments(*R); !Types.empty())
      R = recordOf(Types.front());
  return R ? guardOfRecord(*R, 0) : Guard::None;
}

FieldKind ApiModel::kindOf(const FieldDecl &F) const {
  mutation::asked("LibTorch", qualifiedName(F));
  auto It = tables().Fields.find(qualifiedName(F));
  return It == tables().Fields.end() ? FieldKind::Plain : It->second;
}

bool ApiModel::isTensorIterator(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && isIterator(*R) && llvm::any_of(typeArguments(*R), [this](QualType Of) {
           return holdsTensors(Of) || isTensorIterator(Of);
         });
}

bool ApiModel::isKeyed(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  return R && isLibraryContainer(*R) &&
         (R->getName().contains("map") || R->getName().contains("set"));
}

} // namespace tensorleak
