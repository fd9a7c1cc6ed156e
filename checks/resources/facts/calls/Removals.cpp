//===-- Removals.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/calls/Removals.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

bool comparesWithMore(const Expr &E) {
  const auto *Op = dyn_cast<BinaryOperator>(&E);
  auto IsZero = [](const Expr *Side) {
    const auto *Number = dyn_cast<IntegerLiteral>(bare(Side));
    return Number && Number->getValue() == 0;
  };
  return Op && Op->isComparisonOp() && !IsZero(Op->getLHS()) && !IsZero(Op->getRHS());
}

/// `while (!all.empty()) { if (isBusy(all.front())) break; ... }`
static bool mayEndEarly(const Stmt &Loop) {
  return anyBelow(&Loop, [&](const Stmt &S) {
    return isa<ReturnStmt>(S) || (isa<BreakStmt>(S) && loopAround(&Loop, S) == &Loop);
  });
}

/// `all.pop_back()` outside of a loop that empties \p all, and so of one that is not empty.
static bool popsOne(const CallExpr &Call, const FunctionDecl &In) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || !Callee->getName().starts_with("pop"))
    return false;
  const Stmt *Loop = loopAround(In.getBody(), Call);
  return !Loop || mayEndEarly(*Loop);
}

/// All that \p Key reads is members and variables that are not a function's own; a local variable
/// reads what it begins with.
static bool readsOnlyKept(const Expr *Key, unsigned Depth = 2) {
  bool IsKept = false;
  const bool IsOwn = mentions(Key, [&](const Expr &E) {
    const auto *Member = dyn_cast<MemberExpr>(&E);
    const auto *V = variableRead(E);
    const bool IsLocal = V && V->hasLocalStorage();
    const Expr *Init = IsLocal && !isa<ParmVarDecl>(V) ? V->getInit() : nullptr;
    const bool BeginsSo = Init && Depth && readsOnlyKept(Init, Depth - 1);
    IsKept |= BeginsSo || (V && !IsLocal) || (Member && isa<FieldDecl>(Member->getMemberDecl()));
    return IsLocal && !BeginsSo;
  });
  return IsKept && !IsOwn;
}

/// `all.erase(oldest_)`: the entry of a key that was kept, and so none for which the function was
/// called.
static bool erasesRemembered(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return isa<CXXMemberCallExpr>(Call) && Callee && Callee->getIdentifier() &&
         Callee->getName() == "erase" && Call.getNumArgs() == 1 && readsOnlyKept(Call.getArg(0));
}

bool namesElement(const Stmt &Removal, const FunctionDecl &In) {
  const auto *Call = dyn_cast<CallExpr>(&Removal);
  if (Call && (popsOne(*Call, In) || erasesRemembered(*Call)))
    return true;
  return Call && llvm::any_of(Call->arguments(), [](const Expr *Arg) {
           const CXXRecordDecl *Class = Arg->getType()->getAsCXXRecordDecl();
           return Class && Class->hasDefinition() && isIterator(Arg->getType());
         });
}

/// `all.emplace(key)`, `all.insert(value)`
static bool addsElement(const Expr &E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Method->getParent()->isInStdNamespace() &&
         (Method->getName().contains("emplace") || Method->getName().starts_with("insert"));
}

/// The container of which \p S is a call of the method \p Name; null for others.
static const ValueDecl *containerOf(const Stmt &S, llvm::StringRef Name) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Method->getName() == Name
             ? variableOrMember(Call->getImplicitObjectArgument())
             : nullptr;
}

/// `all.push_back(nullptr)`, `all.emplace_front()`: \p S puts an element that holds nothing at the
/// end of \p List that is called \p End.
static bool addsNull(const Stmt &S, const ValueDecl &List, const std::string &End,
                     ASTContext &Context) {
  if (containerOf(S, "emplace_" + End) == &List)
    return cast<CXXMemberCallExpr>(S).getNumArgs() == 0;
  return containerOf(S, "push_" + End) == &List &&
         bare(cast<CXXMemberCallExpr>(S).getArg(0))
             ->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull);
}

/// The last or first element is one that holds nothing.
static bool removesNull(const Stmt &Removal, const FunctionDecl &In) {
  const ValueDecl *Last = containerOf(Removal, "pop_back");
  const ValueDecl *List = Last ? Last : containerOf(Removal, "pop_front");
  ASTContext &Context = In.getASTContext();
  return List && anyBelow(In.getBody(), [&](const Stmt &S) {
           return addsNull(S, *List, Last ? "back" : "front", Context) &&
                  waysTo(S, In.getBody()).empty() &&
                  Context.getSourceManager().isBeforeInTranslationUnit(S.getBeginLoc(),
                                                                       Removal.getBeginLoc());
         });
}

bool removesNew(const Stmt &Removal, const FunctionDecl &In) {
  return removesNull(Removal, In) || mentions(&Removal, [](const Expr &E) {
           const VarDecl *V = variableRead(E);
           return V && V->getInit() && mentions(V->getInit(), addsElement);
         });
}

