//===-- ClassNames.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/model/ClassNames.h"

#include "checks/Budgets.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::StringRef;

namespace tensorleak {

std::string qualifiedName(const NamedDecl &D) {
  if (const auto *Around = dyn_cast<ClassTemplateSpecializationDecl>(D.getDeclContext()))
    return qualifiedName(*Around) + "::" + D.getNameAsString();
  return D.getQualifiedNameAsString();
}

std::string namespaceOf(const Decl &D) {
  const auto *Space = dyn_cast<NamespaceDecl>(D.getDeclContext()->getEnclosingNamespaceContext());
  return Space ? qualifiedName(*Space) : std::string();
}

bool isLibraryContainer(const CXXRecordDecl &R) {
  if (!R.isInStdNamespace())
    return false;
  static const llvm::StringSet<> Names = {"vector",
                                          "deque",
                                          "list",
                                          "forward_list",
                                          "map",
                                          "multimap",
                                          "unordered_map",
                                          "set",
                                          "multiset",
                                          "unordered_set",
                                          "queue",
                                          "stack",
                                          "optional",
                                          "array",
                                          "pair",
                                          "unique_ptr",
                                          "shared_ptr",
                                          "weak_ptr",
                                          "reference_wrapper",
                                          "unordered_multimap",
                                          "priority_queue",
                                          "__basic_future", // with what both have, in libstdc++
                                          "future",
                                          "shared_future",
                                          "initializer_list"};
  return R.getIdentifier() && Names.contains(R.getName());
}

bool isSharedPtr(const CXXRecordDecl &R) {
  return R.isInStdNamespace() && R.getIdentifier() && R.getName() == "shared_ptr";
}

const CXXRecordDecl *sharedContainer(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : recordOf(T);
  if (!R || !isSharedPtr(*R))
    return nullptr;
  auto Held = typeArguments(*R);
  const CXXRecordDecl *Container = Held.empty() ? nullptr : Held.front()->getAsCXXRecordDecl();
  return Container && isLibraryContainer(*Container) ? R->getCanonicalDecl() : nullptr;
}

bool isOfLibrary(const Decl &D) {
  const NamespaceDecl *Outermost = nullptr;
  for (const DeclContext *Around = D.getDeclContext(); Around; Around = Around->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(Around))
      Outermost = Space;
  return Outermost && (Outermost->getName() == "std" || Outermost->getName() == "__gnu_cxx");
}

bool isIterator(const CXXRecordDecl &R) {
  if (!R.hasDefinition() || !isOfLibrary(R))
    return false;
  const IdentifierInfo &Category = R.getASTContext().Idents.get("iterator_category");
  return anyBase(R, [&](const CXXRecordDecl &Base) {
    return Base.hasDefinition() && !Base.getDefinition()->lookup(&Category).empty();
  });
}

static bool isStdClass(const CXXRecordDecl &R, StringRef Name) {
  return R.isInStdNamespace() && R.getIdentifier() && R.getName() == Name;
}

bool isOwningPointer(QualType T) {
  if (T.isNull()) // arguments in parentheses that were not understood
    return false;
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && (isSharedPtr(*R) || isStdClass(*R, "unique_ptr") ||
               anyBase(*R, [](const CXXRecordDecl &Base) {
                 return qualifiedName(Base) == "torch::nn::ModuleHolder";
               }));
}

bool isInserter(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  return R && R->isInStdNamespace() && R->getIdentifier() &&
         R->getName().ends_with("insert_iterator");
}

bool isVariant(const CXXRecordDecl &R) { return isStdClass(R, "variant"); }

bool isWeakPointer(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && isStdClass(*R, "weak_ptr");
}

static bool keepsOthersAlive(QualType T, unsigned Depth) {
  if (isOwningPointer(T))
    return true;
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  bool Keeps = R && (isLibraryContainer(*R) || isStdClass(*R, "tuple")) &&
               !isStdClass(*R, "weak_ptr") && !isStdClass(*R, "reference_wrapper");
  return Keeps && !isOver(Budget::NestedClasses, Depth) &&
         llvm::any_of(typeArguments(*R),
                      [&](QualType Arg) { return keepsOthersAlive(Arg, Depth + 1); });
}

bool keepsOthersAlive(QualType T) { return keepsOthersAlive(T, 0); }

bool isFunctionObject(QualType T) {
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && isStdClass(*R, "function");
}

bool keepsFunctions(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && isLibraryContainer(*R) && llvm::any_of(typeArguments(*R), isFunctionObject);
}

bool isTorchContainer(StringRef Name) {
  return Name == "c10::ArrayRef" || Name == "c10::List" || Name == "c10::optional" ||
         Name == "c10::Dict" || Name == "c10::IListRef" || Name == "torch::OrderedDict" ||
         Name == "torch::OrderedDict::Item" || Name == "c10::SmallVector" || Name == "std::span" ||
         Name == "c10::intrusive_ptr" || Name == "ska::flat_hash_map" ||
         Name == "ska::detailv3::sherwood_v3_table";
}

const CXXRecordDecl *recordOf(QualType T) {
  if (T.isNull())
    return nullptr;
  T = T.getNonReferenceType();
  while (T->isPointerType())
    T = T->getPointeeType();
  return T->getAsCXXRecordDecl();
}

bool isTensorRecord(const CXXRecordDecl &R) {
  std::string Name = qualifiedName(R);
  return Name == "at::Tensor" || Name == "at::TensorBase" || Name == "torch::autograd::Variable";
}

bool isInLibTorch(StringRef Space) {
  return Space == "at" || Space == "torch" || Space == "c10" || Space.starts_with("at::") ||
         Space.starts_with("torch::") || Space.starts_with("c10::");
}

static llvm::ArrayRef<TemplateArgument> templateArguments(const CXXRecordDecl &R) {
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&R);
  if (!Spec)
    Spec = dyn_cast<ClassTemplateSpecializationDecl>(R.getDeclContext());
  return Spec ? Spec->getTemplateArgs().asArray() : llvm::ArrayRef<TemplateArgument>();
}

static void collectTypes(llvm::ArrayRef<TemplateArgument> Args,
                         llvm::SmallVectorImpl<QualType> &Out) {
  for (const TemplateArgument &A : Args) {
    if (A.getKind() == TemplateArgument::Type)
      Out.push_back(A.getAsType());
    else if (A.getKind() == TemplateArgument::Pack)
      collectTypes(A.pack_elements(), Out);
  }
}

llvm::SmallVector<QualType, 4> typeArguments(const CXXRecordDecl &R) {
  llvm::SmallVector<QualType, 4> Types;
  collectTypes(templateArguments(R), Types);
  return Types;
}

} // namespace tensorleak
