//===-- FlaggedLosses.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/flags/FlaggedLosses.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/blocks/BlockWalk.h"
#include "checks/source/members/Initializers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tensorleak {

std::optional<int64_t> FlagState::number() const { return constantIn(Flag->getASTContext(), Is); }

bool FlagState::operator==(const FlagState &O) const {
  return Flag == O.Flag && !Is == !O.Is && (!Is || number() == O.number());
}

const Expr *valueGiven(const Stmt &S, const FieldDecl &Flag) {
  const auto *Set = dyn_cast<BinaryOperator>(&S);
  return Set && Set->getOpcode() == BO_Assign && flagNamed(Set->getLHS()) == &Flag ? Set->getRHS()
                                                                                   : nullptr;
}

namespace {

/// What is set wherever \p Condition is \p Value.
FlagState setWhere(const Expr &Condition, bool Value) {
  FlagState First;
  forEachFlagIn(Condition, Value, [&](const FlagValue &V) {
    if (!First.Flag && V.IsSet)
      First = {V.Flag, V.State};
  });
  return First;
}

class FlagFinder {
public:
  FlagFinder(FileAnalyses &File, const RecordKey &Key, const std::vector<RecordTake> &Takes)
      : File(File), Key(Key), Takes(Takes) {}
  void run(std::vector<FlaggedLoss> &Out);

private:
  bool isOfKind() const;
  bool findFlag();
  FlagState flagBefore(const Stmt &Part, const FunctionDecl &In) const;
  bool isGivenInside(const HolderUse &Use) const;
  bool maySet(const Stmt &S, bool To, const FunctionDecl &In) const;
  bool maySet(const CFGBlock &Block, const FunctionDecl &In) const;
  bool namesHeld(const Stmt &S) const;
  bool isTakenIfAsked(const Expr &Taking, const FunctionDecl &In) const;
  void addNotSet(const FunctionResources &F, std::vector<FlaggedLoss> &Out) const;
  bool letsGo(const FunctionResources &F) const;
  bool callerLetsGo(const FunctionDecl &Clearer) const;
  bool isEnteredAgain() const;
  void addCleared(const FunctionResources &F, std::vector<FlaggedLoss> &Out) const;
  bool isUnsetBehind(const BlockEdge &By) const;
  bool isClearedAlone(const FunctionResources &F, const Stmt &Clearing) const;
  bool takesBehind(const FunctionResources &F, const Stmt &Clearing) const;
  bool isOfCaller(const Stmt &Clearing) const;
  bool isMovedBy(const FunctionResources &F, const CXXConstructorDecl &Move) const;
  bool beginsUnset(const CXXConstructorDecl &Move) const;
  void addNotTaken(const FunctionResources &F, std::vector<FlaggedLoss> &Out) const;
  bool mayBeSet(const FunctionResources &F) const;

