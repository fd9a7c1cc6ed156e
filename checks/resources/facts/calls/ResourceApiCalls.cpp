//===-- ResourceApiCalls.cpp - Calls that Cuda.def explains ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/References.h"
#include "checks/source/Statements.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tensorleak {

std::optional<int64_t> ResourceGenerator::bytesOf(const CallExpr &Call,
                                                  llvm::StringRef Sizes) const {
  if (Sizes.empty())
    return std::nullopt;
  int64_t Bytes = 1;
  for (char Digit : Sizes) {
    unsigned I = Digit - '0';
    auto Factor = I < Call.getNumArgs() ? constant(Call.getArg(I)) : std::nullopt;
    if (!Factor || *Factor <= 0)
      return std::nullopt;
    Bytes *= *Factor;
  }
  return Bytes;
}

void ResourceGenerator::take(const CallExpr &Call, const ResourceEffect &E) {
  if (E.What != ResourceEffect::Result && E.Argument >= Call.getNumArgs())
    return;
  if (E.What == ResourceEffect::Attach)
    return attach(Call, E);
  SiteId Id = addSite({E.Kind_, &Call, {}, bytesOf(Call, E.Sizes), false});
  if (E.What != ResourceEffect::Result)
    Out->Statuses[&Call].Sites.push_back(Id);
  ResourceEvent &Taken = emit(ResourceEventKind::Acquire, Call);
  Taken.Site = Id;
  if (E.What == ResourceEffect::Result) {
    Results[&Call].push_back({Atom::Fresh, Id});
    noteUnnamed(Id, Call);
    return;
  }
  const Expr *Arg = Call.getArg(E.Argument);
  Taken.Path = pathThrough(Arg, 0);
  fillElements(Id, Call, *Arg);
}

/// The argument that \p Call gives back, or the pointer through which it is called.
static const Expr *givenBack(const CallExpr &Call, const ResourceEffect &E) {
  if (E.What != ResourceEffect::FreeSelf)
    return E.Argument < Call.getNumArgs() ? Call.getArg(E.Argument) : nullptr;
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const Expr *Self = Member ? Member->getImplicitObjectArgument() : nullptr;
  return Self && Self->getType()->isPointerType() ? Self : nullptr;
}

static bool givesBack(const ResourceEffect &E) {
  return E.What == ResourceEffect::Free || E.What == ResourceEffect::FreeAt ||
         E.What == ResourceEffect::FreeSelf;
}

