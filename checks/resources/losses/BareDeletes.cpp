//===-- BareDeletes.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/BareDeletes.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/calls/Deleters.h"
#include "checks/resources/records/GoneRecords.h"
#include "checks/resources/records/Takes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "checks/source/UserCode.h"
#include "checks/source/blocks/BlockWalk.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"

using namespace clang;

namespace tensorleak {
namespace {

/// What is done to one member of a record, or to a pointer to the record.
struct RecordEvent {
  const FunctionResources *In;
  const CFGBlock *Block;
  size_t Index;  ///< in the block
  PathId Object; ///< the pointer to the record
  const ResourceEvent &event() const { return In->Facts.Blocks[Block->getBlockID()][Index]; }
};

class BareDeleteFinder {
public:
  BareDeleteFinder(FileAnalyses &File, const RecordKey &Key)
      : File(File), Key(Key), Record(dyn_cast<RecordDecl>(Key.Owner)) {}
  /// Where all that the file says of the member is that who deletes the object gives it back first.
  void run(std::vector<BareDelete> &Out);

private:
  void collect();
  void collect(const FunctionResources &F, const CFGBlock &Block, size_t Index);
  void collectOwners(const FunctionResources &F);
  bool isMember(const FunctionResources &F, PathId P) const;
  PathId objectOf(const FunctionResources &F, PathId Member) const;
  bool concerns(const FunctionResources &F, const ResourceEvent &E, PathId Object) const;
  bool leavesIt(const ResourceEvent &E) const;
  bool isOfOtherMember(const FunctionResources &F, PathId P) const;
  bool asksForMember(const CFGBlock &Block) const;
  bool isSettledIn(const RecordEvent &Delete, const CFGBlock &Block, size_t End) const;
  bool isBare(const RecordEvent &Delete) const;
  bool makesRecord(const FunctionResources &F) const;
  const ResourceEvent *givenFor(const RecordEvent &Delete) const;
  bool areMadeWithIt(llvm::ArrayRef<RecordTake> Takes) const;
  bool isOfKind(llvm::ArrayRef<RecordTake> Takes) const;
  const ResourceEvent *pairedRelease(std::vector<RecordEvent> &Bare) const;

