//===-- ResourceUnknownCalls.cpp - Functions whose body is not here --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function can do to a resource follows from how it is given. A pointer
// by value is almost always only used; the exceptions are functions that get
// nothing else (a free function of another file looks like that), methods and
// constructors (the object may keep it), and containers.
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"
#include "checks/source/UserCode.h"

using namespace clang;

namespace tensorleak {

bool ResourceGenerator::isForeign(const FunctionDecl *Callee) {
  if (!Callee)
    return false;
  return Callee->getLocation().isInvalid() || Callee->getBuiltinID() || isInLibraryHeader(*Callee);
}

/// The declared type of argument \p I, or the argument's own.
static QualType parameterType(const FunctionDecl *Callee, unsigned I, const Expr &Arg) {
  return Callee && I < Callee->getNumParams() ? Callee->getParamDecl(I)->getType() : Arg.getType();
}

static bool isMethod(const FunctionDecl *Callee) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  return Method && !Method->isStatic();
}

/// pthread_create, cudaLaunchHostFunc: the callback gets the data, and may free it.
static bool takesCallback(const FunctionDecl *Callee) {
  return Callee && llvm::any_of(Callee->parameters(), [](const ParmVarDecl *P) {
           return P->getType()->isFunctionPointerType();
         });
}

/// `stream.read(p, n)` fills so many characters; `owner.reset(p)` keeps the pointer.
static bool movesCharacters(const FunctionDecl *Callee, QualType Pointee) {
  return Pointee->isCharType() && llvm::any_of(Callee->parameters(), [](const ParmVarDecl *P) {
           return P->getType()->isIntegerType();
         });
}

/// An unseen method of the user's can free the object's own members. One of the library's that
/// is told a position, as erase() is, gives the elements other numbers.
bool ResourceGenerator::mayChangeParts(const CXXMethodDecl &Method) const {
  if (Method.isConst())
    return false;
  return !isForeign(&Method) || llvm::any_of(Method.parameters(), [](const ParmVarDecl *P) {
    return isIterator(P->getType());
  });
}

/// \p Class, which derives from \p Base or is between, has a method of its own for one of that.
static bool overridesOne(const CXXRecordDecl &Class, const CXXRecordDecl &Base) {
  auto IsOfBase = [&](const CXXMethodDecl *M) {
    return M->getParent()->getCanonicalDecl() == Base.getCanonicalDecl() ||
           Base.isDerivedFrom(M->getParent());
  };
  return llvm::any_of(Class.methods(), [&](const CXXMethodDecl *M) {
    return !isa<CXXDestructorDecl>(M) && llvm::any_of(M->overridden_methods(), IsOfBase);
  });
}

/// Whether a method of \p Base may call one of \p Class, which derives from it.
static bool mayBeCalledBack(const CXXRecordDecl &Class, const CXXRecordDecl &Base) {
  return anyBase(Class, [&](const CXXRecordDecl &R) { return overridesOne(R, Base); });
}

/// `start()` of a base that is not in view: it knows the members of its own class, and the methods
/// that the object's class overrides.
void ResourceGenerator::changeParts(const CallExpr &Call, const CXXMethodDecl &Method,
                                    PathId Object) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const Expr *Named = Member ? Member->getImplicitObjectArgument()->IgnoreParenImpCasts() : nullptr;
  const CXXRecordDecl *Class = Named ? recordOf(Named->getType()) : nullptr;
  const CXXRecordDecl &Base = *Method.getParent();
  if (!Class || !Class->hasDefinition() || !Class->isDerivedFrom(&Base) ||
      mayBeCalledBack(*Class, Base))
    return emitTree(Call, Object);
  emitPartsOf(Base, Object, Call);
}

/// `variant = value`, `any = value`: a copy of it stays there.
static bool keepsCopy(const CXXOperatorCallExpr &Op) {
  return Op.getOperator() == OO_Equal &&
         Op.getArg(0)->getType().getCanonicalType().getUnqualifiedType() !=
             Op.getArg(1)->getType().getCanonicalType().getUnqualifiedType();
}

