//===-- DestroyedAsBase.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/DestroyedAsBase.h"

#include "checks/Budgets.h"
#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/resources/FileAnalyses.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "checks/source/Types.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace tensorleak {
namespace {

/// The class of what a unique_ptr of type \p T deletes.
const CXXRecordDecl *ownedBy(QualType T) {
  T = T.getNonReferenceType();
  bool Owns = boxKind(T) == BoxKind::One && isOwningPointer(T);
  return Owns ? definitionOf(partsOf(T).front()) : nullptr;
}

/// The class of what \p E, a pointer or a unique_ptr, has before it becomes one to a base.
const CXXRecordDecl *classBehind(const Expr &E) {
  const QualType Type = E.IgnoreParenImpCasts()->getType();
  return Type->isPointerType() ? definitionOf(Type->getPointeeType())
                               : ownedBy(bare(&E)->getType());
}

/// The class of the object that the local variable \p E was made to point to.
const CXXRecordDecl *madeFor(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParenImpCasts());
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  const Expr *Init = V && V->hasLocalStorage() && V->getInit() ? V->getInit() : nullptr;
  const auto *New = Init ? dyn_cast<CXXNewExpr>(Init->IgnoreParenImpCasts()) : nullptr;
  return New && !New->isArray() ? definitionOf(New->getAllocatedType()) : nullptr;
}

/// Elements of a library's container that own what they point to.
const CXXRecordDecl *ownedByElements(QualType Container) {
  const CXXRecordDecl *Class = definitionOf(Container.getNonReferenceType());
  if (Class && isLibraryContainer(*Class))
    for (QualType Part : typeArguments(*Class))
      if (const CXXRecordDecl *Owned = ownedBy(Part))
        return Owned;
  return nullptr;
}

using Classes = std::pair<const CXXRecordDecl *, const CXXRecordDecl *>;

/// What a std::function of type \p T returns, or the one that a pair of such a type holds; null
/// for other types.
QualType resultOfFunction(QualType T) {
  T = T.getNonReferenceType();
  if (boxKind(T) == BoxKind::Parts)
    return resultOfFunction(partsOf(T).back());
  if (!isFunctionObject(T))
    return {};
  auto Arguments = typeArguments(*T->getAsCXXRecordDecl());
  const auto *Call = Arguments.empty() ? nullptr : Arguments.front()->getAs<FunctionProtoType>();
  return Call ? Call->getReturnType() : QualType();
}

/// A lambda that makes an object becomes a std::function that returns an owner of its base.
Classes madeByLambda(const Expr &Arg, QualType Becomes) {
  const auto *Lambda = dyn_cast<LambdaExpr>(bare(&Arg));
  const QualType Result = Lambda ? resultOfFunction(Becomes) : QualType();
  return Result.isNull()
             ? Classes()
             : Classes(ownedBy(Lambda->getCallOperator()->getReturnType()), ownedBy(Result));
}

/// The class of the object to which \p S gives an owner, or which it deletes, and as what.
Classes handedOverBy(const Stmt &S) {
  if (const auto *C = dyn_cast<CXXConstructExpr>(&S)) {
    if (C->getNumArgs() == 0)
      return {};
    const Classes Made = madeByLambda(*C->getArg(C->getNumArgs() - 1), C->getType());
    return Made.second ? Made : Classes(classBehind(*C->getArg(0)), ownedBy(C->getType()));
  }
  if (const auto *Delete = dyn_cast<CXXDeleteExpr>(&S))
    return {Delete->isArrayForm() ? nullptr : madeFor(*Delete->getArgument()),
            definitionOf(Delete->getDestroyedType())};
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S);
  if (Op && Op->getOperator() == OO_Equal) {
    const Classes Made = madeByLambda(*Op->getArg(1), Op->getArg(0)->getType());
    return Made.second ? Made
                       : Classes{classBehind(*Op->getArg(1)), ownedBy(Op->getArg(0)->getType())};
  }
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  if (!Call || Call->getNumArgs() == 0)
    return {};
  const QualType Self = Call->getImplicitObjectArgument()->getType();
  const CXXRecordDecl *Owned = ownedBy(Self);
  return {classBehind(*Call->getArg(Call->getNumArgs() - 1)),
          Owned ? Owned : ownedByElements(Self)};
}

/// Of which \p S makes an owner from a pointer that says no more of the object:
/// `std::unique_ptr<Base>(make())`. Null for none, and where the owner has a deleter of its own.
const CXXRecordDecl *baseOwnedFrom(const Stmt &S) {
  auto [Object, Base] = handedOverBy(S);
  const auto *C = dyn_cast<CXXConstructExpr>(&S);
  const auto *Call = dyn_cast<CallExpr>(&S);
  const unsigned Args = C ? C->getNumArgs() : Call ? Call->getNumArgs() : 0;
  if (!Object || Object != Base || Args == 0 || (C && Args > 1))
    return nullptr;
  const Expr *Pointer = bare(C ? C->getArg(0) : Call->getArg(Args - 1));
  return Pointer->getType()->isPointerType() && isa<CallExpr>(Pointer) ? Base : nullptr;
}

