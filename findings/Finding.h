//===-- Finding.h - What a rule says of one place, and what a run proved ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one type that the checks produce, the verifier judges and every writer
// prints. It knows nothing of Clang or of traces.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FINDING_H
#define TENSORLEAK_FINDINGS_FINDING_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tensorleak {

/// What goes wrong; each kind needs a different proof.
enum class Kind {
#define TENSORLEAK_KIND(Name, Text) Name,
#include "findings/Vocabulary.def"
};

/// How sure the rule is. Warnings are almost never wrong; notes are worth a look.
enum class Level {
#define TENSORLEAK_LEVEL(Name, Text) Name,
#include "findings/Vocabulary.def"
};
inline constexpr Level AllLevels[] = {
#define TENSORLEAK_LEVEL(Name, Text) Level::Name,
#include "findings/Vocabulary.def"
};

/// What the run said of a finding.
enum class Verdict {
#define TENSORLEAK_VERDICT(Name, Text, Words) Name,
#include "findings/Vocabulary.def"
};
inline constexpr Verdict AllVerdicts[] = {
#define TENSORLEAK_VERDICT(Name, Text, Words) Verdict::Name,
#include "findings/Vocabulary.def"
};

/// A place in a source file. Lines and columns count from 1; 0 means unknown.
struct Location {
  std::string File; ///< absolute path
  unsigned Line = 0;
  unsigned Column = 0;
  bool isValid() const { return Line != 0; }
  friend bool operator==(const Location &A, const Location &B) {
    return A.Line == B.Line && A.Column == B.Column && A.File == B.File;
  }
};

/// A range of whole lines, both ends included.
struct LineRange {
  std::string File;
  unsigned Begin = 0, End = 0;
  bool contains(const Location &L) const {
    return L.File == File && L.Line >= Begin && L.Line <= End;
  }
};

/// One step of the path that explains a finding.
struct PathNote {
  Location Where;
  std::string Message;
};

/// Replaces the text between Begin and End (End excluded) by Text.
struct FixIt {
  Location Begin, End;
  std::string Text;
};

/// What the static side hands to the verifier, beyond the finding's own place.
struct Subject {
  std::string Holder;              ///< variable or member that keeps it, "" if none
  Location HolderDecl;             ///< where the holder is declared
  std::vector<Location> Producers; ///< where the kept tensor is computed
  LineRange Loop;                  ///< the enclosing step loop; Begin == 0 if none is known
  /// Of what lives too long the last use; of what one way out of a function leaves behind, that.
  Location LastUse;
  bool Graph = false; ///< the kept tensor carries its autograd graph
  bool Host = false;  ///< what is lost is, or is among others, an object or memory of the host's
  /// LastUse is a way out whose line runs also where it is not taken: an exception of a call's, or
  /// a part of a macro.
  bool UnseenWay = false;
};

/// What the run measured. Fields that do not apply stay empty.
struct Evidence {
  std::optional<int64_t> BytesPerStep;
  std::optional<int64_t> HostBytesPerStep; ///< host memory beside tensors, as of autograd nodes
  std::optional<int64_t> TotalBytes;
  std::optional<int64_t> PeakBytes;
  std::optional<double> NodesPerStep; ///< live autograd nodes gained per step
  std::optional<int64_t> Steps;       ///< steps in which the line ran
  /// What the figures per step are for, where that is no step of the program's: "round of
  /// server.cpp:31". Else empty.
  std::string Per = {};
  std::string Holder;
  std::string Reason; ///< why, in one sentence
};

/// What one part of a job, such as a rank, said of a finding.
struct PartVerdict {
  std::string Part; ///< "rank 3"
  Verdict TheVerdict = Verdict::Inconclusive;
  std::optional<int64_t> BytesPerStep;
};

/// A finding that is set aside: listed, but no longer counted.
struct Suppression {
  bool InSource = false; ///< by the program itself; else by a file of suppressions
  std::string Why;
};

/// One place in the source that one rule speaks about.
struct Finding {
  std::string Rule;
  Kind TheKind = Kind::Retention;
  Level TheLevel = Level::Warning;
  bool AsError = false;    ///< a warning that the configuration makes an error
  bool IsShown = false;    ///< a note that the configuration shows, whatever --level says
  bool IsHeldBack = false; ///< a note that nobody asked for: reported if a run confirms it
  Location Where;
  std::string Function; ///< by its qualified name: what Where is in, "" if unknown
  std::string Message;
  std::vector<PathNote> Notes;
  std::vector<FixIt> Fixes;
  std::optional<int64_t> Bytes; ///< estimated from shapes: per step, or the peak
  /// The same where it depends on what only the run knows: "2048 * batch".
  std::string BytesFormula;
  std::string Fingerprint; ///< stable across unrelated edits of the file
  Subject TheSubject;
  std::optional<Verdict> TheVerdict;
  Evidence TheEvidence;
  std::optional<Suppression> Suppressed;
  std::vector<PartVerdict> Parts; ///< of a job of several processes; else empty
};

/// As machines read them.
std::string_view toString(Kind K);
std::string_view toString(Level L);
std::string_view toString(Verdict V);
std::optional<Kind> kindFromString(std::string_view S);
std::optional<Level> levelFromString(std::string_view S);
std::optional<Verdict> verdictFromString(std::string_view S);

/// As people read it: "not reached".
std::string_view wordsFor(Verdict V);

/// "train.cpp:31", the file without its folder; the file alone where the line is unknown.
std::string shortPlace(const Location &Where);

/// "672 KiB", "1.5 MiB", "31 B": for people; machines get the number.
std::string formatBytes(int64_t Bytes);

/// Orders findings as they are printed: by file, line, column, then rule.
bool printsBefore(const Finding &A, const Finding &B);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FINDING_H
