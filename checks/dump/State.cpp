//===-- State.cpp - Grad mode, graphs and shapes before each event ---------===//
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

/// "[128, ?, n]", a tuple as "(a, b)"; empty where nothing is known.
static std::string shapeText(const TensorType &T) {
  if (!T.Dims)
    return "";
  std::string Out;
  auto Add = [&Out](const std::string &More) { Out += (Out.empty() ? "" : ", ") + More; };
  for (const TensorType &Part : T.Dims->Parts)
    Add(Part.Dims ? shapeText(Part) : "?");
  if (!T.Dims->Parts.empty())
    return "(" + Out + ")";
  if (T.Dims->Lead)
    Add("..." + T.Dims->Lead->str());
  for (const Dim &D : T.Dims->Dims)
    Add(D ? D->str() : "?");
  return "[" + Out + "]";
}

static std::string infoText(const TensorInfo &Info, const FunctionFacts &Facts,
                            const SourceManager &SM) {
  std::string Out = "graph " + enumName(Info.Carries).str();
  const Expr *Origin = Info.Origin == NoId ? nullptr : Facts.Values[Info.Origin].E;
  if (Origin)
    Out += " from " + placeInSource(Origin->getExprLoc(), SM);
  if (std::string Shape = shapeText(Info.Type); !Shape.empty())
    Out += ", shape " + Shape;
  if (unsigned Bytes = Info.Type.Element.size())
    Out += " of " + std::to_string(Bytes) + " bytes";
  return Out;
}

static bool saysSomething(const Event &E) { return E.Val != NoId || !E.Args.empty(); }

/// What the event is about: the value that it stores, makes or runs.
static std::string subjectText(const FunctionFacts &Facts, const Event &E) {
  std::string Of = E.Place == NoId ? valueText(Facts, E.Val != NoId ? E.Val : E.Args.front())
                                   : placeText(Facts, E.Place);
  return events::name(E.Kind).str() + " " + Of;
}

/// Of a value that is made here, what it is; of any other, what it was before.
static const TensorInfo &infoAfter(const FunctionUnit &F, unsigned I) {
  const Event &E = F.Facts->Events[I];
  return E.Kind == EventKind::Compute ? F.State.Values[E.Val] : F.State.AtEvent[I].Info;
}

void dumpState(const Unit &U, const FunctionUnit &F, llvm::raw_ostream &Out) {
  const FunctionFacts &Facts = *F.Facts;
  const SourceManager &SM = U.context().getSourceManager();
  Out << "  begins with grad mode " << modeText(F.Entry) << ", " << F.CallSites
      << " calls seen, of these " << F.CallsInStepLoop << " in a step loop\n";
  if (F.State.AtEvent.size() != Facts.Events.size())
    return; // not inferred: over a budget, or nothing asks for it
  for (unsigned I = 0; I < Facts.Events.size(); ++I) {
    const Event &E = Facts.Events[I];
    if (!E.At || !saysSomething(E))
      continue;
    Out << placeInSource(locationOf(E.At, *Facts.Function), SM) << ": at " << subjectText(Facts, E)
        << ": ";
    if (const EventState &S = F.State.AtEvent[I]; S.Reached)
      Out << "mode " << modeText(S.GradMode) << ", " << infoText(infoAfter(F, I), Facts, SM)
          << '\n';
    else
      Out << "not reached\n";
  }
}

} // namespace tensorleak