/// Other operators of a library's classes only use what they are given.
bool ResourceGenerator::onlyUsesOperands(const Expr &At, const FunctionDecl *Callee) const {
  const auto *Op = dyn_cast<CXXOperatorCallExpr>(&At);
  return Op && isa_and_nonnull<CXXMethodDecl>(Callee) && isForeign(Callee) &&
         Op->getOperator() != OO_Call && !keepsCopy(*Op);
}

/// `std::remove_if(all.begin(), all.end(), [](const T &t) { return t.isOld; })`: an algorithm of
/// the library, over a range of one container. It gives that another order, and no element to
/// anybody. What is given one iterator, as make_move_iterator is, may make another of it.
bool ResourceGenerator::onlyRearranges(const FunctionDecl *Callee, Args Arguments) {
  if (!Callee || isMethod(Callee) || !Callee->isInStdNamespace())
    return false;
  PathId Elements = NoPath;
  unsigned Iterators = 0;
  for (const Expr *Arg : Arguments) {
    const QualType Type = bare(Arg)->getType().getNonReferenceType();
    if (Type->isArithmeticType() || leavesElements(*Arg))
      continue;
    const PathId Of = Type->isRecordType() ? elementOf(*Arg) : NoPath;
    if (Of == NoPath || (Elements != NoPath && Of != Elements))
      return false;
    Elements = Of;
    ++Iterators;
  }
  return Iterators > 1;
}

void ResourceGenerator::applyUnknown(const Expr &At, const FunctionDecl *Callee, Args Arguments) {
  if (onlyUsesOperands(At, Callee))
    return;
  const bool OnlyIt = Arguments.size() == 1, Rearranges = onlyRearranges(Callee, Arguments);
  const bool Leaves = isForeign(Callee) && leavesData(At);
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    passLambda(At, *Arguments[I]);
    if (Leaves && bare(Arguments[I])->getType()->isPointerType())
      dropTemporary(*Arguments[I]);
    else if (!Rearranges)
      applyUnknownArgument(At, Callee, *Arguments[I], parameterType(Callee, I, *Arguments[I]),
                           OnlyIt);
  }
  if (!At.getType()->isPointerType())
    return;
  for (const Expr *Arg : Arguments) // `std::move(p)`, `advance(p)`
    for (const Atom &A : operand(Arg))
      if (A.What != Atom::Address && Arg->getType()->isPointerType())
        Results[&At].push_back(A);
}

/// `cat({x, y})`: what the tensors are over is followed by themselves.
bool ResourceGenerator::areTensors(const InitListExpr &List) const {
  return llvm::any_of(List.inits(), [&](const Expr *E) { return Api.isTensor(E->getType()); });
}

void ResourceGenerator::applyUnknownArgument(const Expr &At, const FunctionDecl *Callee,
                                             const Expr &Arg, QualType Type, bool OnlyIt) {
  if (passIterator(At, Arg))
    return;
  if (const InitListExpr *Elements = listedElements(Arg); Elements && !areTensors(*Elements))
    return escapeParts(At, *Elements);
  if (Type->isReferenceType()) {
    QualType To = Type->getPointeeType();
    if (PathId P = pathOf(&Arg);
        !To.isConstQualified() && (Arg.isLValue() || (Arg.isGLValue() && P != NoPath)))
      return emitTree(At, P);
    Type = To.getUnqualifiedType(); // a container's push_back(const T &)
  }
  if (const auto *List = dyn_cast<InitListExpr>(bare(&Arg)))
    return escapeParts(At, *List);
  if (Type->isRecordType()) {
    // A layer is handed the tensor, not the object of the program's own that it stands in.
    if (Callee && Api.isTensor(Type) && isInLibTorch(namespaceOf(*Callee)))
      return;
    // A container, or a function of another file, may keep what the record holds.
    if (!isForeign(Callee) || isMethod(Callee))
      passRecord(At, Arg);
    return;
  }
  if (Type->isPointerType()) {
    if (Type->getPointeeType().isConstQualified() && !Type->isVoidPointerType())
      return;
    return passPointer(At, Callee, operand(&Arg), Type->getPointeeType(), OnlyIt);
  }
}

