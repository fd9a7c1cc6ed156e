//===-- RepeatedKeys.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/RepeatedKeys.h"

#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

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

/// `all.emplace(key, p).first`: the call that offers a variable, where only the element that is
/// there is looked at. What is made for the call has nothing yet, and the element gets it later.
const Expr *offerIn(const Stmt &S) {
  const auto *Member = dyn_cast<MemberExpr>(&S);
  const IdentifierInfo *Part = Member ? Member->getMemberDecl()->getIdentifier() : nullptr;
  const auto *Call =
      Part && Part->isStr("first") ? dyn_cast<CallExpr>(bare(Member->getBase())) : nullptr;
  return Call && Call->getNumArgs() == 2 && variableRead(*bare(Call->getArg(1))) ? Call : nullptr;
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
  const auto *Key = dyn_cast_or_null<ParmVarDecl>(variableOrMember(bare(Element.Key)));
  Found = {&S, Key && Key->getDeclContext() == &F ? Key : nullptr};
}

GivenKey KeyedUses::find() {
  const bool IsAsked = anyBelow(F.getBody(), [&](const Stmt &S) {
    note(S, elementNamed(S));
    if (const Expr *Offer = offerIn(S))
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

/// No round of \p Loop makes \p Object anew, nor does more to it than call \p Method and look.
bool isLeftAlone(const VarDecl &Object, const Stmt &Loop, const CXXMethodDecl &Method) {
  unsigned Uses = 0, Harmless = 0;
  const bool IsMade = anyBelow(&Loop, [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    const auto *E = dyn_cast<Expr>(&S);
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    const CXXMethodDecl *Called = Call ? Call->getMethodDecl() : nullptr;
    Uses += E && variableRead(*E) == &Object;
    Harmless += Called && objectOf(*Call) == &Object && (Called->isConst() || isCallOf(S, Method));
    return D && llvm::is_contained(D->decls(), &Object);
  });
  return !IsMade && Uses == Harmless;
}

} // namespace

GivenKey onlyKeyedIn(const FunctionDecl &F, const FieldDecl &Map) {
  return KeyedUses(F, Map).find();
}

bool repeatsKey(const FunctionDecl &Caller, const CXXMethodDecl &Method, const ParmVarDecl &Key) {
  const Stmt *Body = Caller.getBody();
  return anyBelow(Body, [&](const Stmt &S) {
    const auto *Call = isCallOf(S, Method) ? dyn_cast<CXXMemberCallExpr>(&S) : nullptr;
    const Stmt *Loop = Call ? loopAround(Body, S) : nullptr;
    const VarDecl *Object = Loop ? objectOf(*Call) : nullptr;
    const unsigned Index = Key.getFunctionScopeIndex();
    return Object && Index < Call->getNumArgs() && isLeftAlone(*Object, *Loop, Method) &&
           waysTo(S, Loop).size() == 1 && // the loop itself
           constantKey(Call->getArg(Index), Caller.getASTContext());
  });
}

} // namespace tensorleak
