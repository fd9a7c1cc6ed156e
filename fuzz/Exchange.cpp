//===-- Exchange.cpp -----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of another machine, taken into a cache of our own.
//
//===----------------------------------------------------------------------===//
#include "checks/driver/results/Exchange.h"
#include "fuzz/CacheFolder.h"

using namespace tensorleak;

/// Nothing may be written but what is named like an entry, and nothing outside of the folder.
static void expectEntriesOnly(const std::filesystem::path &Folder) {
  for (const auto &Entry : std::filesystem::directory_iterator(Folder))
    if (std::string Ending = Entry.path().extension(); Ending != ".result" && Ending != ".reads")
      std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::CacheFolder Cache;
  fuzz::InputFile File(fuzz::text(Data, Size));
  fuzz::readOrRefuse(fuzz::text(Data, Size), [&] { importResults(Cache.path(), File.path()); });
  expectEntriesOnly(Cache.path());
  return 0;
}
