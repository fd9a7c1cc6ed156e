//===-- Ranks.h - The records of one job together -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each process of a job records by itself. Here the ranks stand side by side: who
// grows, and where. A rank's helpers (loaders, compilers) are left out: of the
// processes with one rank, the one with the most allocations counts.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_RANKS_H
#define TENSORLEAK_RUNTIME_RECORD_RANKS_H

#include "runtime/record/Record.h"

namespace tensorleak {

struct Job {
  std::vector<RunRecord> Parts;     ///< by rank; by process where there are no ranks
  std::vector<std::string> Remarks; ///< what is missing, and what was left out
};

Job jobOf(std::vector<RunRecord> Records);

/// A place that grows in some part of the job.
struct JobSite {
  RecordSite Site;                               ///< of the part in which it grows most
  std::vector<int64_t> BytesPerStep, TotalBytes; ///< by part
};
/// Those that grow most first.
std::vector<JobSite> growingSites(const Job &J);

/// Every finding once, with the verdict of each part in Finding::Parts. Confirmed if one
/// part confirmed it, refuted only if no part was inconclusive.
FindingSet mergeFindings(const Job &J);

/// Whether the part has something that grows: tensors, or a leak that was confirmed.
bool grows(const RunRecord &Part);

/// "rank 1 (32 KiB per step) grows; the other 3 do not".
std::string whoGrows(const Job &J);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_RANKS_H
