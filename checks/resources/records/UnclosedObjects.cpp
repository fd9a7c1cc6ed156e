//===-- UnclosedObjects.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/UnclosedObjects.h"

#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "checks/source/Types.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

using Methods = llvm::SmallSetVector<const CXXMethodDecl *, 4>; ///< canonical

/// `new C(...)`, `std::make_unique<C>(...)` and the like: the class.
const CXXRecordDecl *madeBy(const Stmt &S) {
  if (const auto *New = dyn_cast<CXXNewExpr>(&S))
    return definitionOf(New->getAllocatedType());
  const auto *E = dyn_cast<Expr>(&S);
  const bool Makes = E && isBoxMaker(*E) && isOwningPointer(E->getType());
  return Makes ? definitionOf(partsOf(E->getType()).front()) : nullptr;
}

class UnclosedFinder {
public:
  explicit UnclosedFinder(FileAnalyses &File)
      : File(File), U(File.unit()), Uses(File.recordUses()) {}
  std::vector<UnclosedObject> run();

private:
  Methods closersOf(const RecordKey &Key, const CXXRecordDecl &Class) const;
  bool addCallers(Methods &Closers, const CXXRecordDecl &Class) const;
  bool isHandedOutByConstructor(const CXXRecordDecl &Class) const;
  bool isLostAsCallees(const RecordTake &T) const;
  bool happens(const RecordTake &T) const;
  bool isEndedHere(const VarDecl &V, const FunctionDecl &F) const;
  const Stmt *endedIn(const FunctionDecl &F, const CXXRecordDecl &Class) const;
  const FunctionDecl *firstCloser(const Methods &Closers) const;
  std::optional<UnclosedObject> judge(const RecordKey &Key, const RecordTake &T) const;

  FileAnalyses &File;
  Unit &U;
  const RecordUses &Uses;
};

/// \p M is one of \p Closers, or one of them overrides it.
bool isCloser(const Methods &Closers, const CXXMethodDecl &M) {
  auto IsOrOverrides = [&](const CXXMethodDecl *C, auto &Self) -> bool {
    return C->getCanonicalDecl() == M.getCanonicalDecl() ||
           llvm::any_of(C->overridden_methods(),
                        [&](const CXXMethodDecl *Base) { return Self(Base, Self); });
  };
  return llvm::any_of(Closers,
                      [&](const CXXMethodDecl *C) { return IsOrOverrides(C, IsOrOverrides); });
}

/// By a name of any kind: a call, or its address.
bool names(const FunctionDecl &F, const Methods &Closers) {
  return anyIn(F, [&](const Stmt &S) {
    const ValueDecl *D = nullptr;
    if (const auto *Member = dyn_cast<MemberExpr>(&S))
      D = Member->getMemberDecl();
    else if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      D = Ref->getDecl();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(D);
    return Method && isCloser(Closers, *Method);
  });
}

static bool isOwnMethod(const FunctionDecl &F, const CXXRecordDecl &Class) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  const CXXRecordDecl *Of = Method ? Method->getParent()->getDefinition() : nullptr;
  return Of && (Of == &Class || Of->isDerivedFrom(&Class));
}

/// It may run for an object of \p Class, also as a method that only a base has.
static bool isMethodOf(const FunctionDecl &F, const CXXRecordDecl &Class) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  const CXXRecordDecl *Of = Method ? Method->getParent()->getDefinition() : nullptr;
  return isOwnMethod(F, Class) || (Of && Class.isDerivedFrom(Of));
}

/// The methods that give back what \p Key holds; none where anything else does it, but by them.
Methods UnclosedFinder::closersOf(const RecordKey &Key, const CXXRecordDecl &Class) const {
  Methods Found;
  for (const auto &[By, Keys] : Uses.GivenBy) {
    const auto *Method = dyn_cast<CXXMethodDecl>(By);
    if (!Keys.count(Key) || !isOwnMethod(*By, Class))
      continue;
    if (Method->isStatic() || isa<CXXConstructorDecl, CXXDestructorDecl>(Method) ||
        Method->isOverloadedOperator())
      return {};
    Found.insert(Method->getCanonicalDecl());
  }
  bool AnyOther = llvm::any_of(Uses.GivenBy, [&](const auto &Entry) {
    return Entry.second.count(Key) && !isOwnMethod(*Entry.first, Class) &&
           !names(*Entry.first, Found);
  });
  return AnyOther ? Methods() : Found;
}

