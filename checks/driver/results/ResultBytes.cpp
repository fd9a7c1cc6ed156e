//===-- ResultBytes.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/results/ResultBytes.h"

#include "findings/Json.h"

using json = nlohmann::json;

namespace tensorleak {

// A structure is the list of its fields. One that gets a field more does not compile here until
// the field has a name in its line: what is kept is all of a result.

template <typename T> static json kept(const T &Field) { return json(Field); }

template <typename T> static json kept(const std::optional<T> &Field) {
  return Field ? json::array({kept(*Field)}) : json::array();
}

template <typename T> static void restore(const json &J, T &Field) { J.get_to(Field); }

template <typename T> static void restore(const json &J, std::optional<T> &Field) {
  Field.reset();
  if (!J.empty())
    J.at(0).get_to(Field.emplace());
}

template <typename... T> static json keptFields(const T &...Fields) {
  json Out = json::array();
  (Out.push_back(kept(Fields)), ...);
  return Out;
}

template <typename... T> static void restoreFields(const json &J, T &...Fields) {
  size_t I = 0;
  (restore(J.at(I++), Fields), ...);
}

#define KEPT(Type, ...)                                                                            \
  static void to_json(json &J, const Type &X) {                                                    \
    const auto &[__VA_ARGS__] = X;                                                                 \
    J = keptFields(__VA_ARGS__);                                                                   \
  }                                                                                                \
  static void from_json(const json &J, Type &X) {                                                  \
    auto &[__VA_ARGS__] = X;                                                                       \
    restoreFields(J, __VA_ARGS__);                                                                 \
  }
KEPT(Location, File, Line, Column)
KEPT(LineRange, File, Begin, End)
KEPT(PathNote, Where, Message)
KEPT(FixIt, Begin, End, Text)
KEPT(Subject, Holder, HolderDecl, Producers, Loop, LastUse, Graph, Host, UnseenWay)
KEPT(Evidence, BytesPerStep, HostBytesPerStep, TotalBytes, PeakBytes, NodesPerStep, Steps, Per,
     Holder, Reason)
KEPT(PartVerdict, Part, TheVerdict, BytesPerStep)
KEPT(Suppression, InSource, Why)
KEPT(Finding, Rule, TheKind, TheLevel, AsError, IsShown, IsHeldBack, Where, Function, Message,
     Notes, Fixes, TheBytes, Formula, Fingerprint, TheSubject, TheVerdict, TheEvidence, Suppressed,
     Parts)
KEPT(SkippedFunction, Name, Reason)
KEPT(AnalyzerStats, FunctionsAnalyzed, Parses, Skipped, OverBudget)
KEPT(UnitResult, Findings, SourceHashes, Incomplete, Cuda, ReadsToolkit, LacksPython, ErrorCount,
     Facts, Reads, Crashed, Stats, Dump)
#undef KEPT

Bytes toBytes(const UnitResult &Result) { return json::to_cbor(json(Result)); }
Bytes toBytes(const FileFacts &Facts) { return json::to_cbor(json(Facts)); }

/// What is asked of a discarded value throws.
static json parse(const Bytes &From) {
  return parseCbor({reinterpret_cast<const char *>(From.data()), From.size()});
}

void fromBytes(const Bytes &From, UnitResult &To) { parse(From).get_to(To); }
void fromBytes(const Bytes &From, FileFacts &To) { parse(From).get_to(To); }

} // namespace tensorleak
