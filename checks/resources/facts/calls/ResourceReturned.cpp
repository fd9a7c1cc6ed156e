//===-- ResourceReturned.cpp - What a call returns of what the caller had -===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/resources/facts/ResourceGenerator.h"
#include "checks/source/References.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace tensorleak {

/// `std::exchange(p, next)`: the place has another value when \p S has run.
static bool fills(const ResourceSummary &S, const RelativeResourcePath &Place) {
  auto IsPlace = [&](const RelativeResourcePath &Where) { return Where == Place; };
  return llvm::any_of(S.Stores, [&](const auto &Each) { return IsPlace(Each.Where); }) ||
         llvm::any_of(S.Takes, [&](const auto &T) { return llvm::any_of(T.Where, IsPlace); });
}

/// The result of a getter, or a part of it, is a second name of what the caller has; this comes
/// before anything else that the callee does.
void ResourceGenerator::nameReturned(const CallShape &C, const ResourceSummary &S) {
  for (const ResourceSummary::Stored &Each : S.Returns)
    nameReturned(C, Each, translateValue(C, Each.From));
  for (const RelativeResourcePath &Each : S.ReturnsAddresses)
    if (const PathId P = translate(C, Each); P != NoPath)
      Results[C.Call].push_back({Atom::Address, P});
  // Of an object of the function's own: `owner.release()`. What others had is known by no name.
  for (const ResourceSummary::Stored &Each : S.MovesOut) {
    const PathId From = translate(C, Each.From);
    if (From == NoPath || !Out->isOwnStorage(From))
      continue;
    if (fills(S, Each.From))
      emitValue(ResourceEventKind::Escape, C.At, {{Atom::Load, From}});
    else
      nameReturned(C, Each, {{Atom::Load, From}});
  }
}

void ResourceGenerator::nameReturned(const CallShape &C, const ResourceSummary::Stored &Each,
                                     Operand Value) {
  if (Value.empty())
    return;
  if (Each.Where.Steps.empty())
    Results[C.Call].append(Value.begin(), Value.end());
  else
    Parts[C.Call].push_back({llvm::SmallVector<Step, 3>(Each.Where.Steps), 0, std::move(Value)});
}

/// The parts of what \p Record, a call, returns.
llvm::ArrayRef<ReturnedPart> ResourceGenerator::partsReturnedBy(const Expr &Record) const {
  auto It = Parts.find(bare(&Record));
  return It == Parts.end() ? llvm::ArrayRef<ReturnedPart>() : It->second;
}

/// The part \p Steps of what \p Record, a call, returns, where the caller had that before.
const ReturnedPart *ResourceGenerator::partOf(const Expr &Record,
                                              llvm::ArrayRef<Step> Steps) const {
  for (const ReturnedPart &Part : partsReturnedBy(Record))
    if (!Part.Value.empty() && llvm::ArrayRef(Part.Steps) == Steps)
      return &Part;
  return nullptr;
}

/// The argument or the object of which \p P is a part, where that is what another call returns.
const Expr *ResourceGenerator::recordAt(const CallShape &C, const RelativeResourcePath &P) const {
  const auto *Member = dyn_cast_or_null<CXXMemberCallExpr>(C.Call);
  const Expr *Record = nullptr;
  if (P.Root == RelativeResourcePath::Param && P.Param_ < C.Arguments.size())
    Record = C.Arguments[P.Param_];
  else if (P.Root == RelativeResourcePath::This && Member && C.Object == NoPath)
    Record = Member->getImplicitObjectArgument();
  return Record && !partsReturnedBy(*Record).empty() ? Record : nullptr;
}

/// The place of the caller's that a function which returns a reference names: an argument, or a
/// part of one or of the object; none where it is one of several.
static std::optional<RelativeResourcePath> placeReturned(const FunctionDecl &F,
                                                         const ResourceSummary &S) {
  if (!S.MovesOut.empty() || S.Returns.size() + S.ReturnsParams.size() != 1)
    return std::nullopt;
  if (!S.Returns.empty())
    return S.Returns.front().Where.Steps.empty() ? std::optional(S.Returns.front().From)
                                                 : std::nullopt;
  RelativeResourcePath Place;
  Place.Root = RelativeResourcePath::Param;
  Place.Param_ = S.ReturnsParams.front();
  return F.getParamDecl(Place.Param_)->getType()->isReferenceType() ? std::optional(Place)
                                                                    : std::nullopt;
}