  FileAnalyses &File;
  const RecordKey &Key;
  const std::vector<RecordTake> &Takes;
  FlagState Asked;
  const Stmt *Given = nullptr; ///< where it is asked, and what is held is given back
};

//===-- The flag ------------------------------------------------------------===//

/// Of the device's, and only functions in view give it back.
bool FlagFinder::isOfKind() const {
  const RecordUses &Uses = File.recordUses();
  return !Key.Chain.empty() && Uses.isGivenHere(Key) &&
         llvm::all_of(
             Takes, [](const RecordTake &T) { return firstOfDevice(only(T.what())).has_value(); });
}

/// That without which \p In does not come to \p Part.
FlagState FlagFinder::flagBefore(const Stmt &Part, const FunctionDecl &In) const {
  FlagState Found;
  forEachConditionAhead(Part, In.getBody(), [&](const Expr &Condition, bool Answer) {
    if (!Found.Flag)
      Found = setWhere(Condition, Answer);
  });
  return Found;
}

/// The function that is called there gives it back by that name, and is asked itself.
bool FlagFinder::isGivenInside(const HolderUse &Use) const {
  const FunctionResources *Callee = File.resources().calleeOf(Use);
  return Callee && llvm::any_of(Callee->Released, [&](const HolderUse &Inside) {
           return !Inside.Site && keyOf(Callee->Facts, Inside.Path) == Key;
         });
}

bool FlagFinder::findFlag() {
  for (const auto &G : File.resources().functions())
    for (const HolderUse &Use : G->Released) {
      if (Use.Site || !(keyOf(G->Facts, Use.Path) == Key) || isGivenInside(Use))
        continue;
      const FlagState Here = flagBefore(*Use.At, *G->Facts.Function);
      if (!Here.Flag || (Asked.Flag && !(Asked == Here)))
        return false;
      Asked = Here;
      Given = Use.At;
    }
  return Asked.Flag && Asked.Flag != Key.Chain.back();
}

/// \p S gives the flag a value that may be \p To. What goes to any state is for those to know that
/// call it.
bool FlagFinder::maySet(const Stmt &S, bool To, const FunctionDecl &In) const {
  const Expr *Value = valueGiven(S, *Asked.Flag);
  const auto Constant = constantIn(In.getASTContext(), Value);
  if (!Value || !Constant)
    return Value && (To || !Asked.Is);
  return Asked.isSetBy(*Constant) == To;
}

bool FlagFinder::maySet(const CFGBlock &Block, const FunctionDecl &In) const {
  return llvm::any_of(Block, [&](const CFGElement &Element) {
    auto Here = Element.getAs<CFGStmt>();
    return Here && maySet(*Here->getStmt(), /*To=*/true, In);
  });
}

//===-- Left before it is set ---------------------------------------------------===//

/// `if (!stream) create(&stream);`: the next call finds what is there.
bool FlagFinder::isTakenIfAsked(const Expr &Taking, const FunctionDecl &In) const {
  bool IsAsked = false;
  forEachConditionAhead(Taking, In.getBody(),
                        [&](const Expr &Condition, bool) { IsAsked |= namesHeld(Condition); });
  return IsAsked;
}

/// `if (!ask(stream)) return false; ... isOpen = true;`, and nothing but that sets the flag.
void FlagFinder::addNotSet(const FunctionResources &F, std::vector<FlaggedLoss> &Out) const {
  const FunctionDecl &In = *F.Facts.Function;
  for (const LeftResource &L : F.Left) {
    const Expr *Taking = F.Facts.Sites[L.Site].Call;
    const CFGBlock *Leaves = blockOf(*F.Facts.Cfg, L.Return);
    if (!(keyOf(F.Facts, L.Holder) == Key) || !Leaves || isa<CXXConstructorDecl>(In) ||
        isTakenIfAsked(*Taking, In))
      continue;
    const Blocks Before =
        blocksFrom(Leaves, Toward::Entry, [](const CFGBlock &, const BlockEdge &) { return true; });
    const bool IsSet =
        llvm::any_of(Before, [&](const CFGBlock *Block) { return maySet(*Block, In); });
    const bool SetsLater =
        anyBelow(In.getBody(), [&](const Stmt &S) { return maySet(S, /*To=*/true, In); });
    if (!IsSet && SetsLater)
      return Out.push_back({FlaggedLoss::NotSet,
                            &F,
                            L.Return,
                            Key,
                            {&F, L.Site, L.Holder},
                            Asked.Flag,
                            Asked.Is,
                            Given,
                            L.When == After::Anything});
  }
}

//===-- Cleared alone ---------------------------------------------------------===//

bool FlagFinder::namesHeld(const Stmt &S) const {
  return mentions(&S, [&](const Expr &E) {
    const auto *Member = dyn_cast<MemberExpr>(&E);
    return Member && llvm::is_contained(Key.Chain, Member->getMemberDecl());
  });
}

/// It is a flag of `this`, of a global, or of what the caller gives: no object that is made here.
bool FlagFinder::isOfCaller(const Stmt &Clearing) const {
  const auto *Member = cast<MemberExpr>(bare(cast<BinaryOperator>(Clearing).getLHS()));
  const Expr *Object = bare(Member->getBase());
  const VarDecl *V = variableRead(*Object);
  if (V && V->isLocalVarDecl() && V->getType()->isPointerType() && V->getInit())
    V = variableRead(*bare(V->getInit())); // `context *c = (context *)self;`
  return isa<CXXThisExpr>(Object) || (V && (isa<ParmVarDecl>(V) || V->hasGlobalStorage()));
}

/// What is held under the flag is filled behind \p Clearing, as a function does that begins.
bool FlagFinder::takesBehind(const FunctionResources &F, const Stmt &Clearing) const {
  const Blocks Behind = blocksFrom(blockOf(*F.Facts.Cfg, &Clearing), Toward::Exit,
                                   [](const CFGBlock &, const BlockEdge &) { return true; });
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  auto IsBehind = [&](const HolderUse &Use) {
    const CFGBlock *Taken = blockOf(*F.Facts.Cfg, Use.At);
    return Taken && Behind.count(Taken) &&
           Sources.isBeforeInTranslationUnit(Clearing.getBeginLoc(), Use.At->getBeginLoc());
  };
  return llvm::any_of(F.Taken, IsBehind) || llvm::any_of(F.TakenByCallee, IsBehind);
}

/// The flag is known not to be set behind \p By; which case of a `switch` that is, is not asked.
bool FlagFinder::isUnsetBehind(const BlockEdge &By) const {
  const Stmt *Ends = By.From ? By.From->getTerminatorStmt() : nullptr;
  const auto *Switch = dyn_cast_or_null<SwitchStmt>(Ends);
  const Expr *Condition = By.condition();
  if (Switch || !Condition)
    return Switch && flagNamed(Switch->getCond()) == Asked.Flag;
  const FlagState Here = setWhere(*Condition, By.Way == 0);
  return setWhere(*Condition, By.Way != 0) == Asked ||
         (Here.Flag == Asked.Flag && Here.Is && Asked.Is && !(Here == Asked));
}

/// Some way comes there from the begin of the function on which the flag may be set, and nothing is
/// done to what is held, nor asked of it.
bool FlagFinder::isClearedAlone(const FunctionResources &F, const Stmt &Clearing) const {
  auto Passes = [&](const CFGBlock &Next, const BlockEdge &By) {
    return !isUnsetBehind(By) && llvm::none_of(Next, [&](const CFGElement &Element) {
      auto Here = Element.getAs<CFGStmt>();
      return Here && namesHeld(*Here->getStmt());
    });
  };
  return blocksFrom(blockOf(*F.Facts.Cfg, &Clearing), Toward::Entry, Passes)
      .count(&F.Facts.Cfg->getEntry());
}

/// The function asks the flag itself, or somebody calls it after what sets the flag.
bool FlagFinder::mayBeSet(const FunctionResources &F) const {
  const FunctionDecl &Clearer = *F.Facts.Function;
  auto Asks = [&](const Stmt &S) {
    const auto *If = dyn_cast<IfStmt>(&S);
    return If &&
           mentions(If->getCond(), [&](const Expr &E) { return flagNamed(&E) == Asked.Flag; });
  };
  auto CallsBoth = [&](const auto &G) {
    return calls(*G->Facts.Function, Clearer) && llvm::any_of(Takes, [&](const RecordTake &T) {
             return isOrComesTo(*G->Facts.Function, *T.In->Facts.Function);
           });
  };
  return anyBelow(Clearer.getBody(), Asks) || llvm::any_of(File.resources().functions(), CallsBoth);
}

/// It gives back what is held, or the object, or hands one of them on.
bool FlagFinder::letsGo(const FunctionResources &F) const {
  auto IsHeld = [&](const HolderUse &Use) {
    auto Gone = keyOf(F.Facts, Use.Path);
    return Gone && Key.isWithin(*Gone);
  };
  auto IsObject = [&](const HolderUse &Use) { return !Use.Site && !keyOf(F.Facts, Use.Path); };
  return F.letsGoOf(IsHeld) || llvm::any_of(F.Released, IsObject) ||
         llvm::any_of(F.MaybeReleased, IsObject);
}

/// `leave(); markIdle();`, in functions of the same kind: those of other classes use the object.
bool FlagFinder::callerLetsGo(const FunctionDecl &Clearer) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Clearer);
  return llvm::any_of(File.recordUses().GivenBy, [&](const auto &Each) {
    const auto *Own = dyn_cast<CXXMethodDecl>(Each.first);
    const bool IsOfKind = !Method || (Own && Own->getParent() == Method->getParent());
    return IsOfKind && Each.second.count(Key) && calls(*Each.first, Clearer);
  });
}

