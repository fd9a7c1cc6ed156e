//===-- ForgetfulOverrides.cpp --------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/ForgetfulOverrides.h"

#include "checks/source/Functions.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

bool isSame(const Decl &A, const Decl &B) { return A.getCanonicalDecl() == B.getCanonicalDecl(); }

class OverrideFinder {
public:
  explicit OverrideFinder(FileAnalyses &File) : File(File), Uses(File.recordUses()) {}
  std::vector<ForgetfulOverride> run();

private:
  bool isGivenBy(const CXXMethodDecl &Method, const RecordKey &Key) const;
  const CXXMethodDecl *onlyGiver(const RecordKey &Key) const;
  bool gives(const FunctionDecl &F, const RecordKey &Key) const;
  bool isForgottenBy(const FunctionResources &G, const CXXMethodDecl &Giver,
                     const RecordKey &Key) const;
  bool isTakenFor(const RecordTake &T, const CXXRecordDecl &Derived) const;
  void judge(const RecordKey &Key, const std::vector<RecordTake> &Takes,
             std::vector<ForgetfulOverride> &Out) const;

  FileAnalyses &File;
  const RecordUses &Uses;
};

/// Nothing else may give \p Key back: where that is not in view, \p Method is called, and may mean
/// one that overrides it.
bool OverrideFinder::isGivenBy(const CXXMethodDecl &Method, const RecordKey &Key) const {
  auto MayMean = [&](const Stmt *At) {
    const auto *Call = dyn_cast_or_null<CallExpr>(At);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && isOrComesTo(*Callee, Method);
  };
  return !Uses.isShared(Key) && !Uses.HandedOn.count(Key) &&
         llvm::all_of(Uses.believedAt(Key), MayMean) &&
         llvm::all_of(Uses.GivenBy, [&](const auto &Each) {
           return !Each.second.count(Key) || isOrComesTo(*Each.first, Method);
         });
}

/// The virtual method that alone gives \p Key back, by itself or for those that call it; null where
/// anything else does, or may.
const CXXMethodDecl *OverrideFinder::onlyGiver(const RecordKey &Key) const {
  const CXXMethodDecl *Found = nullptr;
  for (const auto &[By, Given] : Uses.GivenBy)
    if (const auto *Method = dyn_cast<CXXMethodDecl>(By);
        Method && Given.count(Key) && Method->isVirtual() && !isa<CXXDestructorDecl>(Method) &&
        Method->getParent() == Key.Owner)
      Found = Method;
  return Found && isGivenBy(*Found, Key) ? Found : nullptr;
}

bool OverrideFinder::gives(const FunctionDecl &F, const RecordKey &Key) const {
  auto It = Uses.GivenBy.find(&F);
  return It != Uses.GivenBy.end() && It->second.count(Key);
}

/// \p G overrides \p Giver, and no method of its class calls that.
bool OverrideFinder::isForgottenBy(const FunctionResources &G, const CXXMethodDecl &Giver,
                                   const RecordKey &Key) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(G.Facts.Function);
  if (!Method || !overrides(*Method, Giver) || Method->getParent()->isAbstract() ||
      !allMethodsSeen(*Method->getParent(), Key.Chain))
    return false;
  return llvm::none_of(File.resources().functions(), [&](const auto &Other) {
    const auto *Own = dyn_cast<CXXMethodDecl>(Other->Facts.Function);
    const bool IsOfClass = Own && isSame(*Own->getParent(), *Method->getParent());
    return IsOfClass && (Other->HasErrors || calls(*Own, Giver) || gives(*Own, Key));
  });
}

/// A method of the base class fills the member, and what overrides it in the derived one calls it.
bool OverrideFinder::isTakenFor(const RecordTake &T, const CXXRecordDecl &Derived) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(T.In->Facts.Function);
  return Method && Derived.isDerivedFrom(Method->getParent()) &&
         llvm::none_of(Derived.methods(), [&](const CXXMethodDecl *Own) {
           const FunctionDecl *Body = Own;
           return overrides(*Own, *Method) && !(Own->hasBody(Body) && calls(*Body, *Method));
         });
}

void OverrideFinder::judge(const RecordKey &Key, const std::vector<RecordTake> &Takes,
                           std::vector<ForgetfulOverride> &Out) const {
  const CXXMethodDecl *Giver = onlyGiver(Key);
  if (!Giver)
    return;
  for (const auto &G : File.resources().functions()) {
    if (!isForgottenBy(*G, *Giver, Key))
      continue;
    const auto *Forgets = cast<CXXMethodDecl>(G->Facts.Function);
    for (const RecordTake &T : Takes)
      if (isTakenFor(T, *Forgets->getParent()))
        return Out.push_back(
            {Key, T, Giver, Forgets, isa<CXXConstructorDecl>(T.In->Facts.Function)});
  }
}

std::vector<ForgetfulOverride> OverrideFinder::run() {
  std::vector<ForgetfulOverride> Out;
  for (const auto &[Key, Takes] : Uses.Takes)
    if (isa<CXXRecordDecl>(Key.Owner))
      judge(Key, Takes, Out);
  return Out;
}

} // namespace

std::vector<ForgetfulOverride> findForgetfulOverrides(FileAnalyses &File) {
  return OverrideFinder(File).run();
}

} // namespace tensorleak
