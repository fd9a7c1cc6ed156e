//===-- RepeatedKeys.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/keys/RepeatedKeys.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include <limits>

using namespace clang;

namespace tensorleak {

bool asksAbout(const Stmt &S, const FieldDecl &Member) {
  const auto *If = dyn_cast<IfStmt>(&S);
  return If && mentions(If->getCond(), [&](const Expr &E) {
           const auto *Part = dyn_cast<MemberExpr>(&E);
           return Part && Part->getMemberDecl() == &Member;
         });
}

namespace {

/// The key is what a caller of \p F gives, or is made of that.
bool isGivenKey(const Expr &Key, const FunctionDecl &F, Variables &Seen) {
  return mentions(&Key, [&](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!V || !Seen.insert(V).second)
      return false;
    return isa<ParmVarDecl>(V)
               ? V->getDeclContext() == &F
               : V->isLocalVarDecl() && V->getInit() && isGivenKey(*V->getInit(), F, Seen);
  });
}

/// `all.emplace(key, value);`, where nobody asks whether that did anything: each key has one
/// element.
ElementNamed elementOffered(const Stmt &S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || Call->getNumArgs() != 2 ||
      !Method->getParent()->isInStdNamespace())
    return {};
  const bool IsMap =
      Method->getParent()->getName() == "map" || Method->getParent()->getName() == "unordered_map";
  const bool Keeps = Method->getName() == "emplace" || Method->getName() == "try_emplace";
  return IsMap && Keeps ? ElementNamed{Call->getImplicitObjectArgument(), Call->getArg(0)}
                        : ElementNamed();
}

/// A variable, or what a function has taken. What is made for the call has nothing yet, and the
/// element gets it later.
bool mayHoldSomething(const Expr &Value) {
  const Expr *E = bare(&Value);
  return variableRead(*E) || (isa<CallExpr>(E) && !E->getType()->isRecordType());
}

/// The member `first` of what \p S reads; null for anything else.
const Expr *wholeOfFirst(const Stmt &S) {
  const auto *Member = dyn_cast<MemberExpr>(&S);
  const IdentifierInfo *Part = Member ? Member->getMemberDecl()->getIdentifier() : nullptr;
  return Part && Part->isStr("first") ? bare(Member->getBase()) : nullptr;
}

/// Whether \p Body reads nothing of \p Put, which an offer gave, but the element that is there.
bool looksAtElementOnly(const Stmt &Body, const VarDecl &Put) {
  unsigned Uses = 0, Looks = 0;
  anyBelow(&Body, [&](const Stmt &Part) {
    const Expr *Whole = wholeOfFirst(Part);
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    Uses += Ref && Ref->getDecl() == &Put;
    Looks += Whole && variableRead(*Whole) == &Put;
    return false;
  });
  return Uses == Looks;
}

/// `all.emplace(key, p).first`, `auto put = all.emplace(key, p);`: the call, where nothing in \p
/// Body asks whether that has put it there.
const CallExpr *offerIn(const Stmt &S, const Stmt &Body) {
  const auto *D = dyn_cast<DeclStmt>(&S);
  const auto *Put = D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  const Expr *Made = Put && !isa<DecompositionDecl>(Put) ? Put->getInit() : wholeOfFirst(S);
  const auto *Call = Made ? dyn_cast<CallExpr>(bare(Made)) : nullptr;
  const bool IsOffer = Call && elementOffered(*Call).Base && mayHoldSomething(*Call->getArg(1));
  return IsOffer && (!Put || looksAtElementOnly(Body, *Put)) ? Call : nullptr;
}

/// The parameters of \p F that \p Key is made of; none where a call or something that outlives the
/// function may be in it.
llvm::SmallVector<const ParmVarDecl *, 2> parametersOf(const Expr &Key, const FunctionDecl &F) {
  llvm::SmallVector<const ParmVarDecl *, 2> Out;
  const bool HasOthers = mentions(&Key, [&](const Expr &E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    const auto *Param = dyn_cast_or_null<ParmVarDecl>(V);
    if (Param && Param->getDeclContext() == &F)
      Out.push_back(Param);
    return isa<CXXThisExpr, CallExpr>(E) || (V && (!Param || Param->getDeclContext() != &F));
  });
  return HasOthers ? llvm::SmallVector<const ParmVarDecl *, 2>() : Out;
}

/// As GivenKey::Different.
unsigned differentKeys(const Expr &Key, ASTContext &Context) {
  const auto *Rest = dyn_cast<BinaryOperator>(bare(&Key));
  const auto Of =
      Rest && Rest->getOpcode() == BO_Rem ? constantIn(Context, Rest->getRHS()) : std::nullopt;
  return Of && *Of > 0 && *Of < std::numeric_limits<int>::max() ? unsigned(*Of) : 0;
}

