//===-- UnconfirmedNotes.cpp ----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "verdicts/UnconfirmedNotes.h"
#include "Command.h"

#include <algorithm>

namespace tensorleak {

static bool isUnconfirmedNote(const Finding &F) {
  return F.IsHeldBack && F.TheVerdict != Verdict::Confirmed;
}

static std::string described(size_t Count) {
  return counted(Count, "note") + " of the check " + (Count == 1 ? "was" : "were") +
         " not confirmed and left out (--level note shows " + (Count == 1 ? "it)" : "them)");
}

void leaveOutUnconfirmedNotes(std::vector<Finding> &Findings, std::vector<std::string> &Remarks) {
  auto First = std::remove_if(Findings.begin(), Findings.end(), isUnconfirmedNote);
  if (First == Findings.end())
    return;
  Remarks.push_back(described(static_cast<size_t>(Findings.end() - First)));
  Findings.erase(First, Findings.end());
}

} // namespace tensorleak