  FileAnalyses &File;
  const RecordKey &Key;
  const RecordDecl *Record;
  std::vector<RecordEvent> Deletes, Releases;
  std::vector<std::pair<const FunctionResources *, const Stmt *>> Owners; ///< that will delete it
  bool IsHandedOn = false; ///< what the member holds, or the whole record, goes to another place
};

bool BareDeleteFinder::isMember(const FunctionResources &F, PathId P) const {
  return keyOf(F.Facts, P) == std::optional(Key);
}

/// `s` of `s->data` and `s->parts[].data`.
PathId BareDeleteFinder::objectOf(const FunctionResources &F, PathId Member) const {
  const PathTable &Paths = F.Facts.Paths;
  for (PathId P = Member; Paths.last(P).What != Step::Root; P = Paths.parent(P))
    if (Paths.last(P).What == Step::Star && P != Member)
      return Paths.parent(P);
  return NoPath;
}

void BareDeleteFinder::collect(const FunctionResources &F, const CFGBlock &Block, size_t Index) {
  const ResourceEvent &E = F.Facts.Blocks[Block.getBlockID()][Index];
  for (PathId From : E.storedFrom())
    IsHandedOn |= isMember(F, From);
  if (E.Kind != ResourceEventKind::Release || E.ByCallee) // which is asked itself
    return;
  const RecordDecl *Given = recordGivenAt(*E.At);
  const bool Deletes = Given && Given->getCanonicalDecl() == Record->getCanonicalDecl();
  for (const Atom &A : E.Value) {
    if (A.What != Atom::Load)
      continue;
    if (Deletes)
      this->Deletes.push_back({&F, &Block, Index, A.Id});
    else if (!isMember(F, A.Id))
      continue;
    else if (PathId Object = objectOf(F, A.Id); Object != NoPath)
      Releases.push_back({&F, &Block, Index, Object});
    else
      IsHandedOn = true; // of an object that no pointer names
  }
}

/// `plan.release()`: the pointer deletes nothing then.
static bool letsGo(const Stmt &S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Method->getName() == "release" &&
         Call->getType()->isPointerType();
}

/// `std::unique_ptr<Plan> plan(raw);`
void BareDeleteFinder::collectOwners(const FunctionResources &F) {
  if (makesRecord(F) || anyBelow(F.Facts.Function->getBody(), letsGo))
    return;
  anyIn(*F.Facts.Function, [&](const Stmt &S) {
    const auto *Owner = dyn_cast<CXXConstructExpr>(&S);
    const bool Deletes = Owner && deletesByDefault(*Owner);
    const RecordDecl *Given =
        Deletes ? bare(Owner->getArg(0))->getType()->getPointeeType()->getAsRecordDecl() : nullptr;
    if (Given && Given->getCanonicalDecl() == Record->getCanonicalDecl())
      Owners.push_back({&F, Owner});
    return false;
  });
}

void BareDeleteFinder::collect() {
  for (const auto &F : File.resources().functions())
    collectOwners(*F);
  for (const auto &F : File.resources().functions())
    for (const CFGBlock *Block : *F->Facts.Cfg)
      for (size_t I = 0; I < F->Facts.Blocks[Block->getBlockID()].size(); ++I)
        collect(*F, *Block, I);
}

/// A function in view, such as one that unlinks a node of a list, and neither it nor whom it hands
/// the object to gives back what the object has.
bool BareDeleteFinder::leavesIt(const ResourceEvent &E) const {
  const auto *Call = dyn_cast_or_null<CallExpr>(E.At);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const FunctionResources *Body = Callee ? File.resources().find(*Callee) : nullptr;
  return Body && !Body->HasErrors && !letsGoOf(*Body, Key) &&
         !File.recordUses().mayReach(*Body->Facts.Function, Key);
}

/// `op->next`, which leads to other objects and not to what this one has.
bool BareDeleteFinder::isOfOtherMember(const FunctionResources &F, PathId P) const {
  const auto Named = keyOf(F.Facts, P);
  return Named && Named->Owner == Key.Owner && !Named->isWithin(Key) && !Key.isWithin(*Named);
}

/// Something is done to what the object has, or somebody gets to know the object.
bool BareDeleteFinder::concerns(const FunctionResources &F, const ResourceEvent &E,
                                PathId Object) const {
  const PathTable &Paths = F.Facts.Paths;
  if (E.Kind == ResourceEventKind::EscapeTree && leavesIt(E))
    return false;
  auto IsBelow = [&](PathId P) {
    return P != NoPath && P != Object && Paths.isAtOrBelow(P, Object) && !isOfOtherMember(F, P);
  };
  const bool MayGive = E.Kind == ResourceEventKind::Escape ||
                       E.Kind == ResourceEventKind::EscapeTree ||
                       E.Kind == ResourceEventKind::Doubt;
  return IsBelow(E.Path) || IsBelow(E.From) || (MayGive && E.Path == Object) ||
         llvm::any_of(E.Value, [&](const Atom &A) {
           return A.What != Atom::Fresh && (IsBelow(A.Id) || (MayGive && A.Id == Object));
         });
}

/// `if (s->data)`, and not what a function makes of it: `if (cudaEventQuery(s->done))`.
static bool asksFor(const Stmt *S, llvm::ArrayRef<const ValueDecl *> Members) {
  if (!S || (isa<CallExpr>(S) && !isa<CXXMemberCallExpr, CXXOperatorCallExpr>(S)))
    return false;
  const auto *Member = dyn_cast<MemberExpr>(S);
  return (Member && llvm::is_contained(Members, Member->getMemberDecl())) ||
         llvm::any_of(S->children(), [&](const Stmt *Part) { return asksFor(Part, Members); });
}

bool BareDeleteFinder::asksForMember(const CFGBlock &Block) const {
  return asksFor(Block.getLastCondition(), Key.Chain);
}

bool BareDeleteFinder::isSettledIn(const RecordEvent &Delete, const CFGBlock &Block,
                                   size_t End) const {
  const auto &Events = Delete.In->Facts.Blocks[Block.getBlockID()];
  return llvm::any_of(llvm::ArrayRef(Events).take_front(End), [&](const ResourceEvent &E) {
    return concerns(*Delete.In, E, Delete.Object);
  });
}

/// Some way comes to it from the begin of the function on which nothing is done to what the object
/// has, nor asked about it.
bool BareDeleteFinder::isBare(const RecordEvent &Delete) const {
  const Blocks Before =
      blocksFrom(Delete.Block, Toward::Entry, [&](const CFGBlock &Next, const BlockEdge &By) {
        const bool IsItself = By.From == nullptr;
        return !isSettledIn(Delete, Next, IsItself ? Delete.Index : ~size_t(0)) &&
               (IsItself || !asksForMember(Next));
      });
  return Before.count(&Delete.In->Facts.Cfg->getEntry()) > 0;
}

/// `new Plan()`, or what C has for it: `(Plan *)calloc(1, sizeof(Plan))`.
static const RecordDecl *recordMadeAt(const Stmt &S) {
  if (const auto *New = dyn_cast<CXXNewExpr>(&S))
    return New->getAllocatedType()->getAsRecordDecl();
  const auto *Cast = dyn_cast<ExplicitCastExpr>(&S);
  if (!Cast || !isa<CallExpr>(strip(Cast->getSubExpr())) || !Cast->getType()->isPointerType() ||
      !strip(Cast->getSubExpr())->getType()->isVoidPointerType())
    return nullptr;
  return Cast->getType()->getPointeeType()->getAsRecordDecl();
}

bool BareDeleteFinder::makesRecord(const FunctionResources &F) const {
  return anyBelow(F.Facts.Function->getBody(), [&](const Stmt &S) {
    const RecordDecl *Made = recordMadeAt(S);
    return Made && Made->getCanonicalDecl() == Record->getCanonicalDecl();
  });
}

/// Where what the object has is given back, in the function that deletes it.
const ResourceEvent *BareDeleteFinder::givenFor(const RecordEvent &Delete) const {
  auto It = llvm::find_if(Releases, [&](const RecordEvent &Release) {
    return Release.In == Delete.In && Release.Object == Delete.Object;
  });
  return It != Releases.end() ? &It->event() : nullptr;
}

/// Where the objects get it; who calls what makes one has it too.
static std::vector<RecordTake> takenByMakers(llvm::ArrayRef<RecordTake> Takes) {
  std::vector<RecordTake> Own;
  llvm::copy_if(Takes, std::back_inserter(Own),
                [](const RecordTake &T) { return !T.In->Facts.Sites[T.Site].OfCallee; });
  return Own;
}

/// Each object has one from when it is made.
bool BareDeleteFinder::areMadeWithIt(llvm::ArrayRef<RecordTake> Takes) const {
  return !Takes.empty() && llvm::all_of(Takes, [&](const RecordTake &T) {
    return makesRecord(*T.In) && firstOfDevice(only(T.what()));
  });
}

/// Nothing but who deletes the object is to give back what it has.
bool BareDeleteFinder::isOfKind(llvm::ArrayRef<RecordTake> Takes) const {
  const RecordUses &Uses = File.recordUses();
  return Record && !Key.Chain.empty() && !hasOwnDestructor(*Record) && areMadeWithIt(Takes) &&
         !Uses.FilledOtherwise.count(Key) && !Uses.isShared(Key);
}

/// Where some function gives it back and deletes the object; null where somebody may give it back
/// long before the object goes. \p Bare: the deletes without that, but for those in functions that
/// make such an object, which they may not have filled.
const ResourceEvent *BareDeleteFinder::pairedRelease(std::vector<RecordEvent> &Bare) const {
  const ResourceEvent *GivenAt = nullptr;
  std::set<std::pair<const FunctionResources *, PathId>> Whole;
  for (const RecordEvent &Each : Deletes)
    if (isBare(Each) && !makesRecord(*Each.In)) {
      Bare.push_back(Each);
    } else if (const ResourceEvent *Given = givenFor(Each)) {
      GivenAt = Given;
      Whole.insert({Each.In, Each.Object});
    }
  const bool IsPaired = llvm::all_of(
      Releases, [&](const RecordEvent &R) { return Whole.count({R.In, R.Object}) > 0; });
  return IsPaired ? GivenAt : nullptr;
}

void BareDeleteFinder::run(std::vector<BareDelete> &Out) {
  const RecordUses &Uses = File.recordUses();
  const std::vector<RecordTake> Takes = takenByMakers(Uses.Takes.at(Key));
  if (!isOfKind(Takes))
    return;
  collect();
  if (IsHandedOn || llvm::any_of(Deletes, [](const auto &Each) { return Each.In->HasErrors; }))
    return;
  std::vector<RecordEvent> Bare;
  const ResourceEvent *GivenAt = pairedRelease(Bare);
  if (!GivenAt)
    return;
  const bool Sure = !Uses.HandedOn.count(Key) || isInMainFile(*Record); // whose members others know
  for (const RecordEvent &Each : Bare)
    Out.push_back({Each.In, Each.event().At, GivenAt->At, Key, Takes, Sure});
  for (const auto &[In, At] : Owners)
    Out.push_back({In, At, GivenAt->At, Key, Takes, Sure});
}

} // namespace

std::vector<BareDelete> findBareDeletes(FileAnalyses &File) {
  std::vector<BareDelete> Out;
  for (const auto &[Key, Takes] : File.recordUses().Takes)
    BareDeleteFinder(File, Key).run(Out);
  return Out;
}

} // namespace tensorleak