class KeyedUses {
public:
  KeyedUses(const FunctionDecl &F, const FieldDecl &Map) : F(F), Map(Map) {}
  GivenKey find();

private:
  void note(const Stmt &S, const ElementNamed &Element);

  const FunctionDecl &F;
  const FieldDecl &Map;
  GivenKey Found;
  unsigned Keyed = 0, All = 0;
};

void KeyedUses::note(const Stmt &S, const ElementNamed &Element) {
  Variables Seen;
  if (!Element.Base || variableOrMember(bare(Element.Base)) != &Map ||
      !isGivenKey(*Element.Key, F, Seen))
    return;
  ++Keyed;
  Found = {&S, parametersOf(*Element.Key, F), differentKeys(*Element.Key, F.getASTContext())};
}

GivenKey KeyedUses::find() {
  const bool IsAsked = anyBelow(F.getBody(), [&](const Stmt &S) {
    note(S, elementNamed(S));
    if (const CallExpr *Offer = offerIn(S, *F.getBody()))
      note(*Offer, elementOffered(*Offer));
    if (isa<CompoundStmt>(S))
      for (const Stmt *Part : S.children())
        if (const auto *E = dyn_cast<Expr>(Part))
          note(*bare(E), elementOffered(*bare(E)));
    const auto *Member = dyn_cast<MemberExpr>(&S);
    All += Member && Member->getMemberDecl() == &Map;
    return asksAbout(S, Map);
  });
  return IsAsked || Keyed != All ? GivenKey() : Found;
}

/// The variable of the function's own on which \p Call is made; null for other objects.
const VarDecl *objectOf(const CXXMemberCallExpr &Call) {
  const VarDecl *V = variableRead(*bare(Call.getImplicitObjectArgument()));
  const bool IsOwn = V && V->hasLocalStorage() && !V->getType()->isPointerType() &&
                     !V->getType()->isReferenceType();
  return IsOwn ? V : nullptr;
}

using MethodTest = llvm::function_ref<bool(const CXXMethodDecl &)>;

/// No round of \p Loop makes \p Object anew, nor does more to it than call \p Method, look, and
/// call what \p LeavesThem.
bool isLeftAlone(const VarDecl &Object, const Stmt &Loop, const CXXMethodDecl &Method,
                 MethodTest LeavesThem) {
  unsigned Uses = 0, Harmless = 0;
  const bool IsMade = anyBelow(&Loop, [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    const auto *E = dyn_cast<Expr>(&S);
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    const CXXMethodDecl *Called = Call ? Call->getMethodDecl() : nullptr;
    Uses += E && variableRead(*E) == &Object;
    Harmless += Called && objectOf(*Call) == &Object &&
                (Called->isConst() || isCallOf(S, Method) || LeavesThem(*Called));
    return D && llvm::is_contained(D->decls(), &Object);
  });
  return !IsMade && Uses == Harmless;
}

bool areOnlyLoops(llvm::ArrayRef<const Stmt *> Ways) {
  return llvm::all_of(Ways, [](const Stmt *S) { return isLoop(*S); });
}

/// The loops around \p Part, the innermost first.
llvm::SmallVector<const Stmt *, 2> loopsAround(const Stmt &Body, const Stmt &Part) {
  llvm::SmallVector<const Stmt *, 2> Loops;
  anyBelow(&Body, [&](const Stmt &S) {
    if (isLoop(S) && contains(&S, &Part))
      Loops.insert(Loops.begin(), &S);
    return false;
  });
  return Loops;
}

/// `all[i]`, `name.c_str()`, `std::to_string(i)`: what a call answers that knows nothing but what
/// it is given.
bool dependsOnGivenOnly(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (elementNamed(Call).Base)
    return true;
  return Callee && Call.getNumArgs() + (Method ? 1 : 0) > 0 &&
         (Method ? Method->isConst() && Method->getParent()->isInStdNamespace()
                 : Callee->isInStdNamespace());
}

/// What is the same in each round of a loop, or goes through the same values in each of them.
class SameInRounds {
public:
  SameInRounds(const Stmt &Loop, const FunctionDecl &In)
      : Loop(Loop), In(In), Context(In.getASTContext()) {}
  bool isSame(const Expr &Value);

private:
  bool isLeftAsIs(const VarDecl &V) const;
  bool isCountedAlike(const VarDecl &V);
  bool isSameVariable(const VarDecl &V);

  const Stmt &Loop;
  const FunctionDecl &In;
  const ASTContext &Context;
  Variables Asked; ///< about which a question is open: whoever depends on itself is not the same
};

