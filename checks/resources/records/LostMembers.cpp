//===-- LostMembers.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/LostMembers.h"
#include "checks/resources/records/Takes.h"

#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/blocks/BlockWalk.h"
#include "checks/source/members/MemberMoves.h"
#include "clang/Analysis/Analyses/Dominators.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace tensorleak {

namespace {

using Functions = llvm::SmallSetVector<const FunctionResources *, 4>;

/// A member that is asked for yes or no, and the answer.
struct SetFlag {
  const FieldDecl *Member = nullptr;
  bool Answer = true;
};

class LostMemberFinder {
public:
  explicit LostMemberFinder(FileAnalyses &File) : File(File), Uses(File.recordUses()) {}
  std::vector<LostMember> run();
  std::vector<AssignedOver> assignedOver();

private:
  bool isNeverDeleted(const ForgottenResource &R) const;
  bool isFilledByEach(const FunctionResources &F, const LostResource &L) const;
  Functions makersOf(const FunctionResources &F) const;
  bool isCalledByConstructor(const FunctionResources &F) const;
  const Stmt *calledAgain(const FunctionResources &F, const LostResource &L) const;
  bool mayBeCalledAgain(const FunctionResources &F, const LostResource &L) const;
  bool isFilledAfterChange(const FunctionResources &F, const LostResource &L) const;
  bool isSetElsewhere(const SetFlag &Flag, const FunctionResources &By, const RecordKey &Key) const;
  bool isOwnedByObject(const FunctionResources &F, PathId Holder, const RecordKey &Key) const;
  bool isGivenAtEnd(const RecordKey &Key) const;
  bool isGivenUnderFlagOf(const FunctionResources &Assignment, const RecordKey &Key) const;
  bool isHandedOnByCallee(const HolderUse &Use, const RecordKey &Key) const;

  FileAnalyses &File;
  const RecordUses &Uses;
};

bool isOfTensors(const FunctionResources &F, SiteId Site) {
  return infoOf(F.Facts.Sites[Site].What).HoldsTensors;
}

bool LostMemberFinder::isNeverDeleted(const ForgottenResource &R) const {
  const FieldDecl *Member = ownMember(R.In->Facts, R.Holder);
  const auto *Class = Member ? dyn_cast<CXXRecordDecl>(Member->getParent()) : nullptr;
  return Class && !Uses.HandedOn.count(R.Key) && allMethodsSeen(*Class, Member) &&
         File.unit().isSeenWhole(*Member);
}

/// \p S asks another member than \p Member, itself or by a variable that has the answer.
bool asksAnother(const Stmt *S, const ValueDecl *Member, Variables &Seen) {
  auto IsAnother = [&](const Expr &E) {
    const auto *Other = dyn_cast<MemberExpr>(&E);
    return Other && isa<FieldDecl>(Other->getMemberDecl()) && Other->getMemberDecl() != Member;
  };
  return mentions(S, [&](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *Answer = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    bool IsLocal = Answer && Answer->isLocalVarDecl();
    bool IsNew = IsLocal && Seen.insert(Answer).second;
    return IsAnother(E) || (IsNew && asksAnother(Answer->getInit(), Member, Seen));
  });
}

/// No test of another member decides whether the destructor \p F releases that of \p Key.
bool releasesAlways(const FunctionResources &F, const RecordKey &Key) {
  const ValueDecl *Member = Key.Chain.back();
  auto AsksAnother = [&](CFGBlock *Block) {
    Variables Seen;
    return asksAnother(Block->getLastCondition(), Member, Seen);
  };
  ControlDependencyCalculator Control(const_cast<CFG *>(F.Facts.Cfg));
  return llvm::any_of(F.Released, [&](const HolderUse &Use) {
    const bool IsIt = !Use.Site && keyOf(F.Facts, Use.Path) == Key;
    const CFGBlock *Block = IsIt ? blockOf(*F.Facts.Cfg, Use.At) : nullptr;
    return Block && llvm::none_of(Control.getControlDependencies(const_cast<CFGBlock *>(Block)),
                                  AsksAnother);
  });
}

/// As long as the object lives: a constructor fills the member, and the destructor releases
/// what it holds then.
bool LostMemberFinder::isOwnedByObject(const FunctionResources &F, PathId Holder,
                                       const RecordKey &Key) const {
  return isFilledByConstructor(File.resources(), F, Holder) && isGivenAtEnd(Key);
}

/// Whatever the object holds when its life ends, the destructor releases.
bool LostMemberFinder::isGivenAtEnd(const RecordKey &Key) const {
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    auto Gives = Uses.GivenBy.find(G->Facts.Function);
    return isa<CXXDestructorDecl>(G->Facts.Function) && Gives != Uses.GivenBy.end() &&
           Gives->second.count(Key) && releasesAlways(*G, Key);
  });
}

