//===-- GoneRecords.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/records/GoneRecords.h"

#include "checks/model/ClassNames.h"
#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {
namespace {

class GoneRecordFinder {
public:
  GoneRecordFinder(const ResourceUnit &U, const RecordUses &Uses, ForgottenResource &Out)
      : U(U), Uses(Uses), Out(Out), Record(dyn_cast<RecordDecl>(Out.Key.Owner)),
        Member(Out.Key.Chain.back()) {}
  bool run();

private:
  bool isRecord(const RecordDecl *Other) const;
  bool names(const FunctionResources &F, const Atom &A) const;
  bool
  anyEvent(llvm::function_ref<bool(const FunctionResources &, const ResourceEvent &)> Is) const;
  bool mayBeGiven() const;
  bool isReturned() const;

  const ResourceUnit &U;
  const RecordUses &Uses;
  ForgottenResource &Out;
  const RecordDecl *Record;
  const ValueDecl *Member;
};

/// A call of a function in view, of which is known what it does; also of the same function, as
/// `fell(tree->left)` in `fell`.
bool isSeen(const Stmt &At) {
  const auto *Call = dyn_cast<CallExpr>(&At);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->hasBody();
}

bool GoneRecordFinder::isRecord(const RecordDecl *Other) const {
  return Other && Other->getCanonicalDecl() == Record->getCanonicalDecl();
}

/// The member, by the name of any object: `head->data` may be that of each node. Or an object.
bool GoneRecordFinder::names(const FunctionResources &F, const Atom &A) const {
  if (A.What != Atom::Load)
    return false;
  const ValueDecl *Last = lastOf(F.Facts.Paths, A.Id);
  const QualType Pointee = Last ? Last->getType()->getPointeeType() : QualType();
  return Last == Member || (!Pointee.isNull() && isRecord(Pointee->getAsRecordDecl()));
}

bool GoneRecordFinder::anyEvent(
    llvm::function_ref<bool(const FunctionResources &, const ResourceEvent &)> Is) const {
  return llvm::any_of(U.functions(), [&](const auto &F) {
    return llvm::any_of(F->Facts.Blocks, [&](const std::vector<ResourceEvent> &Events) {
      return llvm::any_of(Events, [&](const ResourceEvent &E) { return Is(*F, E); });
    });
  });
}

/// Somebody gives back what the member holds, or gets it or an object around it and may do so.
bool GoneRecordFinder::mayBeGiven() const {
  return anyEvent([&](const FunctionResources &F, const ResourceEvent &E) {
    const bool Gives = E.Kind == ResourceEventKind::Release;
    const bool MayGive = E.Kind == ResourceEventKind::Escape || E.Kind == ResourceEventKind::Doubt;
    return llvm::any_of(E.Value, [&](const Atom &A) {
      return Gives     ? A.What == Atom::Load && lastOf(F.Facts.Paths, A.Id) == Member
             : MayGive ? names(F, A) && !isSeen(*E.At)
                       : false;
    });
  });
}

bool GoneRecordFinder::isReturned() const {
  return anyEvent([&](const FunctionResources &F, const ResourceEvent &E) {
    return E.Kind == ResourceEventKind::Return && llvm::any_of(E.Value, [&](const Atom &A) {
             return A.What == Atom::Load && lastOf(F.Facts.Paths, A.Id) == Member;
           });
  });
}

bool GoneRecordFinder::run() {
  if (!Record || hasOwnDestructor(*Record) || mayBeGiven())
    return false;
  for (const auto &F : U.functions())
    for (const HolderUse &Use : F->Released) {
      if (Use.Site || Use.ByCallee || !isRecord(recordGivenAt(*Use.At)))
        continue;
      if (F->HasErrors || Uses.mayReach(*F->Facts.Function, Out.Key))
        return false;
      Out.Where = F->Facts.Function;
      Out.At = Use.At;
    }
  if (!Out.Where)
    return false;
  Out.Why = ForgottenResource::WithRecord;
  Out.WhereName = Out.Where->getNameAsString();
  Out.Sure = !isReturned() && !Uses.HandedOn.count(Out.Key) &&
             Out.In->Facts.Sites[Out.Site].What != Family::Event;
  return true;
}

} // namespace

