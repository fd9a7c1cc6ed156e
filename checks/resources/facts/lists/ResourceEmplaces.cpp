//===-- ResourceEmplaces.cpp - What lists and maps get --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/facts/ResourceGenerator.h"

#include "checks/model/ClassNames.h"
#include "checks/resources/facts/ResourceBoxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Functions.h"
#include "checks/source/entries/Entries.h"

using namespace clang;

namespace tensorleak {

using Args = llvm::ArrayRef<const Expr *>;

/// Of `all.emplace_back(key, handle)` and `all.push_back({key, handle})`: the parts of a new
/// element of type \p Held; nothing for other calls.
static Args partsGiven(QualType Held, Args Arguments) {
  auto Parts = Arguments.size() == 1 ? partsOfNewBox(*bare(Arguments[0])) : std::nullopt;
  Args Given = Parts ? *Parts : Arguments;
  const bool AreParts =
      Given.size() == partsOf(Held).size() &&
      llvm::none_of(Given, [](const Expr *Arg) { return isIterator(bare(Arg)->getType()); });
  return AreParts ? Given : Args();
}

/// A list of pairs gets one.
bool ResourceGenerator::visitPair(const CallExpr &Call, PathId Object, Args Arguments) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (Object == NoPath || !Method || !isContainer(Method->getFunctionObjectParameterType()))
    return false;
  auto E = Api.effectOf(*Method);
  auto Held = typeArguments(*Method->getParent());
  const bool IsPair =
      !Held.empty() && isPlainBox(Held.front()) && partsOf(Held.front()).size() == 2;
  Args Parts = E && E->What == Does::Grow && IsPair ? partsGiven(Held.front(), Arguments) : Args();
  const PathId Element = Out->Paths.extend(Object, Step::elem());
  for (const auto &[Index, Part] : llvm::enumerate(Parts))
    if (isPlain(Part->getType()))
      assign(Call, Out->Paths.extend(Element, partStep(Held.front(), Index)), *Part);
  return !Parts.empty();
}

/// Of `m.emplace(key, value)` and `m.insert({key, value})`, the value; null for other calls.
static const Expr *valueOfEntry(Args Arguments) {
  if (Arguments.size() == 2)
    return Arguments[1];
  auto Parts = Arguments.size() == 1 ? partsOfNewBox(*bare(Arguments[0])) : std::nullopt;
  return Parts && Parts->size() == 2 ? (*Parts)[1] : nullptr;
}

/// `m.emplace(key, record)`, handle by handle.
bool ResourceGenerator::emplaceHandles(const CallExpr &Call, PathId Object, QualType Held,
                                       const Expr &Value) {
  const auto *Class = Held->getAsCXXRecordDecl();
  const bool IsSame = Context.hasSameUnqualifiedType(Held, Value.getType());
  const PathId From = IsSame && isMovedByMember(Class) ? pathOf(&Value) : NoPath;
  if (From == NoPath)
    return false;
  forEachHandle(*Class, Out->Paths.extend(Object, Step::elem()), From,
                [&](PathId To, PathId Part) { emitCopy(Call, To, Part); });
  return true;
}

/// `m.emplace(key, pointer)`, `m.insert_or_assign(key, pointer)`.
bool ResourceGenerator::visitEmplace(const CallExpr &Call, PathId Object, Args Arguments) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  const Expr *Value = valueOfEntry(Arguments);
  if (Object == NoPath || !Method || !Value ||
      !isContainer(Method->getFunctionObjectParameterType()))
    return false;
  auto E = Api.effectOf(*Method);
  auto Held = typeArguments(*Method->getParent());
  bool Grows = E && (E->What == Does::Grow || E->What == Does::GrowKeyed);
  if (!Grows || Held.size() < 2 || !isPlain(Held[1]) || !isPlain(Value->getType()) ||
      !isKnown(*Value))
    return false;
  const size_t Before = Events->size();
  const bool OnlyIfNew = isTakenOnlyIfNew(Call);
  if (!OnlyIfNew || !emplaceHandles(Call, Object, Held[1], *Value))
    assign(Call, Out->Paths.extend(Object, Step::elem()), *Value);
  if (OnlyIfNew)
    for (ResourceEvent &E : llvm::drop_begin(*Events, Before))
      E.When = CallAnswer{&Call, /*IsZero=*/false};
  return true;
}

/// `if (m.count(key)) return;`: \p Call runs only where there is no such entry.
static bool isKnownNew(const CallExpr &Call, const FunctionDecl &In) {
  const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call);
  const Stmt &Body = *In.getBody();
  if (!Method || Call.getNumArgs() < 2)
    return false;
  const KeySearch Search({Method->getImplicitObjectArgument(), Call.getArg(0)}, Body,
                         In.getASTContext());
  bool IsNew = false;
  forEachConditionAhead(Call, &Body, [&](const Expr &Asked, bool Answer) {
    const auto IfFound = Search.answerIfFound(&Asked);
    IsNew |= IfFound && *IfFound != Answer;
  });
  return IsNew;
}

/// `if (!m.emplace(key, p).second)`: where the key is there already, \p Call has done nothing.
bool ResourceGenerator::isTakenOnlyIfNew(const CallExpr &Call) {
  const IdentifierInfo *Name = Call.getDirectCallee()->getIdentifier();
  return Name && Name->getName() != "insert_or_assign" && isAsked(Call) &&
         !isKnownNew(Call, *Out->Function);
}

} // namespace tensorleak