/// Calls \p Visit for each pointer that is null where \p Condition is \p Answer: `p` of `!p` and of
/// `p == nullptr`.
static void forEachNullIn(const Expr &Condition, bool Answer, ASTContext &Context,
                          llvm::function_ref<void(const Expr &)> Visit) {
  const Expr *E = bare(&Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
    return forEachNullIn(*Not->getSubExpr(), !Answer, Context, Visit);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (Op && Op->getOpcode() == (Answer ? BO_LAnd : BO_LOr)) {
    forEachNullIn(*Op->getLHS(), Answer, Context, Visit);
    return forEachNullIn(*Op->getRHS(), Answer, Context, Visit);
  }
  if (Op && Op->isEqualityOp() && (Op->getOpcode() == BO_EQ) == Answer &&
      isZeroOrNull(Context, *Op->getRHS()))
    E = bare(Op->getLHS());
  else if (Op || Answer)
    return;
  if (E->getType()->isPointerType())
    Visit(*E);
}

bool ResourceGenerator::isAskedForNull(const ValueDecl &Named) {
  auto Note = [&](const Expr &Asked) {
    if (const ValueDecl *D = variableOrMember(&Asked))
      NullTested->insert(D);
  };
  if (!NullTested) {
    NullTested.emplace();
    anyBelow(Out->Function->getBody(), [&](const Stmt &S) {
      if (const auto *If = dyn_cast<IfStmt>(&S); If && If->getCond())
        for (bool Answer : {true, false})
          forEachNullIn(*If->getCond(), Answer, Context, Note);
      return false;
    });
  }
  return NullTested->contains(&Named);
}

/// `if (!p) cudaFree(p);`: what is not, is not given back. Nothing between the two names it.
bool ResourceGenerator::isNullAt(const CallExpr &Call, const Expr &Given) {
  const ValueDecl *Named = variableOrMember(bare(&Given));
  const SourceManager &Sources = Context.getSourceManager();
  const Stmt *Body = Out->Function->getBody();
  auto IsNamedAfter = [&](const Expr &Asked) {
    return anyBelow(Body, [&](const Stmt &S) {
      const auto *E = dyn_cast<Expr>(&S);
      return E && variableOrMember(E) == Named && !contains(&Call, E) &&
             Sources.isBeforeInTranslationUnit(Asked.getEndLoc(), E->getBeginLoc()) &&
             Sources.isBeforeInTranslationUnit(E->getBeginLoc(), Call.getBeginLoc());
    });
  };
  bool IsNull = false;
  if (Named && Given.getType()->isPointerType() && isAskedForNull(*Named))
    forEachConditionAhead(Call, Body, [&](const Expr &Condition, bool Answer) {
      forEachNullIn(Condition, Answer, Context, [&](const Expr &Asked) {
        IsNull |= variableOrMember(&Asked) == Named && pathOf(&Asked) == pathOf(&Given) &&
                  !IsNamedAfter(Asked);
      });
    });
  return IsNull;
}

void ResourceGenerator::give(const CallExpr &Call, const ResourceEffect &E) {
  const Expr *Arg = givenBack(Call, E);
  if (!Arg || isNullAt(Call, *Arg))
    return;
  Operand Value = onlyDetaches(E.Accepts) ? attachedAt(*Arg) : operand(Arg);
  if (PathId P = E.What == ResourceEffect::FreeAt ? pathThrough(Arg, 0) : NoPath; P != NoPath)
    Value = {{Atom::Load, P}};
  const bool IsAnyOfThem = mayBeAnother(*bare(Arg));
  ResourceEvent &Freed = emit(ResourceEventKind::Release, Call);
  Freed.Value = IsAnyOfThem ? anyInLoop(Call, std::move(Value)) : std::move(Value);
  Freed.Accepts = E.Accepts;
  Freed.Element = elementFreedBy(Call, *Arg);
  noteSpared(Freed, Call, *Arg);
}

/// `cudaMemcpy(deviceRows, rows, n * sizeof(*rows), ..)` of pointers or of records with pointers:
/// they are in two places then.
bool ResourceGenerator::copyPointees(const CallExpr &Call, llvm::ArrayRef<ResourceEffect> Effects) {
  auto Copies = [](const ResourceEffect &E) { return E.What == ResourceEffect::Copy; };
  if (llvm::none_of(Effects, Copies) || Call.getNumArgs() < 2)
    return false;
  const Expr *Source = Call.getArg(1)->IgnoreParenCasts();
  const QualType Type = Source->getType();
  const QualType Element = Type->isArrayType() ? QualType(Type->getPointeeOrArrayElementType(), 0)
                                               : Type->getPointeeType();
  if (Element.isNull() || !(Element->isPointerType() || Element->isRecordType()))
    return false;
  PathId From = pathThrough(Source, Step::Any);
  PathId To = pathThrough(Call.getArg(0)->IgnoreParenCasts(), Step::Any);
  if (From == NoPath || To == NoPath)
    return false;
  if (Element->isPointerType()) {
    emitCopy(Call, To, From);
    return true;
  }
  nameHandles(From, Element);
  ResourceEvent &Copy = emit(ResourceEventKind::CopyTree, Call);
  Copy.Path = To;
  Copy.From = From;
  return true;
}

/// Right after a call that takes something, the last error is that call's.
void ResourceGenerator::askLastError(const CallExpr &Call) {
  auto It = LastCall ? Out->Statuses.find(LastCall) : Out->Statuses.end();
  if (It != Out->Statuses.end()) {
    CallStatus Told = It->second;
    Out->Statuses[&Call] = Told;
  }
}

/// `cudaFree(p)` in a predicate, but not `a.stamp() < b.stamp()`.
static bool mayChange(const Stmt &S) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const auto *Method = Call ? dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()) : nullptr;
  const bool OnlyReads = isa<CXXOperatorCallExpr>(S) || (Method && Method->isConst());
  return isa<CXXDeleteExpr>(S) || (Call && !OnlyReads);
}

