//===-- Storages.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Storages.h"

#include "checks/flow/Dataflow.h"
#include "checks/flow/LocalStores.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Types.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

//===-- Sets --------------------------------------------------------------===//

bool Referred::add(unsigned Storage) {
  auto *At = llvm::lower_bound(Storages, Storage);
  if (At != Storages.end() && *At == Storage)
    return false;
  Storages.insert(At, Storage);
  return true;
}

bool Referred::add(const Referred &More) {
  bool Changed = (More.ToOthers && !ToOthers) || (More.InPart && !InPart);
  ToOthers |= More.ToOthers;
  InPart |= More.InPart;
  for (unsigned Storage : More.Storages)
    Changed |= add(Storage);
  return Changed;
}

bool Referred::meets(const Referred &Other) const {
  return llvm::any_of(Storages,
                      [&](unsigned Each) { return llvm::binary_search(Other.Storages, Each); });
}

//===-- The dataflow ------------------------------------------------------===//

namespace {

class StorageFlow : public ForwardDataflow<StorageFlow, StorageState> {
public:
  StorageFlow(const FunctionFacts &Facts, const Storages &Rules)
      : ForwardDataflow(*Facts.Cfg), Facts(Facts), Rules(Rules) {}

  void transfer(const CFGBlock &Block, StorageState &Now) const {
    BlockRange Range = Facts.Blocks[Block.getBlockID()];
    for (unsigned I = Range.Begin; I < Range.End; ++I)
      Rules.apply(I, Now);
  }
  bool join(StorageState &Into, const StorageState &From) const { return Rules.join(Into, From); }

private:
  const FunctionFacts &Facts;
  const Storages &Rules;
};

} // namespace

Storages::Storages(AllStorages &All, const FunctionUnit &F)
    : All(All), F(F), Facts(*F.Facts), TheReads(*F.Facts), OutOfOrder(usedOutOfOrder(*F.Facts)) {
  for (const Stmt *Body : Facts.bodies())
    addPointedInto(Body, All.unit().model(), OutOfOrder);
  addReferents(OutOfOrder);
  for (const Event &E : Facts.Events)
    if (E.Kind == EventKind::Compute && E.Callee)
      CalleeOf[E.Val] = E.Callee;
}

/// Over the budget nothing is known.
void Storages::solve() {
  AtBlock.resize(Facts.Cfg->getNumBlockIDs());
  StorageFlow Flow(Facts, *this);
  if (!Flow.solve(atEntry(), Budget::StoreVisits))
    return;
  Flow.forEachReached([&](const CFGBlock &Block, const StorageState &Before) {
    AtBlock[Block.getBlockID()] = Before;
  });
  summarize();
}

std::optional<StorageState> Storages::before(unsigned Event) const {
  for (const CFGBlock *Block : *Facts.Cfg) {
    BlockRange Range = Facts.Blocks[Block->getBlockID()];
    if (Event < Range.Begin || Event >= Range.End || !AtBlock[Block->getBlockID()])
      continue;
    StorageState Now = *AtBlock[Block->getBlockID()];
    for (unsigned I = Range.Begin; I < Event; ++I)
      apply(I, Now);
    return Now;
  }
  return std::nullopt;
}

std::optional<StorageState> Storages::atEnd() const {
  return AtBlock[Facts.Cfg->getExit().getBlockID()];
}

bool Storages::join(StorageState &Into, const StorageState &From) const {
  bool Changed = Into.Escaped.add(From.Escaped);
  llvm::SmallVector<PlaceId, 8> Named;
  for (const StorageState *S : {&From, static_cast<const StorageState *>(&Into)})
    for (const auto &[P, What] : S->Places)
      Named.push_back(P);
  for (PlaceId P : Named) {
    Referred Both = heldApartFromParts(P, Into);
    bool IsNew = Both.add(heldApartFromParts(P, From)) || !Into.Places.count(P);
    Changed |= IsNew;
    Into.Places[P] = std::move(Both);
  }
  return Changed;
}

