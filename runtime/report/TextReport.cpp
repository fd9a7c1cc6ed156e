//===-- TextReport.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/TextReport.h"

#include <array>
#include <map>
#include <ostream>

namespace tensorleak {
namespace {

constexpr const char *Bold = "\033[1m", *Magenta = "\033[1;35m", *Red = "\033[1;31m",
                     *Green = "\033[1;32m", *Cyan = "\033[1;36m", *Reset = "\033[0m";

std::string painted(const TextStyle &Style, const char *Colour, std::string_view Text) {
  return Style.Colour ? Colour + std::string(Text) + Reset : std::string(Text);
}

const char *colourOf(Verdict V) {
  return V == Verdict::Confirmed ? Red : V == Verdict::Refuted ? Green : Cyan;
}

std::string_view wordFor(Verdict V) {
  return V == Verdict::NotReached ? "not reached" : toString(V);
}

std::string placeOf(const Location &L) {
  std::string Out = L.File + ":" + std::to_string(L.Line);
  return L.Column ? Out + ":" + std::to_string(L.Column) : Out;
}

std::string figures(const Evidence &E) {
  std::string Out;
  auto Add = [&Out](const std::string &Text) { Out += (Out.empty() ? "" : ", ") + Text; };
  if (E.BytesPerStep && *E.BytesPerStep)
    Add(formatBytes(*E.BytesPerStep) + " per step (" + std::to_string(*E.BytesPerStep) + " B)");
  if (E.HostBytesPerStep)
    Add(formatBytes(*E.HostBytesPerStep) + " of host memory per step");
  if (E.TotalBytes && *E.TotalBytes)
    Add(formatBytes(*E.TotalBytes) + " in all");
  if (E.PeakBytes)
    Add(formatBytes(*E.PeakBytes) + " at the peak");
  return Out;
}

/// "confirmed, 32 KiB per step" and the parts of the job that say so.
std::map<std::string, std::vector<std::string>> partsByVerdict(const Finding &F) {
  std::map<std::string, std::vector<std::string>> Out;
  for (const PartVerdict &P : F.Parts) {
    std::string What(wordFor(P.TheVerdict));
    if (P.BytesPerStep && *P.BytesPerStep)
      What += ", " + formatBytes(*P.BytesPerStep) + " per step";
    Out[What].push_back(P.Part);
  }
  return Out;
}

/// A job may have thousands of ranks.
std::string listed(const std::vector<std::string> &Names) {
  constexpr size_t MaxNamed = 16;
  std::string Out;
  for (size_t I = 0; I < Names.size() && I < MaxNamed; ++I)
    Out += (I ? ", " : "") + Names[I];
  return Names.size() > MaxNamed ? Out + " and " + std::to_string(Names.size() - MaxNamed) + " more"
                                 : Out;
}

void printFinding(std::ostream &Out, const Finding &F, const TextStyle &Style) {
  bool IsNote = F.TheLevel == Level::Note;
  Out << painted(Style, Bold, placeOf(F.Where) + ":") << ' '
      << painted(Style, IsNote ? Cyan : Magenta, IsNote ? "note:" : "warning:") << ' '
      << painted(Style, Bold, F.Message) << " [" << F.Rule << "]\n";
  if (F.TheVerdict)
    Out << "  " << painted(Style, colourOf(*F.TheVerdict), wordFor(*F.TheVerdict)) << ": "
        << describeVerdict(F) << '\n';
  if (F.TheVerdict && !F.TheEvidence.Holder.empty())
    Out << "  kept by " << F.TheEvidence.Holder << '\n';
  for (const auto &[What, Parts] : partsByVerdict(F))
    Out << "  " << listed(Parts) << ": " << What << '\n';
}

/// One line: what grows, and who said that it may.
void printExpected(std::ostream &Out, const Finding &F) {
  Out << "tensorleak: expected: " << placeOf(F.Where) << ": " << figures(F.TheEvidence) << "; "
      << F.Suppressed->Why << '\n';
}

unsigned count(const std::vector<Finding> &Findings, Verdict V) {
  unsigned N = 0;
  for (const Finding &F : Findings)
    N += F.TheVerdict == V && !F.Suppressed;
  return N;
}

} // namespace

std::string countsOf(const std::vector<Finding> &Findings) {
  constexpr std::array All{Verdict::Confirmed, Verdict::Refuted, Verdict::NotReached,
                           Verdict::Inconclusive};
  std::string Out;
  for (Verdict V : All)
    Out += (Out.empty() ? "" : ", ") + std::to_string(count(Findings, V)) + ' ' +
           std::string(wordFor(V));
  return Out;
}

void printFindings(std::ostream &Out, const std::vector<Finding> &Findings,
                   const TextStyle &Style) {
  for (const Finding &F : Findings)
    if (!F.Suppressed)
      printFinding(Out, F, Style);
  for (const Finding &F : Findings)
    if (F.Suppressed && F.Suppressed->InSource)
      printExpected(Out, F);
}

std::string describeVerdict(const Finding &F) {
  std::string Figures = figures(F.TheEvidence);
  const std::string &Reason = F.TheEvidence.Reason;
  if (Figures.empty() || Reason.empty())
    return Figures + Reason;
  return Figures + "; " + Reason;
}

void printReport(std::ostream &Out, const std::vector<Finding> &Findings, const RunSummary &Summary,
                 const TextStyle &Style) {
  printFindings(Out, Findings, Style);
  for (const std::string &Remark : Summary.Remarks)
    Out << "tensorleak: " << Remark << '\n';
  for (const std::string &Line : Summary.Advice)
    Out << "tensorleak: " << Line << '\n';
  Out << "tensorleak: " << countsOf(Findings);
  if (Summary.Steps)
    Out << "; " << Summary.Steps << " steps (" << Summary.Clock << ")";
  else
    Out << "; no step was seen";
  Out << ", at most " << formatBytes(Summary.PeakBytes) << " of tensors\n";
}

} // namespace tensorleak
