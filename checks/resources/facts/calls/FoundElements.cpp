//===-- FoundElements.cpp -------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/calls/FoundElements.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/resources/facts/loops/CountedLoops.h"
#include "checks/source/Expressions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

namespace {

//===-- What is known where a statement runs --------------------------------===//

struct KnownAnswer {
  const Expr *Asked;
  bool IsTrue;
};
using KnownAnswers = llvm::SmallVector<KnownAnswer, 4>;

/// \p E is as \p IsTrue says, and so are its parts as far as that tells.
void addKnown(const Expr *E, bool IsTrue, const Stmt &Body, KnownAnswers &Out) {
  E = behindName(E, Body);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return addKnown(Not->getSubExpr(), !IsTrue, Body, Out);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (Op && Op->getOpcode() == (IsTrue ? BO_LAnd : BO_LOr)) {
    addKnown(Op->getLHS(), IsTrue, Body, Out);
    addKnown(Op->getRHS(), IsTrue, Body, Out);
  } else {
    Out.push_back({E, IsTrue});
  }
}

/// By the branches around \p Part, and by those before it that leave.
KnownAnswers knownAt(const Stmt &Part, const Stmt *Body) {
  KnownAnswers Out;
  anyBelow(Body, [&](const Stmt &S) {
    if (const auto *If = dyn_cast<IfStmt>(&S)) {
      if (contains(If->getThen(), &Part))
        addKnown(If->getCond(), true, *Body, Out);
      else if (If->getElse() && contains(If->getElse(), &Part))
        addKnown(If->getCond(), false, *Body, Out);
    } else if (const auto *Block = dyn_cast<CompoundStmt>(&S); Block && contains(Block, &Part)) {
      for (const Stmt *Each : Block->body()) {
        if (contains(Each, &Part))
          break;
        const auto *Before = dyn_cast<IfStmt>(Each);
        for (const bool IsThen : {true, false})
          if (Before && endsByLeaving(IsThen ? Before->getThen() : Before->getElse()))
            addKnown(Before->getCond(), !IsThen, *Body, Out);
      }
    }
    return false;
  });
  return Out;
}

//===-- Which element is meant -----------------------------------------------===//

/// The variable through which \p E reaches a place: `it` in `it->second.data`; null for none.
const ValueDecl *reachedThrough(const Expr *E) {
  while ((E = E ? bare(E) : nullptr)) {
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      E = Member->getBase();
    } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E); Op && followsPointer(*Op)) {
      E = Op->getArg(0);
    } else if (const auto *Op = dyn_cast<UnaryOperator>(E);
               Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf)) {
      E = Op->getSubExpr();
    } else {
      const auto *Ref = dyn_cast<DeclRefExpr>(E);
      const auto *V = Ref ? Ref->getDecl() : nullptr;
      const auto *Var = dyn_cast_or_null<VarDecl>(V);
      const Expr *Other = Var && !Var->isCXXForRangeDecl() ? boundTo(*Var) : nullptr;
      if (!Other)
        return V;
      E = Other;
    }
  }
  return nullptr;
}

const VarDecl *variableAround(const ValueDecl &V) {
  const auto *Part = dyn_cast<BindingDecl>(&V);
  return dyn_cast_or_null<VarDecl>(Part ? Part->getDecomposedDecl() : &V);
}

//===-- How it was found -------------------------------------------------------===//

/// The method of a container of the library that gave \p V its value; null for others.
const CXXMemberCallExpr *containerAsked(const VarDecl &V) {
  const Expr *Init = V.getInit() ? bare(V.getInit()) : nullptr;
  while (const auto *C = dyn_cast_or_null<CXXConstructExpr>(Init))
    Init = C->getNumArgs() == 1 ? bare(C->getArg(0)) : nullptr;
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(Init);
  return Call && Call->getMethodDecl() && Call->getMethodDecl()->getIdentifier() &&
                 isContainer(Call->getObjectType())
             ? Call
             : nullptr;
}

/// `auto [it, isNew] = all.emplace(key, p);` or `r.second`: whether the element is new.
bool saysWhetherNew(const Expr &E, const VarDecl &Given) {
  const auto *Member = dyn_cast<MemberExpr>(&E);
  const Expr &Named = Member ? *bare(Member->getBase()) : E;
  return E.getType()->isBooleanType() && variableRead(Named) == &Given;
}

bool isConstant(const Expr &Side, const ASTContext &Context) {
  return isa<CXXNullPtrLiteralExpr, GNUNullExpr>(bare(&Side)) || constantKey(&Side, Context);
}

/// `entry.name == name`: a part of \p Element is what somebody looks for, and no constant.
bool comparesKey(const Expr &E, const ValueDecl &Element, const ASTContext &Context) {
  const Comparison Sides = equalityOf(E);
  if (!Sides.Left || isConstant(*Sides.Left, Context) || isConstant(*Sides.Right, Context))
    return false;
  const bool OnLeft = reachedThrough(Sides.Left) == &Element;
  return OnLeft != (reachedThrough(Sides.Right) == &Element) &&
         isa<MemberExpr>(bare(OnLeft ? Sides.Left : Sides.Right));
}

