//===-- ClassNames.h - Which class of a library is this? ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes by their qualified names, without template arguments.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_CLASSNAMES_H
#define TENSORLEAK_CHECKS_MODEL_CLASSNAMES_H

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace tensorleak {

/// Without template arguments, those of a class around it included.
std::string qualifiedName(const clang::NamedDecl &D);
/// "" for the global one.
std::string namespaceOf(const clang::Decl &D);
bool isInLibTorch(llvm::StringRef Space);

/// A container or smart pointer of the C++ library.
bool isLibraryContainer(const clang::CXXRecordDecl &R);
/// `std::shared_ptr<T>`.
/// A std::shared_ptr or std::unique_ptr, or a holder of a module.
bool isOwningPointer(clang::QualType T);
bool isWeakPointer(clang::QualType T);
/// An iterator that adds to its container what it is given: of std::back_inserter and its kin.
bool isInserter(clang::QualType T);
/// A std::variant: it has one value, of whatever type, like a box.
bool isVariant(const clang::CXXRecordDecl &R);
/// An owning pointer, or a container of such; not std::weak_ptr and references.
bool keepsOthersAlive(clang::QualType T);
/// A std::function, which keeps what its lambda captures by copy.
bool isFunctionObject(clang::QualType T);
/// A container of such.
bool keepsFunctions(clang::QualType T);
bool isSharedPtr(const clang::CXXRecordDecl &R);
/// The class of the shared pointer \p T, where that points to a container: each copy is another
/// name of the same one. Null for other types.
const clang::CXXRecordDecl *sharedContainer(clang::QualType T);
/// In namespace std, or in one of libstdc++'s own.
bool isOfLibrary(const clang::Decl &D);
/// An iterator of the C++ library.
bool isIterator(const clang::CXXRecordDecl &R);
/// One of c10's own containers of tensors.
bool isTorchContainer(llvm::StringRef Name);
bool isTensorRecord(const clang::CXXRecordDecl &R);

/// The class that \p T is, refers or points to; null for others.
const clang::CXXRecordDecl *recordOf(clang::QualType T);
/// The types among the template arguments of \p R; those of the class around it for a class
/// within a template, such as the item of a dictionary.
llvm::SmallVector<clang::QualType, 4> typeArguments(const clang::CXXRecordDecl &R);

/// \p R itself or a base whose name \p Accepts.
template <typename Pred> bool anyBase(const clang::CXXRecordDecl &R, Pred Accepts) {
  if (Accepts(R))
    return true;
  const clang::CXXRecordDecl *Def = R.getDefinition();
  if (!Def)
    return false;
  for (const clang::CXXBaseSpecifier &Base : Def->bases())
    if (const clang::CXXRecordDecl *B = Base.getType()->getAsCXXRecordDecl())
      if (anyBase(*B, Accepts))
        return true;
  return false;
}

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_CLASSNAMES_H
