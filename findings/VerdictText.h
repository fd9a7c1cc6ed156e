//===-- VerdictText.h - What a run says of findings, in words ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_VERDICTTEXT_H
#define TENSORLEAK_FINDINGS_VERDICTTEXT_H

#include "findings/Finding.h"

namespace tensorleak {

/// What a figure is for, whose Evidence::Per that is: "step" or "round of server.cpp:31".
std::string nameOfStep(const std::string &Per);

/// "672 KiB per step (688128 B), 39.4 MiB in all"; "" where nothing was measured.
std::string describeFigures(const Evidence &E);

/// What stands behind a verdict: "672 KiB per step, ...; live memory grows".
std::string describeEvidence(const Finding &F);

/// The message, and the verdict if there is one: "...; confirmed: 672 KiB per step, ...".
std::string messageWithVerdict(const Finding &F);

/// "1 confirmed, 0 refuted, 2 not reached, 0 inconclusive".
std::string countsOf(const std::vector<Finding> &Findings);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_VERDICTTEXT_H
