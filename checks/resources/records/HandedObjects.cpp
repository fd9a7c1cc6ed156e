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
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/records/GoneRecords.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"

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

/// `Owner(p).get()`, `make()->get()`: what the object holds has no name where the call stands.
static bool isOfUnnamed(const CXXMemberCallExpr &Call) {
  return mentions(Call.getImplicitObjectArgument(), [](const Expr &E) {
    const auto *Made = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Made ? Made->getDirectCallee() : nullptr;
    return isa<CXXConstructExpr, CXXNewExpr>(E) ||
           (Made && !(Callee && isOfStandardClass(*Callee)));
  });
}

void RecordUses::collectNamedCalls() {
  CalledByName.emplace();
  if (llvm::any_of(Unit.functions(), [](const auto &G) { return G->HasErrors; }))
    return;
  for (const auto &G : Unit.functions())
    anyBelow(G->Facts.Function->getBody(), [&](const Stmt &S) {
      const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
      if (const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr)
        CalledByName->try_emplace(Method->getCanonicalDecl(), true).first->second &=
            !isOfUnnamed(*Call);
      return false;
    });
}

/// A getter of a class of this file: what those do who call it, all of them here, says more.
bool RecordUses::isNamedHere(const FunctionResources &F, const HolderUse &Use) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  if (!Method || Use.Site || !isa_and_nonnull<ReturnStmt>(Use.At) || Method->isVirtual() ||
      !isInMainFile(*Method->getParent()) || !F.Summary.MovesOut.empty())
    return false;
  if (!CalledByName)
    collectNamedCalls();
  return CalledByName->lookup(Method->getCanonicalDecl());
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

/// The member of the method's own object that \p P is, no element and no part of one.
static const FieldDecl *ownMember(const RelativeResourcePath &P) {
  const bool IsMember = P.Root == RelativeResourcePath::This && P.Steps.size() == 1;
  return IsMember ? dyn_cast_or_null<FieldDecl>(P.Steps.front().Decl) : nullptr;
}

/// \p F leaves something else at \p P.
static bool putsAnother(const ResourceSummary &F, const RelativeResourcePath &P) {
  return llvm::any_of(F.Stores, [&](const auto &Each) { return Each.Where == P; }) ||
         llvm::any_of(F.Takes, [&](const auto &T) { return llvm::is_contained(T.Where, P); });
}

/// `previous_ = current_; current_ = next;`: the one member has what the other one held before,
/// and nothing else has it.
void RecordUses::addMoved(const FunctionResources &F) {
  for (const ResourceSummary::Stored &Each : F.Summary.Stores) {
    const FieldDecl *To = ownMember(Each.Where), *From = ownMember(Each.From);
    if (!To || !From || !putsAnother(F.Summary, Each.From))
      continue;
    const RecordKey Old{From->getParent(), {From}}, New{To->getParent(), {To}};
    const auto Taken = Takes.find(Old);
    const bool IsInList = llvm::any_of(F.Summary.Stores, [&](const auto &Other) {
      return Other.From == Each.From && !(Other.Where == Each.Where);
    });
    if (Taken != Takes.end() && !isShared(Old) && !IsInList)
      Takes.emplace(New, Taken->second); // unless it is filled otherwise
  }
}

} // namespace tensorleak