/// The call of the method \p F in \p G that takes what \p F takes; null for none.
const Stmt *callOf(const FunctionResources &F, const FunctionResources &G) {
  for (const Site &S : G.Facts.Sites)
    if (isCallOf(*S.Call, *F.Facts.Function))
      return S.Call;
  return nullptr;
}

const Stmt *callOfAny(const Functions &Of, const FunctionResources &G) {
  for (const FunctionResources *F : Of)
    if (const Stmt *Call = callOf(*F, G))
      return Call;
  return nullptr;
}

bool makesObject(const Stmt *Body, const CXXRecordDecl *Class) {
  return anyBelow(Body, [&](const Stmt &S) {
    const auto *New = dyn_cast<CXXConstructExpr>(&S);
    const auto *Maker = dyn_cast<CallExpr>(&S);
    return (New && New->getConstructor()->getParent() == Class) ||
           (Maker && classMadeBy(*Maker) == Class);
  });
}

/// `std::unique_ptr<Base> p = std::make_unique<Derived>(); p->start();`: the call in \p G of what
/// \p F, a method of the class of which an object is made there, overrides; null for none.
const Stmt *callThroughBase(const FunctionResources &F, const FunctionResources &G) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  const Stmt *Body = G.Facts.Function->getBody(), *Found = nullptr;
  if (!Method || !Method->isVirtual() || !makesObject(Body, Method->getParent()))
    return nullptr;
  anyBelow(Body, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    const bool IsIt = Call && Call->getMethodDecl() && overrides(*Method, *Call->getMethodDecl());
    Found = IsIt ? Call : nullptr;
    return IsIt;
  });
  return Found;
}

/// \p F and the functions through which constructors come to it: one that only hands the call
/// on is not another time.
Functions LostMemberFinder::makersOf(const FunctionResources &F) const {
  Functions Makers;
  Makers.insert(&F);
  for (bool Grew = true; Grew;) {
    Grew = false;
    for (const auto &G : File.resources().functions())
      if (!Makers.contains(G.get()) && callOfAny(Makers, *G) && isCalledByConstructor(*G))
        Grew = Makers.insert(G.get());
  }
  return Makers;
}

/// By itself or through other functions that call it.
bool LostMemberFinder::isCalledByConstructor(const FunctionResources &F) const {
  Functions Callees;
  Callees.insert(&F);
  for (unsigned I = 0; I < Callees.size(); ++I)
    for (const auto &G : File.resources().functions()) {
      if (!callOf(*Callees[I], *G))
        continue;
      if (isa<CXXConstructorDecl>(G->Facts.Function))
        return true;
      Callees.insert(G.get());
    }
  return false;
}

/// A call of the method \p F after a constructor has made the first object; null where there
/// is none, and where somebody may have deleted or taken that object before.
const Stmt *LostMemberFinder::calledAgain(const FunctionResources &F, const LostResource &L) const {
  auto Key = keyOf(F.Facts, L.Holder);
  if (!Key || !isOwnedByObject(F, L.Holder, *Key))
    return nullptr;
  const Functions Makers = makersOf(F);
  const Stmt *Again = nullptr;
  for (const auto &G : File.resources().functions()) {
    const Stmt *Direct = callOfAny(Makers, *G);
    const Stmt *Call = Direct ? Direct : callThroughBase(F, *G);
    if ((Call || Makers.contains(G.get())) && letsGoOf(*G, *Key))
      return nullptr;
    bool MakesFirst = isa<CXXConstructorDecl>(G->Facts.Function) || Makers.contains(G.get());
    if (Call && !Again && !MakesFirst)
      Again = Call;
  }
  return Again;
}