/// What \p Call of a function that returns a reference names:
/// `float *&operator[](int i) { return rows[i]; }`.
PathId ResourceGenerator::pathReturned(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const ResourceSummary *Known =
      Callee && Callee->getReturnType()->isLValueReferenceType() ? summaryOf(*Callee) : nullptr;
  const auto Place = Known ? placeReturned(*Callee, *Known) : std::nullopt;
  if (!Place)
    return NoPath;
  const auto [Object, Arguments] = operandsOf(Call);
  return translate({Call, &Call, *Callee, Arguments, Object}, *Place);
}

/// `view(o).data`, `std::get<1>(pair(o))`
Operand ResourceGenerator::partRead(const Expr &E) const {
  if (const auto *Call = dyn_cast<CallExpr>(&E)) {
    const auto Access = partAccess(*Call);
    const ReturnedPart *Part =
        Access && isFollowedBox(Access->Box->getType())
            ? partOf(*Access->Box, {partStep(Access->Box->getType(), Access->Part)})
            : nullptr;
    return Part ? Part->Value : Operand();
  }
  const auto *Member = dyn_cast<MemberExpr>(&E);
  const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  const ReturnedPart *Part = Field ? partOf(*Member->getBase(), {Step::field(*Field)}) : nullptr;
  return Part ? Part->Value : Operand();
}

/// The part \p Below of what is returned has parts that are second names here.
void ResourceGenerator::returnNames(const ReturnStmt &R, const Expr &Value,
                                    llvm::ArrayRef<Step> Below) {
  for (const ReturnedPart &Part : partsReturnedBy(Value)) {
    if (Part.Value.empty())
      continue;
    ResourceEvent &E = emit(ResourceEventKind::Return, R);
    E.Value = Part.Value;
    E.Below.assign(Below.begin(), Below.end());
    E.Below.insert(E.Below.end(), Part.Steps.begin(), Part.Steps.end());
  }
}

/// A copy of what others have, a record or a container, holds the same.
void ResourceGenerator::returnCopy(const ReturnStmt &R, const Expr &Value,
                                   llvm::ArrayRef<Step> Below) {
  const QualType Type = Value.getType();
  const PathId From = Type->isRecordType() ? pathOf(&Value) : PathId(NoPath);
  if (From == NoPath || Out->isOwnStorage(From) ||
      Out->Function->getReturnType()->isReferenceType())
    return;
  auto Return = [&](PathId P) {
    const auto Way = Out->Paths.steps(P);
    ResourceEvent &E = emit(ResourceEventKind::Return, R);
    E.Value = {{Atom::Load, P}};
    E.Below.assign(Below.begin(), Below.end());
    E.Below.insert(E.Below.end(), Way.begin() + Out->Paths.steps(From).size(), Way.end());
  };
  if (isContainer(Type))
    Return(Out->Paths.extend(From, Step::elem()));
  else
    forEachHandle(From, Type, Return);
}

/// `auto begin() { return all_.begin(); }`: the list; null where \p Begin is none such.
static const FieldDecl *listBegunBy(const FunctionDecl &Begin) {
  const FunctionDecl *Definition = nullptr;
  const auto *Body =
      Begin.hasBody(Definition) ? dyn_cast<CompoundStmt>(Definition->getBody()) : nullptr;
  const auto *Return =
      Body && Body->size() == 1 ? dyn_cast<ReturnStmt>(Body->body_front()) : nullptr;
  const Expr *E = Return ? bare(Return->getRetValue()) : nullptr;
  if (const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(E);
      Call && Call->getMethodDecl() && isOfStandardClass(*Call->getMethodDecl()))
    E = Call->getImplicitObjectArgument();
  return E ? memberOfThis(E) : nullptr;
}

