//===-- ShrunkContainers.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/ShrunkContainers.h"

#include "checks/model/ClassNames.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/blocks/BlockWalk.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/Analyses/CFGReachabilityAnalysis.h"
#include "clang/Analysis/CFG.h"

using namespace clang;

namespace tensorleak {
namespace {

/// `all.resize(n)`
struct Resizing {
  const CXXMemberCallExpr *Call = nullptr;
  const ValueDecl *Container = nullptr; ///< a member, or a variable
};

Resizing resizingIn(const Stmt &S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  const bool Is = Method && Method->getIdentifier() && Method->getName() == "resize" &&
                  Method->getParent()->isInStdNamespace() && Call->getNumArgs() > 0;
  const ValueDecl *Named = Is ? variableOrMember(Call->getImplicitObjectArgument()) : nullptr;
  return Named ? Resizing{Call, Named} : Resizing();
}

class ShrinkFinder {
public:
  ShrinkFinder(FileAnalyses &File, const FunctionResources &F, const Resizing &At)
      : File(File), Uses(File.recordUses()), F(F), Body(F.Facts.Function->getBody()), At(At) {
    collectSizes();
  }
  void run(std::vector<RemovedEntry> &Out) const;

private:
  void collectSizes();
  bool asks(const Stmt *S) const;
  bool isCounter(const Expr *E) const;
  bool onlyGrows() const;
  bool isEmptied() const;
  bool goesOnFromOldSize() const;
  bool holds(const RecordKey &Key) const;
  bool isGivenBefore(const RecordKey &Key) const;
  bool comesBefore(const Stmt &First, const Stmt &Second) const;
  bool replacesOld(const RecordKey &Key) const;
  bool gives(const RecordKey &Key, llvm::function_ref<bool(const HolderUse &)> Is) const;

  FileAnalyses &File;
  const RecordUses &Uses;
  const FunctionResources &F;
  const Stmt *Body;
  Resizing At;
  Variables Sizes; ///< local variables that are computed from what the container had
};

/// It mentions the container or a size of it.
bool ShrinkFinder::asks(const Stmt *S) const {
  return mentions(S, [&](const Expr &E) {
    const auto *Member = dyn_cast<MemberExpr>(&E);
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    return (Member && Member->getMemberDecl() == At.Container) ||
           (Ref && (Ref->getDecl() == At.Container || Sizes.count(Ref->getDecl())));
  });
}

void ShrinkFinder::collectSizes() {
  anyBelow(Body, [&](const Stmt &S) {
    const auto *Declares = dyn_cast<DeclStmt>(&S);
    const auto *V = Declares && Declares->isSingleDecl()
                        ? dyn_cast<VarDecl>(Declares->getSingleDecl())
                        : nullptr;
    if (V && V->getType()->isIntegerType() && V->getInit() && asks(V->getInit()))
      Sizes.insert(V);
    return false;
  });
}

/// `++i`
const ValueDecl *counterIn(const Stmt &S) {
  const auto *Step = dyn_cast<UnaryOperator>(&S);
  return Step && Step->isIncrementOp() ? variableOrMember(Step->getSubExpr()) : nullptr;
}

bool ShrinkFinder::isCounter(const Expr *E) const {
  const ValueDecl *Named = variableOrMember(E);
  return Named && anyBelow(Body, [&](const Stmt &S) { return counterIn(S) == Named; });
}

/// The new size is made of the old one, or something compares the two: not a counter of elements.
bool ShrinkFinder::onlyGrows() const {
  return asks(At.Call->getArg(0)) || anyBelow(Body, [&](const Stmt &S) {
           const auto *Op = dyn_cast<BinaryOperator>(&S);
           return Op && Op->isRelationalOp() && asks(Op) && !isCounter(Op->getLHS()) &&
                  !isCounter(Op->getRHS());
         });
}

/// Something takes elements out, or puts others in their place.
bool ShrinkFinder::isEmptied() const {
  return anyBelow(Body, [&](const Stmt &S) {
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S))
      return Op->isAssignmentOp() && variableOrMember(Op->getArg(0)) == At.Container;
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    if (!Method || !Method->getIdentifier() ||
        variableOrMember(Call->getImplicitObjectArgument()) != At.Container)
      return false;
    const llvm::StringRef Name = Method->getName();
    const auto Effect = File.unit().model().effectOf(*Method);
    return Effect && Effect->What == Does::Shrink && Name != "resize" && Name != "shrink_to_fit";
  });
}

/// `for (i = old; i < n; ++i)`: what is there stays as it is.
bool ShrinkFinder::goesOnFromOldSize() const {
  return anyBelow(Body, [&](const Stmt &S) { return Sizes.count(counterIn(S)) > 0; });
}