//===-- Variables ---------------------------------------------------------===//

/// The index of the parameter \p P, where it is an object of the function's own.
std::optional<unsigned> Storages::ownParameter(PlaceId P) const {
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(Facts.Places[P].Decl);
  if (!Param || Facts.Places[P].Root != Place::Param || Facts.Places[P].isField())
    return std::nullopt;
  bool IsOwn = Param->getType()->isRecordType() || Param->getType()->isRValueReferenceType();
  return IsOwn ? std::optional(Param->getFunctionScopeIndex()) : std::nullopt;
}

bool Storages::isOwn(PlaceId P) const {
  PlaceId Root = Facts.rootOf(P);
  if (Facts.Places[Root].Root == Place::This)
    while (P != Root) { // the member itself decides, not what is in it
      const auto *Member = dyn_cast_or_null<FieldDecl>(Facts.Places[P].Decl);
      if (Facts.Places[P].Parent == Root)
        return Member && All.isUsedOnlyIn(*Member, Facts);
      P = Facts.Places[P].Parent;
    }
  const ValueDecl *D = Facts.Places[Root].Decl;
  bool IsLocal = Facts.Places[Root].Root == Place::Local || ownParameter(Root);
  return IsLocal && D && !OutOfOrder.count(D);
}

/// What a reference or pointer that the caller handed over leads to is not followed; that it
/// is the caller's argument, if it is put where it stays, is.
Referred Storages::heldByOthers(PlaceId P) const {
  const Place &Root = Facts.Places[Facts.rootOf(P)];
  Referred Out = Referred::others();
  if (const auto *Param = dyn_cast_or_null<ParmVarDecl>(Root.Decl);
      Param && Root.Root == Place::Param)
    Out.add(Facts.Values.size() + Param->getFunctionScopeIndex());
  return Out;
}

Referred Storages::heldApartFromParts(PlaceId P, const StorageState &Now) const {
  if (!isOwn(P))
    return heldByOthers(P);
  Referred Out;
  PlaceId At = P;
  while (At != NoId && !Now.Places.count(At))
    At = Facts.Places[At].Parent;
  if (At != NoId)
    Out = Now.Places.find(At)->second;
  else if (Facts.Places[Facts.rootOf(P)].Root != Place::Local)
    Out.ToOthers = true; // what the object had before
  return Out;
}

Referred Storages::held(PlaceId P, const StorageState &Now) const {
  Referred Out = heldApartFromParts(P, Now);
  if (!isOwn(P))
    return Out;
  for (const auto &[Part, What] : Now.Places)
    if (Part != P && TheReads.isIn(Part, P))
      Out.add(What);
  return Out;
}

StorageState Storages::atEntry() const {
  StorageState Now;
  for (PlaceId P = 0; P < Facts.Places.size(); ++P)
    if (auto Param = ownParameter(P))
      Now.Places[P].add(Facts.Values.size() + *Param);
  return Now;
}

//===-- Events ------------------------------------------------------------===//

/// What is not the function's own is seen by others.
void Storages::put(PlaceId P, Referred What, StorageState &Now) const {
  if (!isOwn(P))
    return escape(What, Now);
  llvm::SmallVector<PlaceId, 4> Parts;
  for (const auto &[Part, Old] : Now.Places)
    if (TheReads.isIn(Part, P))
      Parts.push_back(Part);
  for (PlaceId Part : Parts)
    Now.Places.erase(Part);
  Now.Places[P] = std::move(What);
}

void Storages::assign(const Event &E, StorageState &Now) const {
  Referred What = of(E.Val, Now);
  What.ToOthers |= E.Val == NoId && !E.Declares;
  if (E.Val != NoId && isMoved(Facts.Values[E.Val]))
    put(Facts.Values[E.Val].Loaded, {}, Now);
  put(E.Place, std::move(What), Now);
}

