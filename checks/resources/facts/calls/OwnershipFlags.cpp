//===-- OwnershipFlags.cpp ------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/calls/OwnershipFlags.h"

#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "checks/source/Types.h"
#include "checks/source/members/Initializers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {

const FieldDecl *flagNamed(const Expr *E) {
  const auto *Member = dyn_cast<MemberExpr>(bare(E));
  const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  const bool IsFlag = Field && (Field->getType()->isBooleanType() ||
                                Field->getType()->isSpecificBuiltinType(BuiltinType::Int) ||
                                Field->getType()->isEnumeralType());
  return IsFlag ? Field : nullptr;
}

/// `state == Open`
static std::optional<FlagValue> comparedFlag(const BinaryOperator &Op, bool Answer) {
  const Expr *Named = Op.getLHS(), *State = Op.getRHS();
  if (!flagNamed(Named))
    std::swap(Named, State);
  const FieldDecl *Flag = flagNamed(Named);
  if (!Flag || Flag->getType()->isBooleanType() || !constantIn(Flag->getASTContext(), State))
    return std::nullopt;
  return FlagValue{Flag, State, (Op.getOpcode() == BO_EQ) == Answer};
}

void forEachFlagIn(const Expr &Condition, bool Answer,
                   llvm::function_ref<void(const FlagValue &)> Visit) {
  const Expr *E = bare(&Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return forEachFlagIn(*Not->getSubExpr(), !Answer, Visit);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (Op && Op->isLogicalOp()) {
    if (Op->getOpcode() != (Answer ? BO_LAnd : BO_LOr))
      return;
    forEachFlagIn(*Op->getLHS(), Answer, Visit);
    return forEachFlagIn(*Op->getRHS(), Answer, Visit);
  }
  if (auto Compared = Op && Op->isEqualityOp() ? comparedFlag(*Op, Answer) : std::nullopt)
    return Visit(*Compared);
  if (const FieldDecl *Flag = flagNamed(E))
    Visit({Flag, nullptr, Answer});
}

static bool gives(const ResourceModel &Model, const FunctionDecl &Callee, unsigned I) {
  return llvm::any_of(Model.effectsOf(Callee), [&](const ResourceEffect &E) {
    return (E.What == ResourceEffect::Free || E.What == ResourceEffect::FreeAt) && E.Argument == I;
  });
}

/// \p Body gives back what it is given for its parameter \p I, itself.
static bool givesParameter(const ResourceModel &Model, const FunctionDecl &Body, unsigned I) {
  return I < Body.getNumParams() &&
         anyIn(
             Body,
             [&](const Stmt &S) {
               const auto *Call = dyn_cast<CallExpr>(&S);
               const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
               for (unsigned A = 0; Callee && A < Call->getNumArgs(); ++A)
                 if (variableRead(*bare(Call->getArg(A))) == Body.getParamDecl(I) &&
                     gives(Model, *Callee, A))
                   return true;
               return false;
             });
}

/// \p Call gives back its argument \p I, as far as that is not known to be otherwise.
static bool mayGive(const ResourceModel &Model, const CallExpr &Call, unsigned I) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || gives(Model, *Callee, I))
    return true;
  if (!Call.getArg(I)->getType()->isPointerType() || isa<CUDAKernelCallExpr>(Call) ||
      !Model.effectsOf(*Callee).empty() || Model.onlyUses(*Callee) ||
      ResourceGenerator::isForeign(Callee))
    return false;
  const FunctionDecl *Body = nullptr;
  return !Callee->hasBody(Body) || givesParameter(Model, *Body, I);
}

OwnershipFlags::OwnershipFlags(llvm::ArrayRef<const FunctionDecl *> All,
                               const ResourceModel &Model) {
  for (const FunctionDecl *F : All)
    anyIn(*F, [&](const Stmt &S) {
      if (const auto *Set = dyn_cast<BinaryOperator>(&S); Set && Set->getOpcode() == BO_Assign)
        addSetting(*Set);
      const auto *Call = dyn_cast<CallExpr>(&S);
      for (unsigned I = 0; Call && I < Call->getNumArgs(); ++I)
        if (mayGive(Model, *Call, I))
          addRelease(*Call, *Call->getArg(I), *F);
      return false;
    });
}

/// Of an object of another function's, whatever it is that is given back.
static const CXXRecordDecl *classNamedBy(const Expr &E) {
  const QualType T = E.getType();
  return T.isNull() ? nullptr : definitionOf(T->isPointerType() ? T->getPointeeType() : T);
}

void OwnershipFlags::addRelease(const CallExpr &Call, const Expr &Given, const FunctionDecl &In) {
  const FieldDecl *Member = memberOfThis(bare(&Given));
  if (!Member) {
    mentions(&Given, [&](const Expr &E) {
      if (const CXXRecordDecl *Class = classNamedBy(E))
        FreedThrough.insert(Class);
      return false;
    });
    return;
  }
  Flag Owns;
  forEachConditionAhead(Call, In.getBody(), [&](const Expr &Condition, bool Answer) {
    forEachFlagIn(Condition, Answer, [&](const FlagValue &V) {
      if (!V.State && V.Flag->getParent() == Member->getParent())
        Owns = {V.Flag, V.IsSet};
    });
  });
  auto [It, IsFirst] = OwnedWhere.try_emplace(Member, Owns);
  if (!IsFirst && !(It->second == Owns))
    It->second = Flag();
}

/// What an object has from another one says nothing of how it began.
void OwnershipFlags::addSetting(const BinaryOperator &Set) {
  const FieldDecl *Field = flagNamed(Set.getLHS());
  auto IsSame = [&](const Expr &E) { return flagNamed(&E) == Field; };
  if (Field && !mentions(Set.getRHS(), IsSame))
    Settings[Field].push_back(Set.getRHS());
}

bool OwnershipFlags::isSetLater(const Flag &Owns, ASTContext &Context) const {
  auto It = Settings.find(Owns.Field);
  return It != Settings.end() && llvm::any_of(It->second, [&](const Expr *Value) {
           auto Number = constantIn(Context, Value);
           return !Number || (*Number != 0) == Owns.Value;
         });
}

/// With what \p C begins \p Field, which may be what it is given; null where that is not known.
static const Expr *beginOf(const FieldDecl &Field, const CXXConstructExpr &C) {
  const Expr *Value = beginOf(*C.getConstructor(), Field);
  const auto *Parameter =
      Value ? dyn_cast_or_null<ParmVarDecl>(variableRead(*bare(Value))) : nullptr;
  const unsigned I = Parameter ? Parameter->getFunctionScopeIndex() : C.getNumArgs();
  return !Parameter ? Value : I < C.getNumArgs() ? C.getArg(I) : nullptr;
}

bool OwnershipFlags::isOnlyLent(const CXXConstructExpr &C, const FieldDecl &Member) const {
  const CXXRecordDecl *Class = C.getConstructor()->getParent()->getDefinition();
  auto It = OwnedWhere.find(&Member);
  if (It == OwnedWhere.end() || !It->second.Field || FreedThrough.count(Class))
    return false;
  ASTContext &Context = Class->getASTContext();
  const Expr *Begin = beginOf(*It->second.Field, C);
  if (const auto *Default = dyn_cast_or_null<CXXDefaultArgExpr>(Begin))
    Begin = Default->getExpr();
  auto Value = Begin ? constantIn(Context, Begin) : std::nullopt;
  return Value && (*Value != 0) != It->second.Value && !isSetLater(It->second, Context);
}

} // namespace tensorleak
