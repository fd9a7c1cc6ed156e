//===-- ModuleClasses.cpp - ApiModel: the classes of modules --------------===//
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

/// The module class behind a holder: `ModuleHolder<ReLUImpl>` gives ReLUImpl.
static const CXXRecordDecl *moduleImpl(QualType T) {
  const CXXRecordDecl *Impl = recordOf(T);
  if (!Impl)
    return nullptr;
  anyBase(*Impl, [&](const CXXRecordDecl &Base) {
    if (qualifiedName(Base) != "torch::nn::ModuleHolder" && !isLibraryContainer(Base))
      return false;
    if (auto Types = typeArguments(Base); !Types.empty())
      if (const CXXRecordDecl *Contained = Types.front()->getAsCXXRecordDecl())
        Impl = Contained;
    return true;
  });
  return Impl;
}

static bool isListedAsParameterless(StringRef Name) {
  mutation::asked("LibTorch", "parameterless " + Name);
  return tables().ParameterlessModules.contains(Name);
}

/// A class of LibTorch that brings no parameters to what is derived from it.
static bool isBareBase(const CXXRecordDecl &R) {
  return R.getIdentifier() && (R.getName() == "Module" || R.getName() == "Cloneable" ||
                               isListedAsParameterless(R.getName()));
}

/// A member that is, or could hold, a parameter or a module with parameters.
bool ApiModel::mayHoldParameters(const CXXRecordDecl &R, unsigned Depth) {
  for (const FieldDecl *F : R.fields()) {
    TypeClass C = classify(F->getType());
    bool Harmless = C == TypeClass::Other || C == TypeClass::Guard ||
                    (C == TypeClass::Module && isParameterless(F->getType(), Depth + 1));
    if (!Harmless)
      return true;
  }
  for (const CXXBaseSpecifier &Base : R.bases())
    if (const CXXRecordDecl *B = Base.getType()->getAsCXXRecordDecl())
      if (!B->hasDefinition() ||
          (isInLibTorch(namespaceOf(*B)) ? !isBareBase(*B)
                                         : mayHoldParameters(*B->getDefinition(), Depth + 1)))
        return true;
  return false;
}

bool ApiModel::isParameterless(QualType T, unsigned Depth) {
  const CXXRecordDecl *R = moduleImpl(T);
  if (!R || !R->getIdentifier() || isOver(Budget::NestedModules, Depth) || isScriptModule(T))
    return false;
  if (!isInLibTorch(namespaceOf(*R))) // the layers of an abstract class are in derived ones
    return R->hasDefinition() && !R->isAbstract() && !mayHoldParameters(*R->getDefinition(), Depth);
  StringRef Name = R->getName();
  Name.consume_back("Impl");
  return isListedAsParameterless(Name);
}

bool ApiModel::hasLayers(QualType T, unsigned Depth) {
  const CXXRecordDecl *R = moduleImpl(T);
  if (!R || isOver(Budget::NestedModules, Depth) || isParameterless(T))
    return false;
  if (isScriptModule(T) || isInLibTorch(namespaceOf(*R)) || !R->hasDefinition())
    return true;
  return llvm::any_of(R->fields(),
                      [&](const FieldDecl *F) {
                        return classify(F->getType()) == TypeClass::Module &&
                               hasLayers(F->getType(), Depth + 1);
                      }) ||
         llvm::any_of(R->bases(), [&](const CXXBaseSpecifier &Base) {
           const CXXRecordDecl *B = Base.getType()->getAsCXXRecordDecl();
           return B && !(isInLibTorch(namespaceOf(*B)) && isBareBase(*B)) &&
                  hasLayers(Base.getType(), Depth + 1);
         });
}

bool ApiModel::isLayer(QualType T) {
  const CXXRecordDecl *R = moduleImpl(T);
  return R && R->getIdentifier() && namespaceOf(*R) == "torch::nn" && !isParameterless(T) &&
         R->getName() != "SequentialImpl" && R->getName() != "Module";
}

const CXXRecordDecl *ApiModel::moduleClass(QualType T) { return moduleImpl(T); }

StringRef ApiModel::layerName(QualType T) {
  const CXXRecordDecl *R = moduleImpl(T);
  if (!R || !R->getIdentifier() || namespaceOf(*R) != "torch::nn")
    return {};
  StringRef Name = R->getName();
  Name.consume_back("Impl");
  return Name;
}

bool ApiModel::isModuleClass(const RecordDecl &R) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&R);
  return Class && classOfRecord(*Class, 0) == TypeClass::Module;
}

bool ApiModel::isSharedModule(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  if (!R || T.getNonReferenceType()->isPointerType() || classify(T) != TypeClass::Module)
    return false;
  return isSharedPtr(*R) || anyBase(*R, [](const CXXRecordDecl &Base) {
           return qualifiedName(Base) == "torch::nn::ModuleHolder";
         });
}

bool ApiModel::isScriptModule(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  return R && anyBase(*R, [](const CXXRecordDecl &Base) {
           return qualifiedName(Base) == "torch::jit::Module" ||
                  qualifiedName(Base) == "torch::jit::Method"; // of one
         });
}

} // namespace tensorleak