/// A lambda that may do more than to compare what it is given, or another function.
static bool doesMore(const Expr *Arg) {
  const Expr *E = bare(Arg);
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return anyBelow(Lambda->getBody(), mayChange);
  const QualType T = E->getType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return T->isFunctionType() || T->isFunctionPointerType() ||
         (Class && !Class->isInStdNamespace() && !isIterator(T));
}

bool onlyLooks(const CallExpr &Call) {
  static const llvm::StringSet<> Names = {"min_element", "max_element", "find",
                                          "find_if",     "find_if_not", "lower_bound",
                                          "upper_bound", "next",        "prev"};
  const FunctionDecl *F = Call.getDirectCallee();
  return F && F->getIdentifier() && F->isInStdNamespace() && !isa<CXXMethodDecl>(F) &&
         !Call.getType()->isPointerType() && Names.contains(F->getName()) &&
         llvm::none_of(Call.arguments(), doesMore);
}

/// The file asks a texture or surface object what it was made of.
static bool asksWhatIsDescribed(const ASTContext &Context) {
  static constexpr llvm::StringLiteral Names[] = {
      "cudaGetTextureObjectResourceDesc", "cuTexObjectGetResourceDesc",
      "cudaGetSurfaceObjectResourceDesc", "cuSurfObjectGetResourceDesc"};
  return llvm::any_of(Names, [&](llvm::StringRef Name) {
    auto Named = Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name));
    return llvm::any_of(Named, [](const NamedDecl *D) { return D->isReferenced(); });
  });
}

/// `cudaCreateTextureObject(&tex, &desc, ...)`: whoever has the object finds the array of its
/// description again.
static bool describes(const CallExpr &Call, const ResourceEffect &E) {
  const bool IsDescribed = E.Kind_ == Family::Texture || E.Kind_ == Family::Surface;
  return IsDescribed && E.What == ResourceEffect::Out && Call.getNumArgs() > 1;
}

void ResourceGenerator::applyModel(const CallExpr &Call, llvm::ArrayRef<ResourceEffect> Effects) {
  if (!Model.effectsOf(*Out->Function).empty())
    return; // a library that stands before the device's own: its callers give that back
  for (const ResourceEffect &E : Effects) // realloc gives before it takes
    if (givesBack(E))
      give(Call, E);
  for (const ResourceEffect &E : Effects) {
    switch (E.What) {
    case ResourceEffect::Out:
    case ResourceEffect::Result:
    case ResourceEffect::Attach:
      take(Call, E);
      if (describes(Call, E) && asksWhatIsDescribed(Context))
        for (const Atom &A : operand(Call.getArg(1)))
          if (A.What == Atom::Address)
            emitTree(Call, A.Id);
      break;
    case ResourceEffect::FreeAll:
      emit(ResourceEventKind::ReleaseAll, Call);
      break;
    case ResourceEffect::LastError:
      askLastError(Call);
      break;
    case ResourceEffect::End:
      Out->Ends[BlockAtHand] = &Call;
      break;
    case ResourceEffect::Borrow:
      Results[&Call] = operand(objectOrFirst(&Call));
      break;
    default:
      break;
    }
  }
}

} // namespace tensorleak
