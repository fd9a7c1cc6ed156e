//===-- Shards.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ci/Shards.h"

#include <cstdio>

namespace tensorleak {

/// "2/8".
static Shard shardOf(const std::string &Text) {
  Shard Out;
  int End = 0;
  bool IsShard = std::sscanf(Text.c_str(), "%zu/%zu%n", &Out.Number, &Out.Count, &End) == 2 &&
                 size_t(End) == Text.size() && Out.Number >= 1 && Out.Number <= Out.Count;
  if (!IsShard)
    throw UsageError("--shard is '" + Text + "'; write 2/8 for the second of eight machines");
  return Out;
}

void addShardOptions(CLI::App &Command, std::string &Shard, std::vector<std::string> &Known) {
  const char *Group = "On several machines";
  Command
      .add_option("--shard", Shard,
                  "2/8: analyse the second eighth of the files only; the results go to -o, for "
                  "'tensorleak merge'")
      ->group(Group);
  Command
      .add_option("--known", Known,
                  "Results that shards wrote before: what these files tell each other is known")
      ->group(Group);
}

void askForPart(const std::string &Shard, const std::string &File, CheckRequest &Request) {
  if (Shard.empty())
    return;
  if (File.empty())
    throw UsageError("--shard needs -o FILE: the results, for 'tensorleak merge'");
  if (Request.Flags)
    throw UsageError("--shard is for the files of a compile database; leave out what follows --");
  Request.Part = shardOf(Shard);
  Request.PartFile = File;
}

} // namespace tensorleak