const ValueDecl *lastOf(const PathTable &Paths, PathId P) {
  while (Paths.last(P).What == Step::Elem || Paths.last(P).What == Step::Star)
    P = Paths.parent(P);
  return Paths.last(P).Decl;
}

const RecordDecl *recordGivenAt(const Stmt &At) {
  const Expr *Given = nullptr;
  if (const auto *Delete = dyn_cast<CXXDeleteExpr>(&At))
    Given = bare(Delete->getArgument());
  else if (const auto *Call = dyn_cast<CallExpr>(&At); Call && Call->getNumArgs() > 0)
    Given = bare(Call->getArg(0));
  const QualType Pointee = Given ? Given->getType()->getPointeeType() : QualType();
  return Pointee.isNull() ? nullptr : Pointee->getAsRecordDecl();
}

bool hasOwnDestructor(const RecordDecl &Record) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&Record);
  return Class && (!Class->hasDefinition() || Class->hasUserDeclaredDestructor());
}

bool goesWithRecord(const ResourceUnit &U, const RecordUses &Uses, ForgottenResource &Out) {
  return GoneRecordFinder(U, Uses, Out).run();
}

bool isOfThread(const Decl *Variable) {
  const auto *V = dyn_cast_or_null<VarDecl>(Variable);
  return V && V->getTLSKind() != VarDecl::TLS_None && isInMainFile(*V);
}

/// `thread_local Scratch scratch;` grows, and its class has no destructor.
bool goesWithThread(const RecordUses &Uses, ForgottenResource &Out) {
  const ResourceFacts &Facts = Out.In->Facts;
  const ValueDecl *V = Facts.Paths.variable(Out.Holder);
  const bool IsOwn =
      isOfThread(V) && llvm::none_of(Facts.Paths.steps(Out.Holder),
                                     [](const Step &S) { return S.What == Step::Star; });
  const RecordDecl *Class = IsOwn ? V->getType()->getAsRecordDecl() : nullptr;
  if (!IsOwn || (Class && hasOwnDestructor(*Class)) || !Uses.isOnlyReplaced(Out.Key) ||
      Uses.isHandedOut(Out.Key))
    return false;
  Out.Why = ForgottenResource::WithThread;
  return true;
}

/// A destructor of its own gives back what such an object holds; that of a library's container
/// does what those of its elements do.
static bool cleansUp(QualType T) {
  const auto *Class = T->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return false;
  if (isLibraryContainer(*Class) && !isSharedPtr(*Class) && boxKind(T) == BoxKind::None)
    return llvm::any_of(typeArguments(*Class), [](QualType Part) {
      const auto *Element = Part->getAsCXXRecordDecl();
      return Element && !Element->isInStdNamespace() && cleansUp(Part);
    });
  return Class->hasUserDeclaredDestructor();
}

bool isOfCleaningMember(const RecordKey &Key) {
  return llvm::any_of(llvm::ArrayRef(Key.Chain).drop_back(!Key.Chain.empty()),
                      [](const ValueDecl *D) { return cleansUp(D->getType()); });
}

bool handsItself(const CXXRecordDecl &Class) {
  auto IsGiven = [](const Expr &E) {
    const auto *Call = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && !Callee->hasBody() && !isInLibraryHeader(*Callee) &&
           llvm::any_of(Call->arguments(), [](const Expr *A) { return isa<CXXThisExpr>(bare(A)); });
  };
  return llvm::any_of(Class.methods(), [&](const CXXMethodDecl *M) {
    const FunctionDecl *Body = M->getDefinition();
    return Body && mentions(Body->getBody(), IsGiven);
  });
}

} // namespace tensorleak