void ResourceGenerator::passRecord(const Expr &At, const Expr &Arg) {
  if (auto Parts = Targets.count(bare(&Arg)) ? partsOfNewBox(*bare(&Arg)) : std::nullopt)
    for (const Expr *Part : *Parts) {
      emitTree(At, pathOf(Part));
      emitValue(ResourceEventKind::Escape, At, operand(Part));
    }
  for (const ReturnedPart &Part : partsReturnedBy(Arg))
    emitValue(ResourceEventKind::Escape, At, Part.Value);
  if (Model.isPointer(Arg.getType()))
    emitValue(ResourceEventKind::Escape, At, operand(&Arg));
  else
    emitTree(At, pathOf(&Arg));
}

/// A library's container of numbers has no place for a pointer: it copies what that points to.
static bool holdsNumbers(const FunctionDecl &Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  return Method && !Method->isStatic() && isContainer(Method->getFunctionObjectParameterType()) &&
         isForNumbers(*Method->getParent());
}

/// A call with that result tells at most whether it succeeded.
static bool givesNoPointer(QualType Result) {
  return Result->isVoidType() || Result->isEnumeralType();
}

/// A call of the device that has failed runs no callback: cudaLaunchHostFunc(stream, run, data).
std::optional<CallAnswer> ResourceGenerator::takenByDevice(const Expr &At) {
  const auto *Call = dyn_cast<CallExpr>(&At);
  if (!Call || !isDeviceStatus(Call->getType()) || !isForeign(Call->getDirectCallee()) ||
      !isAsked(*Call))
    return std::nullopt;
  return CallAnswer{Call, /*IsZero=*/true};
}

void ResourceGenerator::passPointer(const Expr &At, const FunctionDecl *Callee,
                                    const Operand &Value, QualType Pointee, bool OnlyIt) {
  for (const Atom &A : Value) {
    if (A.What == Atom::Address) {
      // Also the bytes of a pointer: cudaMemcpyToSymbol(s, &p, sizeof(p)).
      emitTree(At, A.Id);
      continue;
    }
    const bool Foreign = isForeign(Callee);
    const bool OnlyUses = Foreign && !isMethod(Callee) && givesNoPointer(At.getType());
    if (Pointee.isConstQualified()) {
      if (OnlyUses)
        dropTemporary(A);
      continue;
    }
    bool WrapsIt = Foreign && (At.getType()->isRecordType() || takesCallback(Callee));
    bool Copies = Foreign && (movesCharacters(Callee, Pointee) || holdsNumbers(*Callee));
    bool MayKeep = isMethod(Callee) ? !Copies : WrapsIt;
    if (MayKeep || (!Foreign && OnlyIt))
      emitValue(ResourceEventKind::Escape, At, {A}, takenByDevice(At));
    else if (!Foreign)
      emitValue(ResourceEventKind::Doubt, At, {A});
    else if (OnlyUses)
      dropTemporary(A);
  }
}

/// What the compiler could not make sense of, with the parts it has kept: as a call
/// of an unknown function.
void ResourceGenerator::visitRecovery(const RecoveryExpr &R) {
  for (const Expr *Part : R.subExpressions())
    for (const Atom &A : operand(Part))
      if (A.What == Atom::Address)
        emitTree(R, A.Id);
      else if (!isa<CallExpr>(bare(Part)))
        emitValue(R.subExpressions().size() > 2 ? ResourceEventKind::Doubt
                                                : ResourceEventKind::Escape,
                  R, {A});
}

/// \p S puts another one where it gives back what a variable of the file or thread held.
static bool onlyReplaces(const ResourceSummary &S, const RelativeResourcePath &Place) {
  const auto *V = dyn_cast_or_null<VarDecl>(Place.Var);
  return V && V->hasGlobalStorage() &&
         llvm::any_of(S.Takes, [&](const auto &T) { return llvm::is_contained(T.Where, Place); });
}

/// A lambda that is handed on may run at any time: what it frees is taken care of.
void ResourceGenerator::passLambda(const Expr &At, const Expr &Arg) {
  QualType Type = bare(&Arg)->getType().getNonReferenceType();
  const auto *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->isLambda())
    return;
  const CXXMethodDecl *Body = Class->getLambdaCallOperator();
  const ResourceSummary *Known = Body ? summaryOf(*Body) : nullptr;
  if (!Known)
    return;
  CallShape C{At, nullptr, *Body, {}, NoPath};
  for (const ResourceSummary::Given &G : Known->Releases)
    if (!onlyReplaces(*Known, G.Where)) {
      emitValue(ResourceEventKind::Escape, At, translateValue(C, G.Where));
      passLater(G.Where);
    }
  for (const RelativeResourcePath &P : Known->Escapes) {
    emitValue(ResourceEventKind::Escape, At, translateValue(C, P));
    passLater(P);
  }
  for (const RelativeResourcePath &P : Known->TreesEscape) {
    emitTree(At, translate(C, P));
    passLater(P);
  }
}

