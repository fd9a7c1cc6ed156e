//===-- OwnThreads.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/rules/unfreed-device-memory/OwnThreads.h"

#include "checks/model/ClassNames.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

static bool isThread(const CXXRecordDecl &R) {
  static constexpr llvm::StringRef Names[] = {"thread", "jthread", "future"};
  return R.isInStdNamespace() && R.getIdentifier() && llvm::is_contained(Names, R.getName());
}

/// `std::thread`, `std::vector<std::thread>`.
static bool holdsThreads(QualType T) {
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && (isThread(*R) ||
               (isLibraryContainer(*R) && llvm::any_of(typeArguments(*R), holdsThreads)));
}

static bool hasThreads(const CXXRecordDecl &Class) {
  return Class.hasDefinition() && llvm::any_of(Class.fields(), [](const FieldDecl *Field) {
           return holdsThreads(Field->getType());
         });
}

/// \p F, a method of \p Class, gives back what stands at \p Steps of its object.
static bool gives(const FunctionResources &F, const CXXRecordDecl &Class,
                  llvm::ArrayRef<Step> Steps, FamilySet What) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  return Method && Method->getParent()->getCanonicalDecl() == Class.getCanonicalDecl() &&
         llvm::any_of(F.Summary.Releases, [&](const ResourceSummary::Given &Each) {
           return Each.Where.Root == RelativeResourcePath::This && (Each.Accepts & What) &&
                  llvm::ArrayRef(Each.Where.Steps) == Steps;
         });
}

bool isFreedByOwnThread(const ResourceUnit &U, const ResourceFacts &Facts, const LostResource &L) {
  const ValueDecl *Object = L.Holder == NoPath ? nullptr : Facts.Paths.variable(L.Holder);
  const CXXRecordDecl *Class = Object ? Object->getType()->getAsCXXRecordDecl() : nullptr;
  if (!Class || !hasThreads(*Class))
    return false;
  const auto Steps = Facts.Paths.steps(L.Holder);
  return llvm::any_of(U.functions(), [&](const auto &F) {
    return gives(*F, *Class, Steps, only(Facts.Sites[L.Site].What));
  });
}

} // namespace tensorleak
