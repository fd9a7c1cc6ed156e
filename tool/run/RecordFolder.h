//===-- RecordFolder.h - Where a job's records lie ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder holds the records of one job. Several `tensorleak run`, one per rank, may
// write to it at once; each replaces what an earlier run of the same rank left there,
// and one without a rank of its own replaces all.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_RECORDFOLDER_H
#define TENSORLEAK_TOOL_RECORDFOLDER_H

#include "runtime/record/Record.h"

namespace tensorleak {

/// Makes the folder if need be. \throws UsageError if nothing can be written there.
void prepareRecordFolder(const std::string &Folder);

/// Writes the records and takes away the old ones.
void replaceRecords(const std::string &Folder, const std::vector<RunRecord> &Records);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_RECORDFOLDER_H
