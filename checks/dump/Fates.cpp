//===-- Fates.cpp - Where values end up, and what callers hear of a function ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/dump/EnumNames.h"
#include "checks/dump/Sections.h"
#include "checks/dump/Words.h"
#include <set>

using namespace clang;

namespace tensorleak {

static std::string fateText(uint8_t Bits) {
  std::string Out = flagNames<Fate>(Bits, std::make_index_sequence<8>());
  return Out.empty() ? "stays here" : Out;
}

/// "parameter 0.weight", "this.cache"
static std::string relativeText(const RelativePlace &P) {
  std::string Out = enumName(P.Root).str();
  if (P.Root == RelativePlace::Param)
    Out += " " + std::to_string(P.ParamIndex);
  if (P.Var)
    Out += " " + P.Var->getNameAsString();
  for (const ValueDecl *Field : P.Fields)
    Out += "." + Field->getNameAsString();
  return Out;
}

static std::string parametersText(llvm::ArrayRef<unsigned> Indices) {
  std::string Out;
  for (unsigned I : Indices)
    Out += " " + std::to_string(I);
  return Indices.empty() ? "" : ", from parameters" + Out;
}

static void dumpSummary(const Summary &S, const SourceManager &SM, llvm::raw_ostream &Out) {
  for (const SummaryEffect &E : S.Effects)
    Out << placeInSource(E.At, SM) << ": callers see " << events::name(E.Kind) << ' '
        << relativeText(E.Where) << ", graph " << enumName(E.Graph) << parametersText(E.FromParams)
        << '\n';
  Out << "  returns: graph " << enumName(S.Returned) << parametersText(S.ReturnedFrom)
      << (S.ReturnedWasRun ? ", was run backward" : "") << '\n';
}

void dumpFates(const Unit &U, const FunctionUnit &F, llvm::raw_ostream &Out) {
  const FunctionFacts &Facts = *F.Facts;
  const SourceManager &SM = U.context().getSourceManager();
  for (PlaceId P = 0; P < Facts.Places.size(); ++P)
    if (const ValueDecl *D = Facts.Places[P].Decl)
      Out << placeInSource(D->getLocation(), SM) << ": fate of " << placeText(Facts, P) << " ("
          << enumName(Facts.Places[P].Root) << "): " << fateText(U.flow().fateOf(Facts, P)) << '\n';
  if (const Summary *S = U.summaryOf(*Facts.Function))
    dumpSummary(*S, SM, Out);
}

} // namespace tensorleak