/// `resume()` goes back to the state, where it finds what was there before.
bool FlagFinder::isEnteredAgain() const {
  auto TakesIt = [&](const FunctionDecl &In) {
    return llvm::any_of(
        Takes, [&](const RecordTake &T) { return isOrComesTo(In, *T.In->Facts.Function); });
  };
  return Asked.Is && llvm::any_of(File.resources().functions(), [&](const auto &G) {
           const FunctionDecl &In = *G->Facts.Function;
           return !isa<CXXConstructorDecl>(In) && !TakesIt(In) &&
                  anyBelow(In.getBody(), [&](const Stmt &S) { return maySet(S, /*To=*/true, In); });
         });
}

void FlagFinder::addCleared(const FunctionResources &F, std::vector<FlaggedLoss> &Out) const {
  const FunctionDecl &In = *F.Facts.Function;
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(In) || letsGo(F))
    return;
  const Stmt *Found = nullptr;
  anyBelow(In.getBody(), [&](const Stmt &S) {
    if (maySet(S, /*To=*/false, In) && isOfCaller(S) && isClearedAlone(F, S) && !takesBehind(F, S))
      Found = &S;
    return Found != nullptr;
  });
  if (!Found || !mayBeSet(F) || callerLetsGo(In) || isEnteredAgain())
    return;
  const bool Sure = !maySet(*Found, /*To=*/true, In);
  Out.push_back(
      {FlaggedLoss::Cleared, &F, Found, Key, Takes.front(), Asked.Flag, Asked.Is, Given, Sure});
}

