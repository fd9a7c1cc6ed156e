//===-- Diagnosis.h - What an analysis concludes, before anyone prints it --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules return diagnoses: data, in Clang's terms. The tool turns them into
// findings, the clang-tidy plugin into clang-tidy diagnostics.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DIAGNOSIS_H
#define TENSORLEAK_CHECKS_DIAGNOSIS_H

#include "findings/Finding.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include <optional>
#include <string>
#include <vector>

namespace tensorleak {

struct DiagnosisNote {
  clang::SourceLocation Loc;
  std::string Message;
};

/// The source side of a finding's Subject; see Finding.h for the meaning.
struct DiagnosisSubject {
  std::string Holder;
  clang::SourceLocation HolderDecl;
  std::vector<clang::SourceLocation> Producers;
  clang::SourceRange Loop;
  clang::SourceLocation LastUse;
  bool Graph = false;
  bool Host = false;
  bool UnseenWay = false; ///< of LastUse, as Subject's
};

struct Diagnosis {
  Diagnosis(llvm::StringRef Rule, Kind TheKind, Level TheLevel, clang::SourceLocation Loc,
            std::string Message)
      : Rule(Rule), TheKind(TheKind), TheLevel(TheLevel), Loc(Loc), Message(std::move(Message)) {}
  /// At the beginning of \p Range, which is underlined.
  Diagnosis(llvm::StringRef Rule, Kind TheKind, Level TheLevel, clang::SourceRange Range,
            std::string Message)
      : Diagnosis(Rule, TheKind, TheLevel, Range.getBegin(), std::move(Message)) {
    this->Range = Range;
  }

  llvm::StringRef Rule; ///< a name from Checks.def
  Kind TheKind;
  Level TheLevel;
  clang::SourceLocation Loc;
  clang::SourceRange Range; ///< underlined; may be invalid
  std::string Message;
  std::vector<DiagnosisNote> Notes;
  std::vector<clang::FixItHint> Fixes;
  std::optional<int64_t> Bytes;
  std::string BytesFormula; ///< where the size depends on what only the run knows
  DiagnosisSubject Subject;
  /// The rule itself has looked for what the compiler's errors may hide.
  bool SeesErrors = false;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DIAGNOSIS_H
