//===-- OwnedMembers.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/analysis/OwnedMembers.h"

#include "checks/analysis/FactsGenerator.h"
#include "checks/analysis/Statements.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class Search {
public:
  Search(Unit &U, const FunctionUnit &F) : U(U), F(F), Facts(*F.Facts) {}
  std::vector<LostMember> run();

private:
  const FieldDecl *storedMember(const Event &E, const CXXNewExpr &New) const;
  bool isNeverDeleted(const FieldDecl &Member) const;
  const Stmt *calledAgain(const FieldDecl &Member) const;

  Unit &U;
  const FunctionUnit &F;
  const FunctionFacts &Facts;
};

const ValueDecl *declOf(const FunctionFacts &Facts, const Event &E) {
  return E.Place == NoId ? nullptr : Facts.Places[E.Place].Decl;
}

bool deletes(const FunctionFacts &Facts, const FieldDecl &Member) {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    return E.Kind == EventKind::Free && declOf(Facts, E) == &Member;
  });
}

/// The pointer itself is what \p V holds, alone or with others.
bool isPointerOf(const FunctionFacts &Facts, ValueId V, const FieldDecl &Member) {
  if (V == NoId)
    return false;
  const Value &Val = Facts.Values[V];
  if (Val.From == Source::Load)
    return Facts.Places[Val.Loaded].Decl == &Member;
  return Val.From == Source::Group && llvm::any_of(Val.Inputs, [&](ValueId In) {
           return isPointerOf(Facts, In, Member);
         });
}

/// Somebody else may own the object from there on.
bool handsOn(const FunctionFacts &Facts, const FieldDecl &Member) {
  return llvm::any_of(Facts.Events, [&](const Event &E) {
    switch (E.Kind) {
    case EventKind::Escape:
    case EventKind::Unknown:
    case EventKind::Return:
      return declOf(Facts, E) == &Member || isPointerOf(Facts, E.Val, Member);
    case EventKind::Store:
    case EventKind::StoreWeak:
    case EventKind::Grow:
      return isPointerOf(Facts, E.Val, Member);
    default:
      return false;
    }
  });
}

/// `if (!member) member = new ...`: made once.
bool isUnderTestOf(const Stmt *S, const Stmt *At, const FieldDecl &Member) {
  if (!S || !contains(S, At))
    return false;
  const auto *If = dyn_cast<IfStmt>(S);
  bool Tests = If && mentions(If->getCond(), [&](const Expr &E) {
                 const auto *M = dyn_cast<MemberExpr>(&E);
                 return M && M->getMemberDecl() == &Member;
               });
  return Tests || llvm::any_of(S->children(), [&](const Stmt *Child) {
           return isUnderTestOf(Child, At, Member);
         });
}

/// The new object that \p E puts in a variable; of an optimizer the facts have the
/// parameters, and the object is in the source.
const CXXNewExpr *newIn(const FunctionFacts &Facts, const Event &E) {
  if (E.Kind == EventKind::Store)
    return E.Val == NoId ? nullptr : dyn_cast_or_null<CXXNewExpr>(Facts.Values[E.Val].E);
  if (E.Kind != EventKind::BindParams)
    return nullptr;
  const auto *Assigned = dyn_cast<BinaryOperator>(E.At);
  return dyn_cast_or_null<CXXNewExpr>(strip(Assigned ? Assigned->getRHS() : dyn_cast<Expr>(E.At)));
}

/// The member of the own object that \p E puts a new object in.
const FieldDecl *Search::storedMember(const Event &E, const CXXNewExpr &New) const {
  const auto *Member = dyn_cast_or_null<FieldDecl>(declOf(Facts, E));
  const Place &P = Facts.Places[E.Place];
  bool IsOwn = Member && P.Root == Place::This && !Facts.Places[P.Parent].isField();
  if (!IsOwn || !Member->getType()->isPointerType())
    return nullptr;
  TypeClass Class = U.model().classify(New.getAllocatedType());
  bool Matters = Class == TypeClass::Tensor || Class == TypeClass::Optimizer ||
                 Class == TypeClass::Module;
  return Matters && !isUnderTestOf(Facts.Function->getBody(), E.At, *Member) ? Member : nullptr;
}

bool Search::isNeverDeleted(const FieldDecl &Member) const {
  return U.isSeenWhole(Member) && llvm::none_of(U.functions(), [&](const FunctionUnit &Other) {
           return deletes(*Other.Facts, Member) || handsOn(*Other.Facts, Member);
         });
}

/// A call of this method after the constructor has made the first object; null where
/// there is none, and where somebody may have deleted or taken that object before.
const Stmt *Search::calledAgain(const FieldDecl &Member) const {
  bool DestructorDeletes = false;
  const Stmt *Again = nullptr;
  for (const FunctionUnit &Other : U.functions()) {
    const FunctionFacts &Theirs = *Other.Facts;
    if (isa<CXXDestructorDecl>(Theirs.Function)) {
      DestructorDeletes |= deletes(Theirs, Member);
      continue;
    }
    auto Call = llvm::find_if(Theirs.Events, [&](const Event &E) {
      return E.Kind == EventKind::UserCall &&
             E.Callee->getCanonicalDecl() == Facts.Function->getCanonicalDecl();
    });
    bool Calls = Call != Theirs.Events.end();
    if ((Calls || &Theirs == &Facts) && (deletes(Theirs, Member) || handsOn(Theirs, Member)))
      return nullptr;
    if (Calls && !isa<CXXConstructorDecl>(Theirs.Function))
      Again = Call->At;
  }
  return DestructorDeletes ? Again : nullptr;
}

std::vector<LostMember> Search::run() {
  std::vector<LostMember> Found;
  for (const Event &E : Facts.Events) {
    const CXXNewExpr *New = newIn(Facts, E);
    const FieldDecl *Member = New ? storedMember(E, *New) : nullptr;
    if (!Member)
      continue;
    if (isNeverDeleted(*Member))
      Found.push_back({LostMember::NeverDeleted, New, Member});
    else if (const Stmt *Again =
                 isa<CXXConstructorDecl>(Facts.Function) ? nullptr : calledAgain(*Member))
      Found.push_back({LostMember::Overwritten, New, Member, Again});
  }
  return Found;
}

} // namespace

std::vector<LostMember> findLostMembers(Unit &U, const FunctionUnit &F) {
  return isa<CXXMethodDecl>(F.Facts->Function) ? Search(U, F).run() : std::vector<LostMember>();
}

} // namespace tensorleak