/// The function with which a loop over an object of the user's begins; null for other loops.
static const FunctionDecl *beginCalledBy(const CXXForRangeStmt &Loop) {
  const auto *V =
      Loop.getBeginStmt() ? dyn_cast<VarDecl>(Loop.getBeginStmt()->getSingleDecl()) : nullptr;
  const auto *Call = V && V->getInit() ? dyn_cast<CXXMemberCallExpr>(bare(V->getInit())) : nullptr;
  const CXXMethodDecl *Begin = Call ? Call->getMethodDecl() : nullptr;
  return Begin && !isOfStandardClass(*Begin) ? Begin : nullptr;
}

/// What the variable of \p Loop is in each round.
PathId ResourceGenerator::elementOfRange(const CXXForRangeStmt &Loop) {
  PathId Range = pathOf(Loop.getRangeInit());
  if (Range == NoPath)
    Range = Out->Paths.root(cast<VarDecl>(Loop.getRangeStmt()->getSingleDecl()));
  if (const FunctionDecl *Begin = beginCalledBy(Loop)) {
    if (const FieldDecl *List = listBegunBy(*Begin))
      Range = Out->Paths.extend(Range, Step::field(*List));
    else
      emitTree(Loop, Range); // the elements are somewhere in it
  }
  return Out->Paths.extend(Range, Step::elem());
}

/// A record that holds an argument is not followed by what it holds, nor one of several that are
/// returned by reference.
void ResourceGenerator::handOnReturned(const CallShape &C, const ResourceSummary &S) {
  const QualType Type = C.Call->getType();
  const bool IsOneOfSeveral =
      C.Callee.getReturnType()->isReferenceType() && !placeReturned(C.Callee, S);
  for (unsigned Param : S.ReturnsParams) {
    if (Param >= C.Arguments.size())
      continue;
    Operand Value = operand(C.Arguments[Param]);
    if (IsOneOfSeveral)
      emitTree(C.At, pathOf(C.Arguments[Param]));
    if (Type->isRecordType() && !Model.isPointer(Type))
      emitValue(ResourceEventKind::Escape, C.At, std::move(Value));
    else
      Results[C.Call].append(Value.begin(), Value.end());
  }
}

/// What a callee put into the record that it returns, or into that to which it returns a pointer.
void ResourceGenerator::takeParts(const Stmt &At, PathId Target, const Expr &Call) {
  for (const ReturnedPart &Part : partsReturnedBy(Call))
    takePart(At, Out->Paths.extend(Target, Part.Steps), Part);
}

/// Whether \p Call returns a record with something in it that nobody had before.
bool ResourceGenerator::bringsNew(const CallExpr &Call) const {
  return llvm::any_of(partsReturnedBy(Call),
                      [](const ReturnedPart &Part) { return Part.Value.empty(); });
}

/// `make(n).data`, `show(make(n))`, `show({data, n})`: what the call returns, or the list names, is
/// in a place of this function's that has no name, and nothing is given back where that ends.
void ResourceGenerator::placeTemporary(const Expr &Value) {
  const Expr &E = *bare(&Value);
  const auto *Call = dyn_cast<CallExpr>(&E);
  const bool IsNew = Call ? Call->isPRValue() && bringsNew(*Call)
                          : isa<InitListExpr, CXXStdInitializerListExpr>(E);
  if (!IsNew || !E.getType()->isRecordType() || isFollowedBox(E.getType()) ||
      !endsQuietly(E.getType()) || Temporaries.count(&E))
    return;
  const SourceLocation At = E.getBeginLoc();
  auto *Function = const_cast<FunctionDecl *>(Out->Function);
  const PathId Place = Out->Paths.root(VarDecl::Create(Function->getASTContext(), Function, At, At,
                                                       nullptr, E.getType(), nullptr, SC_None));
  assign(E, Place, E);
  Temporaries[&E] = Place;
}

void ResourceGenerator::takePart(const Stmt &At, PathId Target, const ReturnedPart &Part) {
  ResourceEvent &E =
      emit(Part.Value.empty() ? ResourceEventKind::Acquire : ResourceEventKind::Assign, At);
  E.Path = Target;
  E.Site = Part.Site;
  E.Value = Part.Value;
}

} // namespace tensorleak