//===-- Moved without the flag ---------------------------------------------===//

/// The new object has what the other one held, which that one has no more.
bool FlagFinder::isMovedBy(const FunctionResources &F, const CXXConstructorDecl &Move) const {
  const ValueDecl *Member = Key.Chain.back();
  auto IsMember = [&](const RelativeResourcePath &P) {
    return P.Steps.size() == 1 && P.Steps.front().Decl == Member;
  };
  auto IsNamed = [&](const Expr *E) {
    const auto *Named = dyn_cast<MemberExpr>(bare(E));
    return Named && Named->getMemberDecl() == Member && !memberOfThis(Named);
  };
  const bool IsStored = llvm::any_of(F.Summary.Stores, [&](const ResourceSummary::Stored &Each) {
    return Each.Where.Root == RelativeResourcePath::This && IsMember(Each.Where) &&
           Each.From.Root == RelativeResourcePath::Param && IsMember(Each.From);
  });
  return IsStored && anyIn(Move, [&](const Stmt &S) {
           const auto *Set = dyn_cast<BinaryOperator>(&S);
           const auto *Call = dyn_cast<CallExpr>(&S);
           return (Set && Set->getOpcode() == BO_Assign && IsNamed(Set->getLHS())) ||
                  (Call && callsStd(*Call, "exchange") && IsNamed(Call->getArg(0)));
         });
}

/// Nothing but the list of \p Move gives its own flag a value, and it is not set by that.
bool FlagFinder::beginsUnset(const CXXConstructorDecl &Move) const {
  const Expr *Begin = beginOf(Move, *Asked.Flag);
  const auto Value = Begin ? constantIn(Move.getASTContext(), Begin) : std::nullopt;
  return Value && !Asked.isSetBy(*Value) && !anyIn(Move, [&](const Stmt &S) {
           const auto *Named = dyn_cast<Expr>(&S);
           return Named && memberOfThis(Named) == Asked.Flag;
         });
}

/// `Buffer(Buffer &&o) : p_(o.p_) { o.p_ = nullptr; }`
void FlagFinder::addNotTaken(const FunctionResources &F, std::vector<FlaggedLoss> &Out) const {
  const auto *Move = dyn_cast<CXXConstructorDecl>(F.Facts.Function);
  if (!Move || !Move->isMoveConstructor() || Key.Chain.size() != 1 ||
      Move->getParent() != Asked.Flag->getParent() || !isMovedBy(F, *Move) || !beginsUnset(*Move))
    return;
  const auto *Member = dyn_cast<FieldDecl>(Key.Chain.back());
  const Expr *Begin = Member ? beginOf(*Move, *Member) : nullptr;
  const Stmt *At = Begin ? Begin : Move->getBody();
  Out.push_back({FlaggedLoss::NotTaken, &F, At, Key, Takes.front(), Asked.Flag, Asked.Is, Given,
                 /*Sure=*/true});
}

void FlagFinder::run(std::vector<FlaggedLoss> &Out) {
  auto SetsFlag = [&](const RecordTake &T) {
    const FunctionDecl &In = *T.In->Facts.Function;
    return anyBelow(In.getBody(), [&](const Stmt &S) { return maySet(S, /*To=*/true, In); });
  };
  if (!isOfKind() || !findFlag())
    return;
  for (const auto &F : File.resources().functions())
    if (!F->HasErrors)
      addNotTaken(*F, Out);
  const RecordUses &Uses = File.recordUses();
  if (Uses.HandedOn.count(Key))
    return;
  addNeverSet(File, Key, Takes, Asked, *Given, Out);
  if (Uses.FilledOtherwise.count(Key) || !llvm::all_of(Takes, SetsFlag))
    return;
  for (const auto &F : File.resources().functions())
    if (!F->HasErrors) {
      addNotSet(*F, Out);
      addCleared(*F, Out);
    }
}

} // namespace

std::vector<FlaggedLoss> findFlaggedLosses(FileAnalyses &File) {
  std::vector<FlaggedLoss> Out;
  for (const auto &[Key, Takes] : File.recordUses().Takes)
    FlagFinder(File, Key, Takes).run(Out);
  auto Order = [](const FlaggedLoss &L) {
    const Expr &Taking = *L.Take.In->Facts.Sites[L.Take.Site].Call;
    return std::make_tuple(Taking.getBeginLoc(), L.At->getBeginLoc(), L.Key.text());
  };
  llvm::sort(Out, [&](const FlaggedLoss &A, const FlaggedLoss &B) { return Order(A) < Order(B); });
  return Out;
}

} // namespace tensorleak
