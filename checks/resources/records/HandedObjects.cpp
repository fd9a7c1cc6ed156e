//===-- HandedObjects.cpp - What unseen code can reach ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An unseen function that gets an object can give back what is in it, and what that object leads
// to. It does not come from a part to the whole that the part lies in, unless the part's class
// names that of the whole.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/RecordUses.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/records/GoneRecords.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Looks for the way from an object to a record of the class \p Owner.
class WayToOwner {
public:
  explicit WayToOwner(const CXXRecordDecl &Owner) : Owner(*Owner.getCanonicalDecl()) {}
  bool leadsThere(QualType Type, unsigned Steps) const;

private:
  bool isOne(const CXXRecordDecl &Class) const;
  bool leadsThere(const CXXRecordDecl &Class, unsigned Steps) const;

  const CXXRecordDecl &Owner;
};

} // namespace

/// Or has one as its base. Who sees only the base of an owner does not see its members.
bool WayToOwner::isOne(const CXXRecordDecl &Class) const {
  return Class.getCanonicalDecl() == &Owner ||
         (Class.hasDefinition() && Class.isDerivedFrom(&Owner));
}

/// What has no type, and a callback, lead anywhere.
bool WayToOwner::leadsThere(QualType Type, unsigned Steps) const {
  if (Type.isNull())
    return false;
  Type = Type.getNonReferenceType();
  while (Type->isPointerType() || Type->isArrayType())
    Type = Type->isPointerType() ? Type->getPointeeType()
                                 : QualType(Type->getArrayElementTypeNoTypeQual(), 0);
  if (Type->isVoidType() || Type->isFunctionType() || Type->isDependentType() ||
      isFunctionObject(Type))
    return true;
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  return Class && leadsThere(*Class, Steps);
}

bool WayToOwner::leadsThere(const CXXRecordDecl &Class, unsigned Steps) const {
  auto LeadsThere = [&](QualType T) { return leadsThere(T, Steps); };
  if (isOne(Class) || llvm::any_of(typeArguments(Class), LeadsThere))
    return true;
  const CXXRecordDecl *Definition = Class.getDefinition();
  if (Steps == 0 || !Definition || isOfLibrary(Class))
    return false;
  return llvm::any_of(Definition->fields(),
                      [&](const FieldDecl *F) { return leadsThere(F->getType(), Steps - 1); });
}

void RecordUses::collectHandedObjects(const FunctionResources &F) {
  for (PathId P : F.SeenByOthers)
    if (!F.Facts.isOwnStorage(P))
      Handed[F.Facts.Function].insert(lastOf(F.Facts.Paths, P));
}

/// Some function has given to unseen code what \p Key holds, or the place of it.
bool RecordUses::isHandedOut(const RecordKey &Key) const {
  return HandedToOthers.count(Key) || llvm::any_of(Handed, [&](const auto &Entry) {
           return !Key.Chain.empty() && Entry.second.contains(Key.Chain.back());
         });
}

bool RecordUses::handsItself(const FunctionDecl &F) const {
  auto It = Handed.find(&F);
  return It != Handed.end() && It->second.contains(nullptr);
}

bool RecordUses::mayReach(const FunctionDecl &F, const RecordKey &Key) const {
  auto It = Handed.find(&F);
  if (It == Handed.end())
    return false;
  if (isHandedOut(Key)) // and so it may be with any of them
    return true;
  const auto *Owner = dyn_cast<CXXRecordDecl>(Key.Owner);
  return llvm::any_of(It->second, [&](const ValueDecl *Name) {
    return !Name || !Owner || llvm::is_contained(Key.Chain, Name) ||
           WayToOwner(*Owner).leadsThere(Name->getType(), /*Steps=*/1);
  });
}

} // namespace tensorleak
