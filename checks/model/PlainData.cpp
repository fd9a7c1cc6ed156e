//===-- PlainData.cpp - Types that lead to no tensor ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is handed a number, a string, a stream or a device cannot let go of a tensor, and an
// object of such members cannot keep one.
//
//===----------------------------------------------------------------------===//
#include "checks/Budgets.h"
#include "checks/model/ApiModel.h"
#include "checks/model/ClassNames.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tensorleak {
namespace {

bool isPlain(ApiModel &Model, QualType T, unsigned Depth);

/// A class that is made from anything, such as std::any or std::thread, may hold anything.
bool isMadeFromAnything(const CXXRecordDecl &R) {
  return llvm::any_of(R.decls(), [](const Decl *D) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    return Template && isa<CXXConstructorDecl>(Template->getTemplatedDecl());
  });
}

bool isPlainArgument(ApiModel &Model, const TemplateArgument &Arg, unsigned Depth) {
  switch (Arg.getKind()) {
  case TemplateArgument::Type:
    return isPlain(Model, Arg.getAsType(), Depth + 1);
  case TemplateArgument::Pack:
    return llvm::all_of(Arg.pack_elements(), [&](const TemplateArgument &Each) {
      return isPlainArgument(Model, Each, Depth + 1);
    });
  default:
    return true; // a number, or a template of the library
  }
}

/// What the C++ library's templates hold, their arguments say: std::vector<int>, std::ostream.
bool isPlainOfLibrary(ApiModel &Model, const CXXRecordDecl &R, unsigned Depth) {
  const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(&R);
  if (!Instance)
    return !isMadeFromAnything(R);
  return llvm::all_of(Instance->getTemplateArgs().asArray(), [&](const TemplateArgument &Arg) {
    return isPlainArgument(Model, Arg, Depth);
  });
}

bool isPlainRecord(ApiModel &Model, const CXXRecordDecl &R, unsigned Depth) {
  if (!R.hasDefinition())
    return false;
  if (R.isInStdNamespace())
    return isPlainOfLibrary(Model, R, Depth);
  if (R.getDefinition()->isPolymorphic() || R.isLambda())
    return false;
  bool OwnParts = llvm::all_of(R.getDefinition()->fields(), [&](const FieldDecl *F) {
    return isPlain(Model, F->getType(), Depth + 1);
  });
  return OwnParts && llvm::all_of(R.getDefinition()->bases(), [&](const CXXBaseSpecifier &Base) {
           return isPlain(Model, Base.getType(), Depth + 1);
         });
}

bool isPlain(ApiModel &Model, QualType T, unsigned Depth) {
  if (T.isNull() || T->isDependentType() || isOver(Budget::PlainTypes, Depth))
    return false;
  T = T.getNonReferenceType().getCanonicalType();
  if (T->isArithmeticType() || T->isEnumeralType() || T->isVoidType() || T->isNullPtrType())
    return true;
  if (const auto *Array = T->getAsArrayTypeUnsafe())
    return isPlain(Model, Array->getElementType(), Depth + 1);
  if (T->isPointerType()) // text
    return T->getPointeeType()->isAnyCharacterType();
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && Model.classify(T) == TypeClass::Other && isPlainRecord(Model, *R, Depth);
}

} // namespace

bool ApiModel::isPlainData(QualType T) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  auto [It, New] = PlainTypes.try_emplace(T.getTypePtr(), false);
  if (New) {
    bool Plain = isPlain(*this, T, 0);
    PlainTypes[T.getTypePtr()] = Plain;
    return Plain;
  }
  return It->second;
}

} // namespace tensorleak
