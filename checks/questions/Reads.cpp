//===-- Reads.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/questions/Reads.h"

#include "checks/model/boxes/Boxes.h"
#include "checks/source/Expressions.h"
#include "checks/source/Statements.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace tensorleak {

bool isFresh(const Value &V) {
  if (V.From != Source::Api)
    return false;
  switch (V.Api.What) {
  case Does::Create:
  case Does::Compute:
  case Does::ComputeConst:
  case Does::Concat:
    return true;
  case Does::Copy:
    return V.Api.has(Fresh);
  default:
    return false;
  }
}

/// Expressions that name a variable without reading it: what is assigned to, and the object
/// that a member is asked of.
static void collectNames(const Stmt &Body, llvm::DenseSet<const Stmt *> &Into) {
  anyBelow(&Body, [&](const Stmt &S) {
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&S); Op && Op->getOperator() == OO_Equal)
      Into.insert(outermostBox(Op->getArg(0)));
    else if (const auto *B = dyn_cast<BinaryOperator>(&S); B && B->getOpcode() == BO_Assign)
      Into.insert(strip(B->getLHS()));
    else if (const auto *M = dyn_cast<MemberExpr>(&S); M && isa<FieldDecl>(M->getMemberDecl()))
      Into.insert(strip(M->getBase()));
    return false;
  });
}

Reads::Reads(const FunctionFacts &Facts) : Facts(Facts) {
  for (const Stmt *Body : Facts.bodies())
    collectNames(*Body, NotRead);
  for (const Splice &S : Facts.Splices) { // what the callee does with it is seen there
    for (const Expr *Given : S.Operands)
      NotRead.insert(strip(Given));
    NotRead.insert(strip(S.Object));
  }
  for (const Event &E : Facts.Events)
    if (const auto *Reset = dyn_cast_or_null<CXXMemberCallExpr>(E.At);
        Reset && E.Kind == EventKind::Drop)
      NotRead.insert(strip(Reset->getImplicitObjectArgument()));
  for (const Event &E : Facts.Events)
    note(E);
}

/// The variables behind \p Values, unless what was computed from them is there already.
void Reads::noteOperands(llvm::ArrayRef<ValueId> Values,
                         llvm::SmallVectorImpl<PlaceId> &Into) const {
  for (ValueId V : Values) {
    if (V == NoId || isFresh(Facts.Values[V]))
      continue;
    if (Facts.Values[V].From == Source::Load)
      Into.push_back(Facts.Values[V].Loaded);
    noteOperands(Facts.Values[V].Inputs, Into);
  }
}

void Reads::note(const Event &E) {
  llvm::SmallVector<PlaceId, 2> Places;
  if (E.Kind == EventKind::Use && !NotRead.count(E.At))
    Places.push_back(E.Place);
  if (E.Kind == EventKind::Compute)
    noteOperands(Facts.Values[E.Val].Inputs, Places);
  else
    noteOperands(E.Val, Places);
  if (E.Kind != EventKind::UserCall || !E.IsSpliced) // the body, which follows, reads them
    noteOperands(E.Args, Places);
  ReadAt.push_back(std::move(Places));
}

bool Reads::isIn(PlaceId Part, PlaceId Whole) const {
  for (; Part != NoId; Part = Facts.Places[Part].Parent)
    if (Part == Whole)
      return true;
  return false;
}

bool Reads::reads(unsigned Event, PlaceId P, PlaceId Without) const {
  return llvm::any_of(ReadAt[Event], [&](PlaceId Read) {
    return (isIn(Read, P) || isIn(P, Read)) && !(Without != NoId && isIn(Read, Without));
  });
}

bool Reads::replaces(const Event &E, PlaceId P) const {
  bool Empties = events::has(E.Kind, events::Replaces) || E.Kind == EventKind::Drop ||
                 E.Kind == EventKind::ScopeEnd;
  return Empties && E.Place != NoId && isIn(P, E.Place);
}

Reads::Found Reads::look(unsigned Begin, unsigned End, PlaceId P, PlaceId Without) const {
  for (unsigned I = Begin; I < End; ++I) {
    if (reads(I, P, Without))
      return Found::Read;
    if (replaces(Facts.Events[I], P))
      return Found::Replaced;
  }
  return Found::Nothing;
}

bool Reads::isReadFrom(const CFGBlock &First, PlaceId P, PlaceId Without) const {
  llvm::SmallVector<const CFGBlock *, 8> Work{&First};
  llvm::DenseSet<const CFGBlock *> Seen{&First};
  while (!Work.empty()) {
    const CFGBlock *Block = Work.pop_back_val();
    BlockRange Range = Facts.Blocks[Block->getBlockID()];
    Found Here = look(Range.Begin, Range.End, P, Without);
    if (Here == Found::Read)
      return true;
    if (Here == Found::Nothing)
      for (const CFGBlock *Next : Block->succs())
        if (Next && Seen.insert(Next).second)
          Work.push_back(Next);
  }
  return false;
}

bool Reads::isReadFirst(PlaceId P) const { return isReadFrom(Facts.Cfg->getEntry(), P, NoId); }

bool Reads::isReadAfter(PlaceId P, unsigned Event, PlaceId Without) const {
  for (const CFGBlock *Block : *Facts.Cfg) {
    BlockRange Range = Facts.Blocks[Block->getBlockID()];
    if (Event < Range.Begin || Event >= Range.End)
      continue;
    unsigned Next = Event + 1; // what one call does stands together
    while (Next < Range.End && Facts.Events[Next].At == Facts.Events[Event].At)
      ++Next;
    Found Here = look(Next, Range.End, P, Without);
    if (Here != Found::Nothing)
      return Here == Found::Read;
    return llvm::any_of(Block->succs(), [&](const CFGBlock *Then) {
      return Then && isReadFrom(*Then, P, Without);
    });
  }
  return true;
}

PlaceId Reads::placeNamedBy(const Expr &E) const {
  const auto Use = llvm::find_if(Facts.Events, [&](const Event &Each) {
    return Each.Kind == EventKind::Use && Each.At == &E;
  });
  return Use == Facts.Events.end() ? NoId : Use->Place;
}

unsigned Reads::lastReadBefore(PlaceId P, unsigned End) const {
  while (End-- > 0)
    if (reads(End, P))
      return End;
  return NoId;
}

} // namespace tensorleak
