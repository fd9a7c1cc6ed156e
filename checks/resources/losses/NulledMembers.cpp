//===-- NulledMembers.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/NulledMembers.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/calls/Removals.h"
#include "checks/resources/records/RefilledMembers.h"
#include "checks/resources/records/Takes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/members/Initializers.h"

using namespace clang;

namespace tensorleak {
namespace {

class NulledFinder {
public:
  NulledFinder(FileAnalyses &File, const FunctionResources &F, const CXXMethodDecl &Method)
      : File(File), Uses(File.recordUses()), F(F), Method(Method) {}
  void run(std::vector<NulledMember> &Out) const;

private:
  bool isFirst(const FieldDecl &Member) const;
  bool isEmptyForCaller(const RecordKey &Key) const;
  bool mayBeGivenOtherwise(const FieldDecl &Member) const;
  bool isFilledOtherwise(const RecordKey &Key) const;
  bool isOnlyHere(const HolderUse &Nulled, const RecordKey &Key) const;

  FileAnalyses &File;
  const RecordUses &Uses;
  const FunctionResources &F;
  const CXXMethodDecl &Method;
};

/// `data_ = nullptr`, `event_ = std::nullopt`, `event_.reset()`
bool setsNull(const Stmt *S, ASTContext &Context) {
  const auto *Set = dyn_cast_or_null<BinaryOperator>(S);
  return Set ? Set->getOpcode() == BO_Assign && isZeroOrNull(Context, *Set->getRHS())
             : S && onlyEmpties(*S);
}

/// A constructor calls the method, or leaves the member to it: nothing was there before.
bool NulledFinder::isFirst(const FieldDecl &Member) const {
  ASTContext &Context = Method.getASTContext();
  const auto *Class = cast<CXXRecordDecl>(Member.getParent());
  const bool IsObject = Member.getType()->isRecordType(); // an optional, which begins empty
  return !llvm::all_of(Class->ctors(), [&](const CXXConstructorDecl *C) {
    if (C->isCopyOrMoveConstructor() || C->isDeleted())
      return true;
    const Expr *Begin = IsObject ? nullptr : beginOf(*C, Member);
    return (IsObject || (Begin && isZeroOrNull(Context, *Begin)) ||
            Member.getInClassInitializer()) &&
           !isOrComesTo(*C, Method);
  });
}

/// `free_all(t); t.forget();`, `if (cudaMalloc(&data_, n)) forget();`: who calls the method knows
/// that nothing is there.
bool NulledFinder::isEmptyForCaller(const RecordKey &Key) const {
  auto Takes = [&](const RecordTake &T) { return isOrComesTo(*T.In->Facts.Function, Method); };
  return llvm::any_of(Uses.Takes.at(Key), Takes) ||
         llvm::any_of(Uses.GivenBy, [&](const auto &Entry) {
           return !isa<CXXDestructorDecl>(Entry.first) && Entry.second.count(Key) &&
                  isOrComesTo(*Entry.first, Method);
         });
}

/// The member is another name of what others own, at times.
bool NulledFinder::isFilledOtherwise(const RecordKey &Key) const {
  ASTContext &Context = Method.getASTContext();
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    return llvm::any_of(G->Overwritten, [&](const HolderUse &Use) {
      return keyOf(G->Facts, Use.Path) == Key && !setsNull(Use.At, Context) &&
             !isTakenAt(G->Taken, Use) && !isTakenAt(G->TakenByCallee, Use);
    });
  });
}

/// `[data = data_] { cudaFree(data); }`, and what cudaDeviceReset() gives back.
bool NulledFinder::mayBeGivenOtherwise(const FieldDecl &Member) const {
  auto Captures = [&](const Stmt &S) {
    const auto *Lambda = dyn_cast<LambdaExpr>(&S);
    return Lambda && llvm::any_of(Lambda->capture_inits(), [&](const Expr *Init) {
             return mentions(Init, [&](const Expr &E) { return memberOfThis(&E) == &Member; });
           });
  };
  auto IsAll = [](const ResourceEvent &E) { return E.Kind == ResourceEventKind::ReleaseAll; };
  return anyBelow(Method.getBody(), Captures) ||
         llvm::any_of(F.Facts.Blocks,
                      [&](const auto &Events) { return llvm::any_of(Events, IsAll); });
}

/// Nobody else has what the member holds, and the function puts nothing else there.
bool NulledFinder::isOnlyHere(const HolderUse &Nulled, const RecordKey &Key) const {
  return Uses.isGivenHere(Key) && !Uses.HandedOn.count(Key) && !isLetGo(F, Nulled.Path) &&
         llvm::none_of(F.Taken, [&](const HolderUse &T) { return T.Path == Nulled.Path; }) &&
         !isFilledOtherwise(Key) && !isEmptyForCaller(Key);
}

/// The member that \p P is, or the optional that \p P is in.
const FieldDecl *memberOf(const ResourceFacts &Facts, PathId P) {
  const bool IsInBox = Facts.Paths.last(P).What == Step::Held;
  return ownMember(Facts, IsInBox ? Facts.Paths.parent(P) : P);
}

void NulledFinder::run(std::vector<NulledMember> &Out) const {
  for (const HolderUse &Use : F.Overwritten) {
    const FieldDecl *Member = memberOf(F.Facts, Use.Path);
    auto Key = Member ? keyOf(F.Facts, Use.Path) : std::nullopt;
    auto Takes = Key ? Uses.Takes.find(*Key) : Uses.Takes.end();
    if (Takes == Uses.Takes.end() || Use.ByCallee || !setsNull(Use.At, Method.getASTContext()) ||
        !llvm::all_of(Takes->second,
                      [](const RecordTake &T) { return firstOfDevice(only(T.what())); }) ||
        !isOnlyHere(Use, *Key) || isFirst(*Member) || mayBeGivenOtherwise(*Member))
      continue;
    Out.push_back({&F, Use.At, *Key, Takes->second,
                   allMethodsSeen(*cast<CXXRecordDecl>(Member->getParent()), {Member})});
  }
}

} // namespace

std::vector<NulledMember> findNulledMembers(FileAnalyses &File) {
  std::vector<NulledMember> Out;
  for (const auto &F : File.resources().functions()) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F->Facts.Function);
    if (Method && !F->HasErrors && !Method->isOverloadedOperator() &&
        !isa<CXXConstructorDecl, CXXDestructorDecl>(Method))
      NulledFinder(File, *F, *Method).run(Out);
  }
  return Out;
}

} // namespace tensorleak