/// Methods of the class and of its bases that call closers are closers, too: `close()` of a base
/// calls `onClose()`, a virtual one or that of the class which the base is told of. False where a
/// constructor or the destructor does.
bool UnclosedFinder::addCallers(Methods &Closers, const CXXRecordDecl &Class) const {
  for (bool Grew = true; Grew;) {
    Grew = false;
    for (const FunctionUnit &F : U.functions()) {
      const auto *Method = dyn_cast<CXXMethodDecl>(F.Facts->Function);
      if (!Method || !isMethodOf(*Method, Class) || Closers.contains(Method->getCanonicalDecl()) ||
          !names(*Method, Closers))
        continue;
      if (isa<CXXConstructorDecl, CXXDestructorDecl>(Method) || F.HasErrors)
        return false;
      Grew |= Closers.insert(Method->getCanonicalDecl());
    }
  }
  return true;
}

/// A constructor of the class gives the object to others.
bool UnclosedFinder::isHandedOutByConstructor(const CXXRecordDecl &Class) const {
  return llvm::any_of(U.functions(), [&](const FunctionUnit &F) {
    const auto *C = dyn_cast<CXXConstructorDecl>(F.Facts->Function);
    return C && C->getParent()->getDefinition() == &Class && anyIn(*C, [](const Stmt &S) {
             const auto *This = dyn_cast<CXXThisExpr>(&S);
             return This && !This->isImplicit();
           });
  });
}

/// It is said already where a function of the file has the object.
bool UnclosedFinder::isLostAsCallees(const RecordTake &T) const {
  const SourceLocation At = T.In->Facts.Sites[T.Site].Call->getExprLoc();
  return llvm::any_of(File.resources().functions(), [&](const auto &F) {
    return llvm::any_of(F->Lost, [&](const LostResource &L) {
      const Site &S = F->Facts.Sites[L.Site];
      return S.Inner == At ||
             (F.get() == T.In && L.Site == T.Site && L.How != LostResource::Regrown);
    });
  });
}

/// A constructor takes it, or a method that somebody is known to call.
bool UnclosedFinder::happens(const RecordTake &T) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(T.In->Facts.Function);
  if (!Method || isa<CXXConstructorDecl>(Method))
    return Method;
  Methods Takers;
  Takers.insert(Method->getCanonicalDecl());
  return U.others().callsOf(*Method).Calls ||
         llvm::any_of(U.functions(), [&](const FunctionUnit &F) {
           return F.Facts->Function != Method && names(*F.Facts->Function, Takers);
         });
}

/// Nobody gets the object of \p V, which is local to \p F: it is there to call its methods, and a
/// unique_ptr to it to be tested.
bool UnclosedFinder::isEndedHere(const VarDecl &V, const FunctionDecl &F) const {
  llvm::SmallPtrSet<const Expr *, 8> Objects;
  anyIn(F, [&](const Stmt &S) {
    if (const auto *Member = dyn_cast<MemberExpr>(&S))
      Objects.insert(bare(Member->getBase()));
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S); Op && Op->getOperator() == OO_Arrow)
      Objects.insert(bare(Op->getArg(0)));
    if (const auto *Delete = dyn_cast<CXXDeleteExpr>(&S))
      Objects.insert(bare(Delete->getArgument()));
    return false;
  });
  return !anyIn(F, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const bool IsIt = Ref && Ref->getDecl() == &V;
    if (const auto *Member = IsIt ? nullptr : dyn_cast<CXXMemberCallExpr>(&S);
        Member && boxKind(V.getType()) != BoxKind::None &&
        !isa_and_nonnull<CXXConversionDecl>(Member->getMethodDecl()))
      if (const auto *Of = dyn_cast<DeclRefExpr>(bare(Member->getImplicitObjectArgument())))
        return Of->getDecl() == &V; // `get()`, `release()`, of the pointer itself
    return isa<LambdaExpr>(S) || (IsIt && !Objects.contains(Ref));
  });
}

