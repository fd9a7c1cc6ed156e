//===-- Shards.h - A check that several machines share --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_CI_SHARDS_H
#define TENSORLEAK_TOOL_CI_SHARDS_H

#include "Command.h"
#include "checks/frontend/commands/CheckRequest.h"

namespace tensorleak {

void addShardOptions(CLI::App &Command, std::string &Shard, std::vector<std::string> &Known);

/// \p Shard is "2/8", or "" for all; the results go to \p File. \throws UsageError
void askForPart(const std::string &Shard, const std::string &File, CheckRequest &Request);

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_CI_SHARDS_H
