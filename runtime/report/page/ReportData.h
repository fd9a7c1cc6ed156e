//===-- ReportData.h - What a report's page shows, as JSON -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is decided is decided here: what comes first, which lines are shown, what
// belongs to which finding. The page only draws it. The members:
//
//   tool         the version that made it
//   counts       "1 confirmed, 0 refuted, ..."
//   remarks      of the job as a whole
//   frames       places in the source, that runs[].sites[].frames name by index
//   runs         one of each process: its figures, devices[] over time, sites[] by place
//   findings     the worst verdict first, then by bytes
//   comparison   with another run: name, worse, sameLength, diff (as `tensorleak diff --format
//   json` prints it),
//                runs with their devices[]; only if one was given
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPORT_PAGE_REPORTDATA_H
#define TENSORLEAK_RUNTIME_REPORT_PAGE_REPORTDATA_H

#include "runtime/record/Ranks.h"
#include "runtime/report/page/SourceText.h"

namespace tensorleak {

/// \p Findings are those of the whole job.
nlohmann::json reportData(const Job &J, const FindingSet &Findings, SourceText &Sources);

/// The member `comparison`, with the job called \p Name.
nlohmann::json comparisonData(const std::string &Name, const Job &Before, const Job &After);

/// What a run measured of a finding, else what the check estimated: by this it is sorted.
int64_t bytesOf(const Finding &F);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPORT_PAGE_REPORTDATA_H