/// `guard.dismiss();`: what the lambda of \p Guard would have given back is the function's again.
void ResourceGenerator::takeBack(const CallExpr &Call, const VarDecl &Guard) {
  const CXXMethodDecl *Body = Guards.runBy(Guard);
  const ResourceSummary *Known = Body ? summaryOf(*Body) : nullptr;
  if (!Known)
    return;
  const CallShape C{Call, nullptr, *Body, {}, NoPath};
  for (const ResourceSummary::Given &G : Known->Releases)
    for (const Atom &A : translateValue(C, G.Where))
      if (auto Id = A.What == Atom::Load ? onlySiteAt(A.Id) : std::nullopt) {
        ResourceEvent &Taken = emit(ResourceEventKind::Acquire, Call);
        Taken.Site = *Id;
        Taken.Path = A.Id;
        copyAgain(Call, A.Id);
      }
}

/// What got \p From before, as a record that is returned, has it still.
void ResourceGenerator::copyAgain(const Stmt &At, PathId From) {
  llvm::SmallVector<PathId, 2> Copies;
  for (const auto &Block : Out->Blocks)
    for (const ResourceEvent &E : Block)
      if (E.Path != NoPath && llvm::is_contained(E.storedFrom(), From))
        Copies.push_back(E.Path);
  for (PathId To : Copies) {
    ResourceEvent &Copy = emit(ResourceEventKind::Assign, At);
    Copy.Path = To;
    Copy.Value = {{Atom::Load, From}};
  }
}

/// What \p P, as a lambda knows it, gets after the lambda was handed on is its to free, too.
void ResourceGenerator::passLater(const RelativeResourcePath &P) {
  llvm::ArrayRef<Step> Steps = P.Steps;
  if (P.Root == RelativeResourcePath::Variable)
    freeLater(pathOfCaptured(*P.Var, Steps));
}

void ResourceGenerator::freeLater(PathId P) {
  if (const ValueDecl *Variable = P == NoPath ? nullptr : Out->Paths.variable(P))
    FreedLater.insert(Variable);
}

void ResourceGenerator::addLaterEscapes() {
  if (FreedLater.empty())
    return;
  for (std::vector<ResourceEvent> &Block : Out->Blocks) {
    std::vector<ResourceEvent> All;
    for (ResourceEvent &E : Block) {
      const auto *Call = dyn_cast_or_null<CallExpr>(E.At);
      const bool IsTakenBack = Call && Guards.disarmedBy(*Call);
      bool Fills = !IsTakenBack &&
                   (E.Kind == ResourceEventKind::Acquire || E.Kind == ResourceEventKind::Assign);
      All.push_back(std::move(E));
      if (!Fills || All.back().Path == NoPath ||
          !FreedLater.count(Out->Paths.variable(All.back().Path)))
        continue;
      ResourceEvent Given;
      Given.Kind = ResourceEventKind::Escape;
      Given.At = All.back().At;
      Given.Value = {{Atom::Load, All.back().Path}};
      All.push_back(std::move(Given));
    }
    Block = std::move(All);
  }
}

/// A callee that swaps stores what was there when it began, but stores come one after the other
/// here: what one overwrites and a later one reads is not followed, nor what takes its place.
void ResourceGenerator::letGoOfSwapped(const CallShape &C, const ResourceSummary &S) {
  for (const ResourceSummary::Stored &Later : S.Stores)
    for (const ResourceSummary::Stored &Earlier : llvm::ArrayRef(S.Stores.data(), &Later))
      if (Earlier.Where == Later.From) {
        emitValue(ResourceEventKind::Escape, C.At, translateValue(C, Later.From));
        emitValue(ResourceEventKind::Escape, C.At, translateValue(C, Earlier.From));
      }
}

} // namespace tensorleak