/// Each object holds something from the start: no constructor leaves that to the method \p F.
bool LostMemberFinder::isFilledByEach(const FunctionResources &F, const LostResource &L) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  auto Key = keyOf(F.Facts, L.Holder);
  // A loop that fills no element is no other way.
  auto IsMember = [&](const ResourceSummary::Taken &T, const RelativeResourcePath &Where) {
    const bool IsEach = Where.Steps.size() == 2 && Where.Steps[1] == Step::elem();
    return Where.Root == RelativeResourcePath::This && Where.Steps.size() <= 2 &&
           Where.Steps[0].Decl == Key->Chain.back() && (IsEach || !T.Maybe);
  };
  auto Fills = [&](const FunctionResources &G) {
    return llvm::any_of(G.Summary.Takes, [&](const ResourceSummary::Taken &T) {
      return llvm::any_of(T.Where, [&](const auto &Where) { return IsMember(T, Where); });
    });
  };
  return Method && Key && llvm::all_of(Method->getParent()->ctors(), [&](const auto *C) {
           bool Counts = !C->isCopyOrMoveConstructor() && !C->isDeleted();
           const FunctionResources *Body = Counts ? File.resources().find(*C) : nullptr;
           return !Counts || (Body && Fills(*Body));
         });
}

/// What it takes depends on what it is given: another call has a purpose.
bool dependsOnArguments(const FunctionResources &F, SiteId Site) {
  return mentions(F.Facts.Sites[Site].Call, [&](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *P = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    return P && P->getDeclContext() == F.Facts.Function;
  });
}

/// The object holds it when the function returns.
bool leavesThere(const FunctionResources &F, SiteId Site) {
  return llvm::any_of(F.Summary.Takes,
                      [&](const ResourceSummary::Taken &T) { return T.Site == Site; });
}

/// A method for users of the class, none of whom is in view, fills in each call what the
/// destructor releases once.
bool LostMemberFinder::mayBeCalledAgain(const FunctionResources &F, const LostResource &L) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts.Function);
  auto Key = keyOf(F.Facts, L.Holder);
  if (!Method || Method->getAccess() != AS_public || F.HasErrors || !Key || !L.EachCall ||
      L.IsAsked || L.Grows || Uses.HandedOn.count(*Key) ||
      !(L.IsEmptied || dependsOnArguments(F, L.Site)) || !leavesThere(F, L.Site) ||
      isFilledByConstructor(File.resources(), F, L.Holder))
    return false;
  const auto &All = File.resources().functions();
  return llvm::none_of(All, [&](const auto &G) { return calls(*G->Facts.Function, *Method); }) &&
         llvm::any_of(All, [&](const auto &G) {
           auto Gives = Uses.GivenBy.find(G->Facts.Function);
           return isa<CXXDestructorDecl>(G->Facts.Function) && Gives != Uses.GivenBy.end() &&
                  Gives->second.count(*Key);
         });
}

//===-- After a change ------------------------------------------------------===//

SetFlag flagAskedBy(const Expr *Condition) {
  SetFlag Out;
  Condition = bare(Condition);
  while (const auto *Not = dyn_cast_or_null<UnaryOperator>(Condition)) {
    if (Not->getOpcode() != UO_LNot)
      return {};
    Out.Answer = !Out.Answer;
    Condition = bare(Not->getSubExpr());
  }
  if (const FieldDecl *Field = memberOfThis(Condition); Field && Field->getType()->isBooleanType())
    Out.Member = Field;
  return Out;
}

/// The flag under which alone \p Part of \p Body runs: `if (dirty) part();`.
SetFlag flagAround(const Stmt &Part, const Stmt *Body) {
  SetFlag Found;
  anyBelow(Body, [&](const Stmt &S) {
    const auto *If = dyn_cast<IfStmt>(&S);
    if (If && contains(If->getThen(), &Part))
      Found = flagAskedBy(If->getCond());
    return Found.Member != nullptr;
  });
  return Found;
}

bool sets(const Stmt *Body, const SetFlag &Flag) {
  return moves(*Body, *Flag.Member, Flag.Answer ? Goes::ToTrue : Goes::ToFalse);
}

/// A method that users of the class may call any time sets the flag again, and lets nothing go.
bool LostMemberFinder::isSetElsewhere(const SetFlag &Flag, const FunctionResources &By,
                                      const RecordKey &Key) const {
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    const auto *Method = dyn_cast<CXXMethodDecl>(G->Facts.Function);
    return Method && Method->getParent() == Flag.Member->getParent() && G.get() != &By &&
           Method->getAccess() == AS_public &&
           !isa<CXXConstructorDecl, CXXDestructorDecl>(Method) && sets(Method->getBody(), Flag) &&
           !letsGoOf(*G, Key);
  });
}