struct Loss {
  const FieldDecl *Member = nullptr;
  bool IsOfDevice = false;
};

/// `new Derived` that becomes a pointer to its base there and then.
Classes madeAsBase(const Stmt &S) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
  const auto *New = Cast ? dyn_cast<CXXNewExpr>(Cast->getSubExpr()->IgnoreParens()) : nullptr;
  if (!New || New->isArray() ||
      (Cast->getCastKind() != CK_DerivedToBase && Cast->getCastKind() != CK_UncheckedDerivedToBase))
    return {};
  return {definitionOf(New->getAllocatedType()), definitionOf(Cast->getType()->getPointeeType())};
}

class BaseDeleteFinder {
public:
  explicit BaseDeleteFinder(FileAnalyses &File) : File(File) {}
  std::vector<DestroyedAsBase> run();

private:
  struct PlainDelete {
    const FunctionDecl *In;
    const Stmt *At;
    const CXXRecordDecl *Base;
  };

  void visit(const FunctionDecl &F, const Stmt &S);
  void noteForLater(const FunctionDecl &F, const Stmt &S);
  void joinDeletes();
  void add(const FunctionDecl &F, const Stmt &S, Classes Both);
  const ResourceSummary *summaryOf(const CXXDestructorDecl &Dtor);
  Loss ofDestructor(const CXXRecordDecl &Class);
  Loss ofMember(const FieldDecl &Field, unsigned Depth);
  Loss ofClass(const CXXRecordDecl &Class, const CXXRecordDecl *But, unsigned Depth);

  FileAnalyses &File;
  std::vector<DestroyedAsBase> Found;
  std::vector<PlainDelete> Deletes;         ///< of which object is not seen
  llvm::SmallPtrSet<const Stmt *, 8> Owned; ///< what smart pointers are made of
  /// By the class of the object.
  llvm::MapVector<const CXXRecordDecl *, const CXXRecordDecl *> Made;
};

const ResourceSummary *BaseDeleteFinder::summaryOf(const CXXDestructorDecl &Dtor) {
  if (const FunctionResources *Body = File.resources().find(Dtor))
    return Body->Converged ? &Body->Summary : nullptr;
  return File.unit().others().resources(Dtor);
}

/// A member that the destructor of \p Class gives back something of the device from.
Loss BaseDeleteFinder::ofDestructor(const CXXRecordDecl &Class) {
  const CXXDestructorDecl *Dtor = Class.getDestructor();
  const ResourceSummary *Known = Dtor && Dtor->isUserProvided() ? summaryOf(*Dtor) : nullptr;
  if (!Known)
    return {};
  for (const ResourceSummary::Given &G : Known->Releases) {
    const bool IsOwn = G.Where.Root == RelativeResourcePath::This && !G.Where.Steps.empty();
    const auto *Field = IsOwn ? dyn_cast_or_null<FieldDecl>(G.Where.Steps[0].Decl) : nullptr;
    if (Field && firstOfDevice(G.Accepts))
      return {Field, true};
  }
  return {};
}

Loss BaseDeleteFinder::ofMember(const FieldDecl &Field, unsigned Depth) {
  const QualType Type = Field.getType();
  if (mayOwnTensors(File.unit().model().classify(Type)))
    return {&Field, false};
  const CXXRecordDecl *Class = ownedBy(Type) ? ownedBy(Type) : definitionOf(Type);
  if (!Class || Class->isInStdNamespace() || isOver(Budget::NestedRecords, Depth + 1))
    return {};
  Loss Inner = ofClass(*Class, nullptr, Depth + 1);
  return Inner.Member ? Loss{&Field, Inner.IsOfDevice} : Loss();
}

/// What an object of \p Class has, except what its base \p But has.
Loss BaseDeleteFinder::ofClass(const CXXRecordDecl &Class, const CXXRecordDecl *But,
                               unsigned Depth) {
  if (Loss L = ofDestructor(Class); L.Member)
    return L;
  for (const FieldDecl *Field : Class.fields())
    if (!Field->getType()->isReferenceType())
      if (Loss L = ofMember(*Field, Depth); L.Member)
        return L;
  for (const CXXBaseSpecifier &Base : Class.bases()) {
    const CXXRecordDecl *Inner = definitionOf(Base.getType());
    if (!Inner || Inner == But || (But && But->isDerivedFrom(Inner)))
      continue;
    if (Loss L = ofClass(*Inner, But, Depth); L.Member)
      return L;
  }
  return {};
}