/// \p P is, or lies in an object that is, where \p Key says.
bool isAt(const FunctionResources &F, PathId P, const RecordKey &Key) {
  const auto Here = keyOf(F.Facts, P);
  return Here && (*Here == Key || llvm::is_contained(keysWithin(*Here), Key));
}

/// The elements of the container, or members of theirs, hold what \p Key says, and go quietly.
bool ShrinkFinder::holds(const RecordKey &Key) const {
  const auto *Class = At.Container->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const auto Parts = Class ? typeArguments(*Class) : llvm::SmallVector<QualType, 4>();
  const ValueDecl *Whole = Key.Chain.empty() ? dyn_cast<ValueDecl>(Key.Owner) : Key.Chain.front();
  return !Parts.empty() && Parts.front().isDestructedType() == QualType::DK_none &&
         (Whole == At.Container || Parts.front()->getAsRecordDecl() == Key.Owner);
}

bool ShrinkFinder::gives(const RecordKey &Key,
                         llvm::function_ref<bool(const HolderUse &)> Is) const {
  return F.letsGoOf([&](const HolderUse &Use) { return isAt(F, Use.Path, Key) && Is(Use); });
}

bool ShrinkFinder::isGivenBefore(const RecordKey &Key) const {
  const CFGBlock *Here = blockOf(*F.Facts.Cfg, At.Call);
  CFGReverseBlockReachabilityAnalysis Reaches(*F.Facts.Cfg);
  return !Here || gives(Key, [&](const HolderUse &Use) {
    const CFGBlock *There = blockOf(*F.Facts.Cfg, Use.At);
    return !There || There == Here || Reaches.isReachable(There, Here);
  });
}

bool ShrinkFinder::comesBefore(const Stmt &First, const Stmt &Second) const {
  const CFGBlock *Here = blockOf(*F.Facts.Cfg, &First), *There = blockOf(*F.Facts.Cfg, &Second);
  const SourceManager &Sources = F.Facts.Function->getASTContext().getSourceManager();
  if (Here == There)
    return Here && Sources.isBeforeInTranslationUnit(First.getBeginLoc(), Second.getBeginLoc());
  return Here && There &&
         CFGReverseBlockReachabilityAnalysis(*F.Facts.Cfg).isReachable(Here, There);
}

/// `for (auto &each : all) fit(each);`: it is given back where another one takes its place, by a
/// function or by two calls.
bool ShrinkFinder::replacesOld(const RecordKey &Key) const {
  return gives(Key, [&](const HolderUse &Use) {
    auto Replaces = [&](const HolderUse &Taken) {
      return isAt(F, Taken.Path, Key) && (Taken.At == Use.At || comesBefore(*Use.At, *Taken.At));
    };
    return llvm::any_of(F.Taken, Replaces) || llvm::any_of(F.TakenByCallee, Replaces);
  });
}

bool isBefore(const RecordKey &A, const RecordKey &B) {
  return std::pair(A.Chain.size(), A.text()) < std::pair(B.Chain.size(), B.text());
}

void ShrinkFinder::run(std::vector<RemovedEntry> &Out) const {
  const ASTContext &Context = F.Facts.Function->getASTContext();
  if (At.Call->getArg(0)->isEvaluatable(Context) || onlyGrows() || isEmptied())
    return;
  const bool KeepsOld = goesOnFromOldSize();
  const RecordKey *Best = nullptr; // the shortest of its names; keys are in no order of their own
  for (const auto &[Key, Takes] : Uses.Takes)
    if (holds(Key) && Uses.Given.count(Key) && !Uses.isShared(Key) && !isGivenBefore(Key) &&
        (KeepsOld || replacesOld(Key)) && (!Best || isBefore(Key, *Best)))
      Best = &Key;
  if (!Best)
    return;
  // A getter hands on what the object still frees.
  const bool Sure = !Uses.HandedOn.count(*Best) || Uses.isGivenInView(*Best);
  RemovedEntry Lost{&F, At.Call, *Best, Uses.Takes.at(*Best), Sure};
  Lost.IsCutOff = true;
  Out.push_back(Lost);
}

} // namespace

std::vector<RemovedEntry> findShrunkContainers(FileAnalyses &File) {
  std::vector<RemovedEntry> Out;
  for (const auto &F : File.resources().functions()) {
    if (F->HasErrors || isa<CXXConstructorDecl, CXXDestructorDecl>(F->Facts.Function))
      continue;
    anyBelow(F->Facts.Function->getBody(), [&](const Stmt &S) {
      if (const Resizing At = resizingIn(S); At.Call)
        ShrinkFinder(File, *F, At).run(Out);
      return false;
    });
  }
  return Out;
}

} // namespace tensorleak
