//===-- Events.cpp - What one function does, event by event ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/dump/EnumNames.h"
#include "checks/dump/Sections.h"
#include "checks/dump/Words.h"

using namespace clang;

namespace tensorleak {

static bool setsMode(EventKind K) { return K == EventKind::PushMode || K == EventKind::SetMode; }

/// The flags that are set, by the names of their fields.
static std::string flagsText(const Event &E) {
  std::string Out;
  auto Add = [&Out](bool IsSet, llvm::StringRef Name) {
    if (IsSet)
      Out += ", " + Name.str();
  };
  Add(E.Keyed, "keyed");
  Add(E.KeyVaries, "key varies");
  Add(E.Bounded, "bounded");
  Add(E.Declares, "declares");
  Add(E.Conditional, "conditional");
  Add(E.RetainsGraph, "retains graph");
  Add(E.CreatesGraph, "creates graph");
  Add(E.Part >= 0, "part " + std::to_string(E.Part));
  Add(setsMode(E.Kind), "mode " + modeText(E.SetTo).str());
  return Out;
}

/// What the model says of the member that the event is about.
static std::string holderText(const ApiModel &Model, const FunctionFacts &Facts, PlaceId P) {
  const ValueDecl *Decl = P == NoId ? nullptr : Facts.Places[P].Decl;
  const auto *Field = dyn_cast_or_null<FieldDecl>(Decl);
  FieldKind Kind = Field ? Model.kindOf(*Field) : FieldKind::Plain;
  return Kind == FieldKind::Plain ? "" : ", " + enumName(Kind).str();
}

/// A value that is made here is shown with what it is made of.
static std::string textOf(Unit &U, const FunctionFacts &Facts, const Event &E) {
  const SourceManager &SM = U.context().getSourceManager();
  std::string Out =
      placeInSource(locationOf(E.At, *Facts.Function), SM) + ": " + events::name(E.Kind).str();
  if (E.Place != NoId)
    Out += " " + placeText(Facts, E.Place);
  if (E.Val != NoId)
    Out += (E.Place == NoId ? " " : " := ") + valueText(Facts, E.Val);
  if (!E.Args.empty())
    Out += " with " + valuesText(Facts, E.Args);
  if (E.Val != NoId && E.Kind == EventKind::Compute && Facts.Values[E.Val].Leaf)
    Out += ", a leaf that requires grad";
  Out += flagsText(E) + holderText(U.model(), Facts, E.Place);
  if (E.Callee && E.Kind != EventKind::Opaque)
    Out += ", in " + E.Callee->getNameAsString();
  if (E.Inner.isValid())
    Out += " at " + placeInSource(E.Inner, SM);
  if (E.InLoop != NoId)
    Out += ", loop at " + placeInSource(Facts.Loops[E.InLoop].S->getBeginLoc(), SM);
  return Out;
}

static void dumpBlock(const CFGBlock &Block, llvm::raw_ostream &Out) {
  Out << "  block " << Block.getBlockID() << ", then";
  for (const CFGBlock *Next : Block.succs())
    if (Next)
      Out << ' ' << Next->getBlockID();
  Out << '\n';
}

void dumpEvents(Unit &U, const FunctionUnit &F, llvm::raw_ostream &Out) {
  const FunctionFacts &Facts = *F.Facts;
  for (const CFGBlock *Block : llvm::reverse(*Facts.Cfg)) {
    BlockRange Range = Facts.Blocks[Block->getBlockID()];
    if (Range.Begin == Range.End)
      continue;
    dumpBlock(*Block, Out);
    for (unsigned I = Range.Begin; I < Range.End; ++I)
      Out << textOf(U, Facts, Facts.Events[I]) << '\n';
  }
}

} // namespace tensorleak