/// More is in the place, or in the graph of its tensor.
void Storages::write(const Event &E, StorageState &Now) const {
  bool InPlace = events::has(E.Kind, events::Combines);
  if (InPlace && (E.Val == NoId || !mayKeepOperands(E.Val)) &&
      F.State.AtEvent[&E - Facts.Events.data()].Info.Carries <= Graph::No)
    return;
  Referred What = held(E.Place, Now);
  What.add(of(E.Val, Now));
  for (ValueId Arg : E.Args)
    What.add(of(Arg, Now));
  put(E.Place, std::move(What), Now);
}

/// What a function in view does with its arguments.
void Storages::enter(const Event &E, StorageState &Now) const {
  const StorageSummary *S = All.summaryOf(*E.Callee);
  for (unsigned I = 0; I < E.Args.size(); ++I) {
    if (E.Args[I] == NoId)
      continue;
    const Value &Arg = Facts.Values[E.Args[I]];
    Referred Given = of(E.Args[I], Now);
    if (!S || llvm::is_contained(S->Kept, I))
      escape(Given, Now);
    if (Arg.From != Source::Load)
      continue;
    if (isMoved(Arg))
      put(Arg.Loaded, {}, Now);
    else if (!S || llvm::is_contained(S->Changed, I))
      put(Arg.Loaded, Referred::others(), Now);
  }
}

/// What a call that empties one object may write as well, as swap does.
void Storages::exchange(const CallExpr &Call, StorageState &Now) const {
  const FunctionDecl *Callee = Call.getDirectCallee();
  for (unsigned I = 0; Callee && I < Call.getNumArgs() && I < Callee->getNumParams(); ++I) {
    PlaceId P = TheReads.placeNamedBy(*outermostBox(Call.getArg(I)));
    if (P == NoId || !mayWriteThrough(Callee->getParamDecl(I)->getType()))
      continue;
    escape(held(P, Now), Now);
    put(P, Referred::others(), Now);
  }
}

/// What changes the shape of its object, as set_data does, may take an operand's storage.
void Storages::adopt(const Value &V, StorageState &Now) const {
  if (V.From == Source::Api && V.Api.What == Does::InPlace && V.Api.Shape == ShapeRule::Unknown)
    for (ValueId In : llvm::drop_begin(V.Inputs))
      escape(of(In, Now), Now);
}

void Storages::apply(unsigned Index, StorageState &Now) const {
  const Event &E = Facts.Events[Index];
  if (E.Kind == EventKind::UserCall)
    return E.IsSpliced ? void() : enter(E, Now);
  if (E.Kind == EventKind::Compute)
    return adopt(Facts.Values[E.Val], Now);
  bool Empties = E.Kind == EventKind::Drop || E.Kind == EventKind::ScopeEnd;
  if (Empties && E.Place != NoId)
    return put(E.Place, {}, Now);
  if (const auto *Call = dyn_cast_or_null<CallExpr>(E.At); Call && E.Kind == EventKind::Shrink)
    return exchange(*Call, Now);
  if (events::has(E.Kind, events::Replaces) && E.Place != NoId)
    return assign(E, Now);
  if (events::writes(E.Kind) && E.Place != NoId)
    return write(E, Now);
  if (!events::has(E.Kind, events::Changes))
    return;
  escape(of(E.Val, Now), Now); // a hook, an optimizer, a gradient, or what is not seen
  for (ValueId Arg : E.Args)
    escape(of(Arg, Now), Now);
  if (events::leaves(E.Kind) && E.Place != NoId) {
    escape(held(E.Place, Now), Now);
    if (E.Kind == EventKind::Unknown)
      put(E.Place, Referred::others(), Now);
  }
}

//===-- For callers -------------------------------------------------------===//

/// The result is followed further by the caller; that the function itself still holds it, and
/// is about to end, does not matter.
void Storages::addReturn(const Event &E, const StorageState &Now) {
  Referred What = E.Val == NoId && E.Place != NoId ? held(E.Place, Now) : of(E.Val, Now);
  Told.ReturnsOthers |= What.ToOthers || What.meets(Now.Escaped);
  Told.ReturnsInPart |= What.InPart;
  Returned.add(What);
  for (unsigned Storage : What.Storages)
    (isParameter(Storage) ? Told.ReturnsParameters : Told.ReturnsOwn) = true;
}