class Finder {
public:
  Finder(const Stmt &Store, const FunctionDecl &In)
      : Store(Store), In(In), Body(In.getBody()), Context(In.getASTContext()) {}
  const Stmt *run() const;

private:
  const Stmt *whereFound(const ValueDecl &Element) const;
  const Stmt *keyCompared(const VarDecl &Element) const;
  bool isKnownOld(const VarDecl &Given) const;
  bool isSetAgain(const ValueDecl &Element) const;
  bool isStateAsked(const ValueDecl &Element) const;

  const Stmt &Store;
  const FunctionDecl &In;
  const Stmt *Body;
  const ASTContext &Context;
};

/// `for (auto &entry : all) if (entry.name == name) entry.data = p;`
const Stmt *Finder::keyCompared(const VarDecl &Element) const {
  for (const KnownAnswer &Known : knownAt(Store, Body))
    if (comparesKey(*Known.Asked, Element, Context) &&
        equalityOf(*Known.Asked).IsEqual == Known.IsTrue)
      return Known.Asked;
  return nullptr;
}

bool Finder::isKnownOld(const VarDecl &Given) const {
  return llvm::any_of(knownAt(Store, Body), [&](const KnownAnswer &Known) {
    return !Known.IsTrue && saysWhetherNew(*Known.Asked, Given);
  });
}

const Stmt *Finder::whereFound(const ValueDecl &Element) const {
  const VarDecl *V = variableAround(Element);
  if (!V || !V->isLocalVarDecl())
    return nullptr;
  if (V->isCXXForRangeDecl())
    return V->getType()->isReferenceType() ? keyCompared(*V) : nullptr;
  const CXXMemberCallExpr *Asked = containerAsked(*V);
  const llvm::StringRef Name = Asked ? Asked->getMethodDecl()->getName() : "";
  const bool Offers = Name.contains("emplace") || Name == "insert";
  return Name == "find" || (Offers && isKnownOld(*V)) ? Asked : nullptr;
}

/// `if (it == all.end()) it = all.emplace(key, nullptr).first;`, `++it`.
bool Finder::isSetAgain(const ValueDecl &Element) const {
  return anyBelow(Body, [&](const Stmt &S) {
    const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S);
    const auto *Ref = Op && Op->getNumArgs() ? dyn_cast<DeclRefExpr>(bare(Op->getArg(0))) : nullptr;
    return Ref && Ref->getDecl() == &Element &&
           (Op->isAssignmentOp() || Op->getOperator() == OO_PlusPlus ||
            Op->getOperator() == OO_MinusMinus);
  });
}

bool Finder::isStateAsked(const ValueDecl &Element) const {
  const VarDecl *V = variableAround(Element);
  return tensorleak::isStateAsked(In, [&](const Expr &E) {
    return !(V && saysWhetherNew(E, *V)) &&
           mentions(&E, [&](const Expr &Part) { return reachedThrough(&Part) == &Element; });
  });
}

const Stmt *Finder::run() const {
  for (const Expr *Target : targetsOf(Store)) {
    const ValueDecl *Element = reachedThrough(Target);
    const Stmt *Found = Element ? whereFound(*Element) : nullptr;
    if (Found && !isSetAgain(*Element) && !isStateAsked(*Element))
      return Found;
  }
  return nullptr;
}

} // namespace

const Stmt *foundBefore(const Stmt &Store, const FunctionDecl &In) {
  return Finder(Store, In).run();
}

//===-- Whether it holds anything -----------------------------------------------===//

static const Expr *askedBy(const Stmt &S) {
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return If->getCond();
  const auto *Choice = dyn_cast<ConditionalOperator>(&S);
  return Choice ? Choice->getCond() : conditionOf(S);
}

static bool asksState(const Expr *E, const FunctionDecl &In,
                      llvm::function_ref<bool(const Expr &)> Names) {
  E = behindName(E, *In.getBody());
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return asksState(Not->getSubExpr(), In, Names);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (Op && Op->isLogicalOp())
    return asksState(Op->getLHS(), In, Names) || asksState(Op->getRHS(), In, Names);
  const Comparison Sides =
      Op && Op->isRelationalOp() ? Comparison{Op->getLHS(), Op->getRHS()} : equalityOf(*E);
  const ASTContext &Context = In.getASTContext();
  if (Sides.Left && !isConstant(*Sides.Left, Context) && !isConstant(*Sides.Right, Context))
    return false;
  return Names(*E);
}

bool isStateAsked(const FunctionDecl &In, llvm::function_ref<bool(const Expr &)> Names) {
  return anyBelow(In.getBody(), [&](const Stmt &S) {
    const Expr *Condition = askedBy(S);
    return Condition && asksState(Condition, In, Names);
  });
}

/// `it->first`, `auto [key, value]`: the pointer by which an entry was found may be read there.
static bool readsKeys(const Stmt *Body) {
  return anyBelow(Body, [](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    const ValueDecl *Named = E ? variableOrMember(E) : nullptr;
    return isa_and_nonnull<BindingDecl>(Named) ||
           (Named && Named->getIdentifier() && Named->getName() == "first");
  });
}

bool onlyLooksUp(const CXXMethodDecl &Method, const Stmt *Body) {
  auto Held = typeArguments(*Method.getParent());
  const IdentifierInfo *Name = Method.getIdentifier();
  return Name && Held.size() > 1 && Held[0]->isPointerType() && Held[1]->isArithmeticType() &&
         llvm::is_contained({"find", "count", "contains", "erase", "at"}, Name->getName()) &&
         !readsKeys(Body);
}

} // namespace tensorleak