/// A local variable that alone has an object of \p Class; where that is made.
const Stmt *UnclosedFinder::endedIn(const FunctionDecl &F, const CXXRecordDecl &Class) const {
  const Stmt *Found = nullptr;
  anyIn(F, [&](const Stmt &S) {
    const auto *D = dyn_cast<DeclStmt>(&S);
    const auto *V = D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    if (!V || !V->hasLocalStorage() || !V->getInit() || V->getType()->isReferenceType())
      return false;
    const CXXRecordDecl *Made = definitionOf(V->getType());
    if (boxKind(V->getType()) != BoxKind::None || V->getType()->isPointerType()) {
      Made = nullptr;
      anyBelow(V->getInit(), [&](const Stmt &Part) { return Made = madeBy(Part), Made; });
    }
    const bool IsOne = Made && (Made == &Class || Made->isDerivedFrom(&Class));
    if (IsOne && isEndedHere(*V, F))
      Found = &S;
    return Found != nullptr;
  });
  return Found;
}

/// The first in the file that calls no other.
const FunctionDecl *UnclosedFinder::firstCloser(const Methods &Closers) const {
  const FunctionDecl *First = nullptr;
  for (const CXXMethodDecl *M : Closers) {
    const FunctionUnit *F = U.find(*M);
    const FunctionDecl *Body = F ? F->Facts->Function : M;
    Methods Others = Closers;
    Others.remove(M);
    if (!First || (!names(*Body, Others) &&
                   (names(*First, Closers) || Body->getLocation() < First->getLocation())))
      First = Body;
  }
  return First;
}

std::optional<UnclosedObject> UnclosedFinder::judge(const RecordKey &Key,
                                                    const RecordTake &T) const {
  const auto *Class = dyn_cast<CXXRecordDecl>(Key.Owner);
  if (!Class || !Uses.isGivenInView(Key) || Uses.HandedOn.count(Key) || T.In->HasErrors ||
      T.In->Facts.Sites[T.Site].OfCallee || infoOf(T.what()).IsHost)
    return std::nullopt;
  Class = Class->getDefinition();
  Methods Closers = closersOf(Key, *Class);
  if (Closers.empty() || !addCallers(Closers, *Class) || isLostAsCallees(T) || !happens(T) ||
      isHandedOutByConstructor(*Class))
    return std::nullopt;
  for (const FunctionUnit &F : U.functions()) {
    const FunctionDecl &Function = *F.Facts->Function;
    const Stmt *Made = F.HasErrors ? nullptr : endedIn(Function, *Class);
    if (Made && !names(Function, Closers))
      return UnclosedObject{Key, &T, {}, firstCloser(Closers), Made, !Function.isMain()};
  }
  return std::nullopt;
}

std::vector<UnclosedObject> UnclosedFinder::run() {
  std::vector<UnclosedObject> All, Found;
  for (const auto &[Key, Takes] : Uses.Takes)
    if (auto Object = judge(Key, Takes.front()))
      All.push_back(std::move(*Object));
  auto Begin = [](const UnclosedObject &O) {
    return O.Take->In->Facts.Sites[O.Take->Site].Call->getBeginLoc();
  };
  llvm::sort(All, [&](const auto &A, const auto &B) { return Begin(A) < Begin(B); });
  for (UnclosedObject &Each : All) {
    auto Same = llvm::find_if(Found, [&](const UnclosedObject &O) {
      return O.Key.Owner == Each.Key.Owner && O.Closer == Each.Closer;
    });
    if (Same == Found.end())
      Found.push_back(std::move(Each));
    else
      Same->Also.push_back({Each.Key, Each.Take});
  }
  return Found;
}

} // namespace

std::vector<UnclosedObject> findUnclosedObjects(FileAnalyses &File) {
  return UnclosedFinder(File).run();
}

} // namespace tensorleak