void BaseDeleteFinder::visit(const FunctionDecl &F, const Stmt &S) {
  noteForLater(F, S);
  add(F, S, handedOverBy(S));
}

/// `all.push_back(new Derived)`, and elsewhere `delete all[i]`.
void BaseDeleteFinder::noteForLater(const FunctionDecl &F, const Stmt &S) {
  const auto *Owner = dyn_cast<CXXConstructExpr>(&S); // which may have a deleter of its own
  if (Owner && isOwningPointer(Owner->getType()))
    Owned.insert(Owner->arg_begin(), Owner->arg_end());
  if (auto [Object, Base] = madeAsBase(S); Object && Base && !Owned.contains(&S))
    Made.insert({Object, Base});
  const auto *Delete = dyn_cast<CXXDeleteExpr>(&S);
  const auto *Base = Delete && !Delete->isArrayForm() && !madeFor(*Delete->getArgument())
                         ? definitionOf(Delete->getDestroyedType())
                         : nullptr;
  if (!Base)
    Base = baseOwnedFrom(S);
  if (Base && Base->isPolymorphic())
    Deletes.push_back({&F, &S, Base});
}

/// The file makes objects as such a base, and deletes such bases.
void BaseDeleteFinder::joinDeletes() {
  for (const PlainDelete &D : Deletes)
    for (const auto &[Object, Base] : Made)
      if (Base == D.Base)
        add(*D.In, *D.At, {Object, Base});
}

void BaseDeleteFinder::add(const FunctionDecl &F, const Stmt &S, Classes Both) {
  auto [Object, Base] = Both;
  if (!Object || !Base || Object == Base || !Object->isDerivedFrom(Base))
    return;
  const CXXDestructorDecl *Dtor = Base->getDestructor();
  if ((Dtor && Dtor->isVirtual()) || Base->isInvalidDecl())
    return;
  auto IsSame = [&, Object = Object, Base = Base](const DestroyedAsBase &D) {
    return D.Object == Object && D.Base == Base;
  };
  auto It = llvm::find_if(Found, IsSame);
  if (It == Found.end()) {
    Loss L = ofClass(*Object, Base, 0);
    Found.push_back({Object, Base, L.Member, L.IsOfDevice, true, {}});
    It = std::prev(Found.end());
  }
  if (!llvm::is_contained(It->At, &S))
    It->At.push_back(&S);
  It->InMain &= F.isMain();
}

std::vector<DestroyedAsBase> BaseDeleteFinder::run() {
  for (const FunctionUnit &F : File.unit().functions()) {
    const FunctionDecl &Function = *F.Facts->Function;
    if (F.HasErrors)
      continue;
    auto Visit = [&](const Stmt &S) { return visit(Function, S), false; };
    anyIn(Function, Visit);
  }
  joinDeletes();
  llvm::erase_if(Found, [](const DestroyedAsBase &D) { return !D.Member; });
  auto Begin = [](const Stmt *S) { return S->getBeginLoc(); };
  for (DestroyedAsBase &D : Found)
    llvm::sort(D.At, [&](auto *A, auto *B) { return Begin(A) < Begin(B); });
  llvm::sort(Found, [&](auto &A, auto &B) { return Begin(A.At[0]) < Begin(B.At[0]); });
  return std::move(Found);
}

} // namespace

static std::string messageOf(const DestroyedAsBase &Lost) {
  std::string What = Lost.IsOfDevice ? "what its destructor gives back stays, such as that in '"
                                     : "its tensors are never freed, such as those in '";
  std::string Base = Lost.Base->getNameAsString();
  return "a '" + Lost.Object->getNameAsString() + "' is deleted as a '" + Base +
         "', which has no virtual destructor: " + What + Lost.Member->getNameAsString() +
         "'; declare 'virtual ~" + Base + "()'";
}

Diagnosis DestroyedAsBase::diagnosis(llvm::StringRef Rule) const {
  SourceLocation Loc = At.front()->getBeginLoc();
  Diagnosis D(Rule, Kind::Ownership, InMain ? Level::Note : Level::Warning, Loc, messageOf(*this));
  for (const Stmt *Other : llvm::drop_begin(At))
    D.Notes.push_back({Other->getBeginLoc(), "and here"});
  D.Subject.Holder = Member->getNameAsString();
  D.Subject.HolderDecl = Member->getLocation();
  D.Subject.Producers.push_back(Loc);
  return D;
}

std::vector<DestroyedAsBase> findDestroyedAsBase(FileAnalyses &File) {
  return BaseDeleteFinder(File).run();
}

} // namespace tensorleak
