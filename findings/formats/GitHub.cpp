//===-- GitHub.cpp - Annotations of GitHub's workflows --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command of a workflow's log for each finding, which GitHub shows at its line, also where code
// scanning is not to be had. Its runner reads `%`, line ends and, in properties, `:` and `,` as
// its own, unless they are spelled.
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"
#include "findings/VerdictText.h"
#include "findings/files/Printable.h"
#include "findings/formats/Formats.h"

#include <ostream>

namespace tensorleak {
namespace {

const char *commandFor(const Finding &F) {
  if (F.TheVerdict == Verdict::Refuted)
    return "notice";
  if (F.AsError || F.TheVerdict == Verdict::Confirmed)
    return "error";
  return F.TheLevel == Level::Warning ? "warning" : "notice";
}

std::string spelled(const std::string &Text, std::string_view Special) {
  constexpr char Digits[] = "0123456789ABCDEF";
  std::string Out;
  for (char C : printable(validUtf8(Text))) {
    if (Special.find(C) == std::string_view::npos) {
      Out += C;
      continue;
    }
    const auto Byte = static_cast<unsigned char>(C);
    Out += {'%', Digits[Byte >> 4], Digits[Byte & 15]};
  }
  return Out;
}

} // namespace

void GitHubReport::write(std::ostream &Out) const {
  constexpr std::string_view InText = "%\r\n", InProperty = "%\r\n:,";
  for (const Finding &F : Set.Findings) {
    if (F.Suppressed)
      continue;
    Out << "::" << commandFor(F)
        << " file=" << spelled(shortPath(F.Where.File, Context.Folder), InProperty);
    if (F.Where.isValid())
      Out << ",line=" << F.Where.Line << ",col=" << F.Where.Column;
    Out << ",title=" << spelled(F.Rule, InProperty)
        << "::" << spelled(messageWithVerdict(F), InText) << '\n';
  }
}

} // namespace tensorleak
