//===-- Record.h - What is kept of a run ----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace has addresses and is only of use beside the binaries that made it. A
// record has what came out of it: places by name, figures, findings with their
// verdicts. It is a JSON file that can be carried away, printed again, merged with
// those of other ranks and compared with another run's. One per process.
//
// The file's members are named as the fields here; "findings" is a SARIF log. Rules
// for changes: members may be added; one that changes its meaning needs a new
// RecordVersion.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_RECORD_H
#define TENSORLEAK_RUNTIME_RECORD_RECORD_H

#include "findings/Sarif.h"
#include "runtime/replay/debuginfo/Frame.h"
#include "runtime/replay/growth/Growth.h"
#include "runtime/replay/timeline/Timeline.h"

namespace tensorleak {

inline constexpr int RecordVersion = 1;

/// Memory that outlived a step. Times are ticks of the trace: boundaries so far.
struct RecordObject {
  int64_t Bytes = 0;
  uint64_t Birth = 0;
  std::optional<uint64_t> Death;
  bool Expected = false; ///< the program declared that it may stay
};

/// What keeps the objects of a place alive.
struct RecordHolder {
  std::string Text;             ///< as Evidence::Holder has it
  std::vector<std::string> Way; ///< the objects from the variable down
};

/// A place that allocates.
struct RecordSite {
  std::vector<Frame> Frames; ///< the user's, innermost first
  std::vector<std::string> Ops;
  bool OnDevice = false;
  Growth TheGrowth = Growth::Bounded;
  int64_t BytesPerStep = 0; ///< gained, if it grows or slows
  int64_t TotalBytes = 0;   ///< held at the end of the last step
  int64_t PeakBytes = 0;    ///< held when the device used most
  /// Of PeakBytes: what was made before the first round had ended, and what in a later
  /// round than that, but before that of the peak.
  int64_t PeakBefore = 0, PeakEarlier = 0;
  uint64_t PeakCount = 0; ///< allocations that were alive then
  uint64_t Allocations = 0;
  std::optional<RecordHolder> Holder;
  std::vector<RecordObject> Objects; ///< of tensors and devices, not of malloc
};

/// Which part of a job it was.
struct JobPart {
  std::optional<uint32_t> Rank, WorldSize;
  std::string Host;
  uint64_t Pid = 0, ParentPid = 0;
};

struct RunRecord {
  std::vector<std::string> Command;
  JobPart Part;
  uint32_t Steps = 0;
  std::string Clock; ///< what a step was
  int64_t PeakBytes = 0;
  double NodesPerStep = 0;      ///< live autograd nodes gained
  int64_t HeapBytesPerStep = 0; ///< host memory gained, tensors left out
  uint64_t Allocations = 0;
  std::vector<std::string> Remarks;
  std::vector<std::string> Advice; ///< what would lower the peak, if that was asked for
  std::vector<RecordSite> Sites;
  std::vector<DeviceTimeline> Memory; ///< by device; of older records none
  FindingSet Findings;
  bool IsSnapshot = false; ///< PyTorch recorded it: no steps and no findings; not in files

  /// "rank 3", or "process 4711" where there are no ranks.
  std::string name() const;
  /// What all growing places gain in a step.
  int64_t bytesPerStep() const;
};

/// Whether a site gains memory with the steps, and not slower and slower.
inline bool grows(const RecordSite &S) {
  return S.TheGrowth == Growth::Growing && S.BytesPerStep > 0;
}

/// What distinguishes the places of a program, with lines or, to find a place again in
/// changed source, without.
std::string siteKey(const RecordSite &S, bool WithLines);
/// "train.cpp:31:5 (train)": the innermost frame, or the operators. Files below \p Folder are told
/// relative to it.
std::string describe(const RecordSite &S, const std::string &Folder = "");

/// How the file of a record ends.
inline constexpr const char *RecordSuffix = ".record.json";
/// "rank-3.4711.record.json": no two processes of a job have the same.
std::string recordFileName(const JobPart &Part);

nlohmann::json toJson(const RunRecord &R);
/// \throws std::runtime_error with one sentence that names \p Name.
RunRecord recordFromJson(const nlohmann::json &File, const std::string &Name);

void writeRecord(const RunRecord &R, const std::string &Path);
/// The record in a file, of ours or a snapshot of PyTorch's, or all of ours in a folder.
/// \throws as above.
std::vector<RunRecord> readRecords(const std::string &FileOrFolder);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_RECORD_H
