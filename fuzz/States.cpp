//===-- States.cpp -------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of what an entry of the cache depends on: asked again, kept and looked up. It names
// files, any of which may be one that has no end.
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/FileStates.h"
#include "fuzz/CacheFolder.h"

using namespace tensorleak;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static fuzz::CacheFolder Cache;
  std::string Lines(fuzz::text(Data, Size));
  FileStates States(Cache.path());
  States.hold(Lines);
  std::string Name = keepLines(Cache.path(), Lines);
  if (keptLines(Cache.path(), Name) != Lines)
    std::abort();
  States.hold(lineFor(Question::Others, "", "", Name));
  std::filesystem::remove_all(Cache.path() + "/" + Name + ".reads");
  return 0;
}