static void addTo(llvm::SmallVectorImpl<unsigned> &List, unsigned Index) {
  if (!llvm::is_contained(List, Index))
    List.push_back(Index);
}

/// Whether \p Param refers to an object of the caller's.
static bool isOfCaller(const ParmVarDecl &Param) {
  return Param.getType()->isReferenceType() || Param.getType()->isPointerType();
}

void Storages::noteChange(const Event &E) {
  if (E.Place == NoId || !events::mayChange(E.Kind) || events::has(E.Kind, events::Combines))
    return;
  const Place &Root = Facts.Places[Facts.rootOf(E.Place)];
  if (const auto *Param = dyn_cast_or_null<ParmVarDecl>(Root.Decl);
      Param && Root.Root == Place::Param && isOfCaller(*Param))
    addTo(Told.Changed, Param->getFunctionScopeIndex());
}

void Storages::summarize() {
  Referred Escaped;
  for (const CFGBlock *Block : *Facts.Cfg) {
    if (!AtBlock[Block->getBlockID()])
      continue;
    StorageState Now = *AtBlock[Block->getBlockID()];
    BlockRange Range = Facts.Blocks[Block->getBlockID()];
    for (unsigned I = Range.Begin; I < Range.End; ++I) {
      if (Facts.Events[I].Kind == EventKind::Return)
        addReturn(Facts.Events[I], Now);
      noteChange(Facts.Events[I]);
      apply(I, Now);
    }
    Escaped.add(Now.Escaped);
  }
  for (unsigned Storage : Escaped.Storages)
    if (isParameter(Storage))
      addTo(Told.Kept, parameterOf(Storage));
  IsSolved = true;
}

//===-- The functions of a file -------------------------------------------===//

Storages &AllStorages::of(const FunctionUnit &F) {
  std::unique_ptr<Storages> &Entry = Known[F.Facts.get()];
  if (Entry)
    return *Entry;
  Storages &Made = *(Entry = std::make_unique<Storages>(*this, F)); // the map may grow below
  FunctionAtHand Here(*F.Facts->Function);
  Made.solve();
  return Made;
}

const StorageSummary *AllStorages::summaryOf(const FunctionDecl &Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  const FunctionUnit *F = Method && Method->isVirtual() ? nullptr : U.find(Callee);
  return F && !F->HasErrors ? of(*F).summary() : nullptr;
}

/// Whether \p Facts read or write the member; that a constructor makes it empty does not count,
/// nor what a function of the file does that is called.
static bool mentions(Unit &U, const FunctionFacts &Facts, const FieldDecl &Member) {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    bool IsEmpty = E.Kind == EventKind::Store && E.Declares && E.Val == NoId;
    if (E.Callee && U.find(*E.Callee))
      return false;
    return E.Place != NoId && !IsEmpty && Facts.Places[E.Place].Decl == &Member;
  });
}

/// Whether functions that are not among those of \p U could use \p Member.
static bool isOpen(Unit &U, const FieldDecl &Member) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Member.getParent());
  return Member.getAccess() != AS_private || !Class || Class->hasFriends() ||
         !U.isSeenWhole(Member) || U.shrinksSomewhere(&Member) ||
         llvm::any_of(Class->decls(), [](const Decl *D) { return isa<FunctionTemplateDecl>(D); });
}

bool AllStorages::isUsedOnlyIn(const FieldDecl &Member, const FunctionFacts &In) {
  auto [It, IsNew] = OnlyIn.try_emplace({&Member, &In}, false);
  if (IsNew && !isOpen(U, Member))
    It->second = llvm::none_of(U.functions(), [&](const FunctionUnit &F) {
      return F.Facts.get() != &In && mentions(U, *F.Facts, Member);
    });
  return It->second;
}

} // namespace tensorleak
