//===-- ResourceReturned.cpp - What a call returns of what the caller had -===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

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

/// `view(o).data`
Operand ResourceGenerator::partRead(const Expr &E) const {
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

/// A record that holds an argument is not followed by what it holds.
void ResourceGenerator::handOnReturned(const CallShape &C, const ResourceSummary &S) {
  const QualType Type = C.Call->getType();
  for (unsigned Param : S.ReturnsParams) {
    if (Param >= C.Arguments.size())
      continue;
    Operand Value = operand(C.Arguments[Param]);
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

void ResourceGenerator::takePart(const Stmt &At, PathId Target, const ReturnedPart &Part) {
  ResourceEvent &E =
      emit(Part.Value.empty() ? ResourceEventKind::Acquire : ResourceEventKind::Assign, At);
  E.Path = Target;
  E.Site = Part.Site;
  E.Value = Part.Value;
}

} // namespace tensorleak