/// `if (dirty) fill();`: each change that sets the flag makes the next fill lose the one before.
bool LostMemberFinder::isFilledAfterChange(const FunctionResources &F,
                                           const LostResource &L) const {
  auto Key = keyOf(F.Facts, L.Holder);
  if (!Key || F.HasErrors || L.IsAsked || L.Grows || Uses.HandedOn.count(*Key) ||
      !leavesThere(F, L.Site) || !isGivenAtEnd(*Key))
    return false;
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    const Stmt *Fill = G.get() == &F ? F.Facts.Sites[L.Site].Call : callOf(F, *G);
    const SetFlag Flag = Fill ? flagAround(*Fill, G->Facts.Function->getBody()) : SetFlag();
    return Flag.Member && !letsGoOf(*G, *Key) && isSetElsewhere(Flag, *G, *Key);
  });
}

std::vector<LostMember> LostMemberFinder::run() {
  std::vector<LostMember> Out;
  for (const ForgottenResource &R : File.forgotten())
    if (isOfTensors(*R.In, R.Site) && isNeverDeleted(R))
      Out.push_back({LostMember::NeverDeleted, R.In, R.Site, ownMember(R.In->Facts, R.Holder)});
  for (const auto &F : File.resources().functions())
    for (const LostResource &L : F->Lost) {
      const FieldDecl *Member = ownMember(F->Facts, L.Holder);
      if (L.How != LostResource::Regrown || !Member || isa<CXXConstructorDecl>(F->Facts.Function))
        continue;
      if ((mayBeCalledAgain(*F, L) || isFilledAfterChange(*F, L)) &&
          llvm::none_of(Out, [&](const LostMember &Other) {
            return Other.Why == LostMember::SetUpAgain && Other.In == F.get();
          }))
        Out.push_back({LostMember::SetUpAgain, F.get(), L.Site, Member});
      if (!(isOfTensors(*F, L.Site) || isFilledByEach(*F, L)))
        continue;
      if (const Stmt *Again = calledAgain(*F, L))
        Out.push_back({LostMember::Overwritten, F.get(), L.Site, Member, Again});
    }
  return Out;
}

bool isAssignment(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method && (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator());
}

/// What \p Use overwrites in a function that is called there, that function hands on.
bool LostMemberFinder::isHandedOnByCallee(const HolderUse &Use, const RecordKey &Key) const {
  const FunctionResources *Callee = File.resources().calleeOf(Use);
  return Callee && letsGoOf(*Callee, Key);
}

/// `if (live) free(p);` in the destructor, and \p Assignment takes over `live` as it does p: the
/// object assigned to may have owned what it held.
bool LostMemberFinder::isGivenUnderFlagOf(const FunctionResources &Assignment,
                                          const RecordKey &Key) const {
  const auto *Class = cast<CXXMethodDecl>(Assignment.Facts.Function)->getParent();
  auto IsUnderFlag = [&](const HolderUse &Use, const FunctionDecl &End) {
    const SetFlag Flag = flagAround(*Use.At, End.getBody());
    return Flag.Member && Flag.Answer &&
           takesOver(*Assignment.Facts.Function->getBody(), *Flag.Member);
  };
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    const auto *End = dyn_cast<CXXDestructorDecl>(G->Facts.Function);
    return End && End->getParent() == Class && llvm::any_of(G->Released, [&](const HolderUse &Use) {
             return !Use.Site && keyOf(G->Facts, Use.Path) == Key && IsUnderFlag(Use, *End);
           });
  });
}

/// Who fills it, a constructor or another method, makes no difference: what is assigned to has
/// been an object before.
std::vector<AssignedOver> LostMemberFinder::assignedOver() {
  std::vector<AssignedOver> Out;
  for (const auto &F : File.resources().functions()) {
    if (!isAssignment(*F->Facts.Function) || F->HasErrors)
      continue;
    for (const HolderUse &Use : F->Overwritten) {
      const FieldDecl *Member = ownMember(F->Facts, Use.Path);
      auto Key = keyOf(F->Facts, Use.Path);
      auto Takes = Key ? Uses.Takes.find(*Key) : Uses.Takes.end();
      if (Member && Takes != Uses.Takes.end() &&
          (isGivenAtEnd(*Key) || isGivenUnderFlagOf(*F, *Key)) && !isHandedOnByCallee(Use, *Key) &&
          !F->letsGoOf([&](const HolderUse &Gone) { return Gone.Path == Use.Path; }))
        Out.push_back({F.get(), Use.At, Member, Takes->second});
    }
  }
  return Out;
}

} // namespace

std::vector<AssignedOver> findAssignedOver(FileAnalyses &File) {
  return LostMemberFinder(File).assignedOver();
}

std::vector<LostMember> findLostMembers(FileAnalyses &File) { return LostMemberFinder(File).run(); }

} // namespace tensorleak
