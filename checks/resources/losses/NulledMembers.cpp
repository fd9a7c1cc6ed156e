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
#include "checks/source/blocks/BlockWalk.h"
#include "checks/source/members/Initializers.h"
#include "clang/Analysis/Analyses/CFGReachabilityAnalysis.h"
#include "clang/Analysis/Analyses/Dominators.h"

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
  std::vector<HolderUse> emptied() const;
  bool maySay(const ParmVarDecl &Param, bool Value) const;
  bool isDecidedByParameter(const HolderUse &Given, const HolderUse &Nulled) const;
  bool mayBeElsewhere(const HolderUse &Nulled) const;
  bool isOnlyHere(const HolderUse &Nulled, const RecordKey &Key) const;

  FileAnalyses &File;
  const RecordUses &Uses;
  const FunctionResources &F;
  const CXXMethodDecl &Method;
};

/// `nullptr`, `{}`, `Block{}`, `{nullptr, 0}`: nothing is in any part of it.
bool isEmptyValue(ASTContext &Context, const Expr &Value) {
  const Expr *E = bare(&Value);
  auto IsEmpty = [&](const Expr *Part) { return isEmptyValue(Context, *Part); };
  if (const auto *Begin = dyn_cast<CXXDefaultInitExpr>(E))
    return IsEmpty(Begin->getExpr());
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return llvm::all_of(List->inits(), IsEmpty);
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E); Made && Made->getNumArgs() > 0)
    return llvm::all_of(Made->arguments(), IsEmpty);
  return isa<ImplicitValueInitExpr>(E) || (!E->isValueDependent() && isZeroOrNull(Context, *E));
}

/// `data_ = nullptr`, `event_ = std::nullopt`, `event_.reset()`, `block_ = {}`
bool setsNull(const Stmt *S, ASTContext &Context) {
  if (const auto *Set = dyn_cast_or_null<BinaryOperator>(S))
    return Set->getOpcode() == BO_Assign && isEmptyValue(Context, *Set->getRHS());
  const auto *Call = dyn_cast_or_null<CXXOperatorCallExpr>(S);
  const bool Assigns = Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2;
  return S && (onlyEmpties(*S) || (Assigns && isEmptyValue(Context, *Call->getArg(1))));
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
           const FunctionDecl &By = *Entry.first;
           return &By != &Method && !isa<CXXDestructorDecl>(By) &&
                  Uses.leavesEmpty(By, Key, Method) && isOrComesTo(By, Method);
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

/// Some caller in view, which does not end the object, says \p Value or something not constant for
/// \p Param.
bool NulledFinder::maySay(const ParmVarDecl &Param, bool Value) const {
  return llvm::any_of(File.resources().functions(), [&](const auto &G) {
    return !isa<CXXDestructorDecl>(G->Facts.Function) &&
           anyBelow(G->Facts.Function->getBody(), [&](const Stmt &S) {
             const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
             if (!Call || !isCallOf(*Call, Method))
               return false;
             const Expr *Arg = Call->getArg(Param.getFunctionScopeIndex());
             bool Said = false;
             return !Arg->EvaluateAsBooleanCondition(Said, Method.getASTContext()) || Said == Value;
           });
  });
}

/// The parameter that \p Asked is; null for anything else. \p IsTrue gets turned where it is
/// negated.
const ParmVarDecl *parameterAsked(const Expr *Asked, bool &IsTrue) {
  const Expr *E = Asked ? bare(Asked) : nullptr;
  if (const auto *Not = dyn_cast_or_null<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
    IsTrue = !IsTrue;
    E = bare(Not->getSubExpr());
  }
  const VarDecl *V = E ? variableRead(*E) : nullptr;
  return dyn_cast_or_null<ParmVarDecl>(V);
}

/// `void reset(bool deep) { if (deep) cudaFree(data_); data_ = nullptr; }`: one parameter alone
/// says whether \p Given happens, and \p Nulled happens in any case.
bool NulledFinder::isDecidedByParameter(const HolderUse &Given, const HolderUse &Nulled) const {
  const CFGBlock *At = blockOf(*F.Facts.Cfg, Given.At), *End = blockOf(*F.Facts.Cfg, Nulled.At);
  if (!At || !End)
    return false;
  ControlDependencyCalculator Control(const_cast<CFG *>(F.Facts.Cfg));
  CFGReverseBlockReachabilityAnalysis Reaches(*F.Facts.Cfg);
  const auto Deciding = Control.getControlDependencies(const_cast<CFGBlock *>(At));
  if (Deciding.size() != 1)
    return false;
  const CFGBlock *By = Deciding.front();
  bool IsTrue = true;
  const ParmVarDecl *Param = parameterAsked(By->getLastCondition(), IsTrue);
  if (!Param || By->succ_size() != 2 || !By->succ_begin()->getReachableBlock() ||
      llvm::is_contained(Control.getControlDependencies(const_cast<CFGBlock *>(End)), By))
    return false;
  const CFGBlock *First = By->succ_begin()->getReachableBlock();
  const bool OnFirst = First == At || Reaches.isReachable(First, At);
  return maySay(*Param, IsTrue != OnFirst);
}

/// The function may hand it to somebody, or give it back, other than as callers say.
bool NulledFinder::mayBeElsewhere(const HolderUse &Nulled) const {
  auto IsRelease = [&](const HolderUse &Use) {
    return llvm::any_of(F.Released, [&](const HolderUse &R) { return &R == &Use; });
  };
  return isLetGoBy(F, Nulled.Path, [&](const HolderUse &Use) {
    return !IsRelease(Use) || !isDecidedByParameter(Use, Nulled);
  });
}

/// Nobody else has what the member holds, and the function puts nothing else there.
bool NulledFinder::isOnlyHere(const HolderUse &Nulled, const RecordKey &Key) const {
  return Uses.isGivenHere(Key) && !Uses.HandedOn.count(Key) && !mayBeElsewhere(Nulled) &&
         llvm::none_of(F.Taken, [&](const HolderUse &T) { return T.Path == Nulled.Path; }) &&
         !isFilledOtherwise(Key) && !isEmptyForCaller(Key);
}

/// The member of the object that \p P is, or a part of.
const FieldDecl *memberOf(const ResourceFacts &Facts, PathId P) {
  const auto Steps = Facts.Paths.steps(P);
  auto IsPart = [](const Step &S) { return S.What == Step::Held || S.What == Step::Field; };
  return !Facts.Paths.variable(P) && !Steps.empty() && llvm::all_of(Steps, IsPart)
             ? dyn_cast_or_null<FieldDecl>(Steps.front().Decl)
             : nullptr;
}

/// Where the function empties a member of its object; also where it may have given back what was in
/// it.
std::vector<HolderUse> NulledFinder::emptied() const {
  std::vector<HolderUse> Out = F.Overwritten;
  auto IsGiven = [&](PathId P) {
    return llvm::any_of(F.Released, [&](const HolderUse &Use) { return Use.Path == P; });
  };
  for (const auto &Block : F.Facts.Blocks)
    for (const ResourceEvent &E : Block)
      if (E.Kind == ResourceEventKind::Assign && !E.ByCallee && IsGiven(E.Path))
        Out.push_back({E.Path, std::nullopt, E.At});
  return Out;
}

void NulledFinder::run(std::vector<NulledMember> &Out) const {
  for (const HolderUse &Use : emptied()) {
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