/// `for (const T &each : all)`: the variable that cannot change an element; null for other loops.
const VarDecl *eachRead(const Stmt &S) {
  const auto *Range = dyn_cast<CXXForRangeStmt>(&S);
  const VarDecl *Each = Range ? Range->getLoopVariable() : nullptr;
  const bool MayWrite = Each && Each->getType()->isReferenceType() &&
                        !Each->getType().getNonReferenceType().isConstQualified();
  return MayWrite ? nullptr : Each;
}

/// The loop only reads it, or elements of it.
bool SameInRounds::isLeftAsIs(const VarDecl &V) const {
  if (V.getType().getNonReferenceType().isConstQualified())
    return true;
  auto IsIt = [&](const Expr *E) {
    const Expr *Base = elementNamed(*bare(E)).Base;
    return variableRead(*bare(Base ? Base : E)) == &V;
  };
  unsigned Uses = 0, Reads = 0;
  anyBelow(&Loop, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    Uses += E && variableRead(*E) == &V;
    Reads += onlyReads(S) && IsIt(cast<ImplicitCastExpr>(S).getSubExpr());
    Reads += eachRead(S) && IsIt(cast<CXXForRangeStmt>(S).getRangeInit());
    return false;
  });
  return Uses == Reads;
}

/// The counter of a loop within, which begins anew in each round, and what a `for (x : all)` names.
bool SameInRounds::isCountedAlike(const VarDecl &V) {
  return anyBelow(&Loop, [&](const Stmt &S) {
    if (&S == &Loop)
      return false;
    if (eachRead(S) == &V)
      return isSame(*cast<CXXForRangeStmt>(S).getRangeInit());
    auto Counted = countedLoop(S, In.getBody(), Context);
    return Counted && Counted->Counter == &V && isSame(*Counted->First) && isSame(*Counted->Limit);
  });
}

bool SameInRounds::isSameVariable(const VarDecl &V) {
  const bool IsWithin = anyBelow(&Loop, [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    return D && llvm::is_contained(D->decls(), &V);
  });
  if (!IsWithin)
    return V.hasLocalStorage() && isLeftAsIs(V);
  if (!Asked.insert(&V).second)
    return false;
  const bool IsSame =
      isCountedAlike(V) || (V.getType().isConstQualified() && V.getInit() && isSame(*V.getInit()));
  Asked.erase(&V);
  return IsSame;
}

/// Calls but `all[i]` and those of the library that are given something may answer anything.
bool SameInRounds::isSame(const Expr &Value) {
  return !mentions(&Value, [&](const Expr &E) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E)) {
      const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
      return V ? !isSameVariable(*V) : isa<BindingDecl>(Ref->getDecl());
    }
    const auto *Call = dyn_cast<CallExpr>(&E);
    return isa<CXXThisExpr>(E) || (Call && !dependsOnGivenOnly(*Call));
  });
}

/// The loop is counted, and has more rounds than \p Keys, of which there are some.
bool hasMoreRounds(const Stmt &Loop, unsigned Keys, const FunctionDecl &In) {
  ASTContext &Context = In.getASTContext();
  const auto Counted = Keys ? countedLoop(Loop, In.getBody(), Context) : std::nullopt;
  const unsigned Rounds = Counted ? roundsOf(*Counted, Context) : 0;
  return Rounds > Keys && Rounds != ManyElements;
}

} // namespace

GivenKey onlyKeyedIn(const FunctionDecl &F, const FieldDecl &Map) {
  return KeyedUses(F, Map).find();
}

bool repeatsKey(const FunctionDecl &Caller, const CXXMethodDecl &Method, const GivenKey &Key,
                MethodTest LeavesThem) {
  const Stmt *Body = Caller.getBody();
  auto Repeats = [&](const CXXMemberCallExpr &Call, const Stmt &Loop) {
    SameInRounds Rounds(Loop, Caller);
    return llvm::all_of(Key.Parameters, [&](const ParmVarDecl *Each) {
      const unsigned Index = Each->getFunctionScopeIndex();
      return Index < Call.getNumArgs() && Rounds.isSame(*Call.getArg(Index));
    });
  };
  return anyBelow(Body, [&](const Stmt &S) {
    const auto *Call = isCallOf(S, Method) ? dyn_cast<CXXMemberCallExpr>(&S) : nullptr;
    const VarDecl *Object = Call ? objectOf(*Call) : nullptr;
    return Object && llvm::any_of(loopsAround(*Body, S), [&](const Stmt *Loop) {
             return isLeftAlone(*Object, *Loop, Method, LeavesThem) &&
                    areOnlyLoops(waysTo(S, Loop)) &&
                    (Repeats(*Call, *Loop) || hasMoreRounds(*Loop, Key.Different, Caller));
           });
  });
}

} // namespace tensorleak