//===-- One record ----------------------------------------------------------===//

bool onlyEmpties(const Stmt &Removal) {
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(&Removal))
    return Method->getMethodDecl()->getName() == "reset" &&
           llvm::all_of(Method->arguments(),
                        [](const Expr *Arg) { return isa<CXXDefaultArgExpr>(Arg); });
  const auto *Set = dyn_cast<CXXOperatorCallExpr>(&Removal);
  const Expr *Value = Set && Set->getNumArgs() == 2 ? bare(Set->getArg(1)) : nullptr;
  return Value && (Value->getType()->isNullPtrType() || isNullOpt(*Value));
}

namespace {

/// What is replaced or ends, by the name of the variable or member that it is, or is an element of.
struct Replaced {
  const ValueDecl *Named = nullptr; ///< null where no name is in sight
  bool IsElement = false;
};

Replaced replacedBy(const Stmt &Removal) {
  Replaced Out;
  const Expr *Target = objectOrFirst(dyn_cast<Expr>(&Removal));
  while (Target && !Out.Named) {
    Out.Named = variableOrMember(bare(Target));
    if (!Out.Named) {
      Target = elementNamed(*bare(Target)).Base;
      Out.IsElement = true;
    }
  }
  return Out;
}

/// What a function asks before it comes to a place.
class QuestionsBefore {
public:
  QuestionsBefore(const Replaced &What, const CXXRecordDecl &Record, ASTContext &Context)
      : What(What), Record(Record), Context(Context) {}
  bool saysThatUsed(const Expr &Condition, bool Value) const;

private:
  bool isPart(const Expr &E) const;
  bool names(const Expr &E) const;
  bool isUsedOtherwise(const BinaryOperator &Op, bool Value) const;

  const Replaced What;
  const CXXRecordDecl &Record;
  ASTContext &Context;
};

/// It names the record; of a container an element, and of a variant the alternative that it is.
bool QuestionsBefore::isPart(const Expr &E) const {
  if (What.IsElement) {
    const Expr *Base = elementNamed(E).Base;
    return Base && variableOrMember(bare(Base)) == What.Named;
  }
  if (!isVariantType(What.Named->getType()))
    return variableOrMember(&E) == What.Named;
  const auto *Call = dyn_cast<CallExpr>(&E);
  auto Asked = Call ? alternativeNamedBy(*Call) : std::nullopt;
  return Asked && variableOrMember(Asked->Box) == What.Named &&
         recordOf(partsOf(Asked->Box->getType())[Asked->Part]) == &Record;
}

/// The record, a part of it, or a pointer that began with one of these.
bool QuestionsBefore::names(const Expr &E) const {
  return mentions(&E, [&](const Expr &Part) {
    const VarDecl *V = variableRead(Part);
    const bool Points = V && V->isLocalVarDecl() && V->getType()->isPointerType();
    return isPart(Part) || (Points && V->getInit() &&
                            mentions(V->getInit(), [&](const Expr &Of) { return isPart(Of); }));
  });
}

/// `if (view && view->filter == mode) return;`: who goes on there has another one, or none. That it
/// is compared says that there are others.
bool QuestionsBefore::isUsedOtherwise(const BinaryOperator &Op, bool Value) const {
  const Expr *Compared = bare(Op.getRHS());
  return saysThatUsed(*Op.getLHS(), !Value) && comparesWithMore(*Compared) && names(*Compared);
}

/// \p Condition, where it is \p Value, says of the record or a part of it that it is not zero.
bool QuestionsBefore::saysThatUsed(const Expr &Condition, bool Value) const {
  const Expr *E = bare(&Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return saysThatUsed(*Not->getSubExpr(), !Value);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (Op && Op->isLogicalOp() && Op->getOpcode() != (Value ? BO_LAnd : BO_LOr))
    return isUsedOtherwise(*Op, Value);
  if (Op && Op->isLogicalOp())
    return saysThatUsed(*Op->getLHS(), Value) || saysThatUsed(*Op->getRHS(), Value);
  if (Op && Op->isEqualityOp()) {
    const bool IsEqual = (Op->getOpcode() == BO_EQ) == Value;
    const bool ToZero =
        isZeroOrNull(Context, *Op->getLHS()) || isZeroOrNull(Context, *Op->getRHS());
    return IsEqual != ToZero && names(*E);
  }
  return (Value || (Op && Op->isRelationalOp())) && names(*E);
}

} // namespace

bool isAskedBefore(const Stmt &Removal, const FunctionDecl &In, const CXXRecordDecl &Record) {
  const Replaced What = replacedBy(Removal);
  if (!What.Named)
    return false;
  const QuestionsBefore Questions(What, Record, In.getASTContext());
  bool IsAsked = false;
  forEachConditionAhead(Removal, In.getBody(), [&](const Expr &Condition, bool Answer) {
    IsAsked |= Questions.saysThatUsed(Condition, Answer);
  });
  return IsAsked;
}

} // namespace tensorleak
