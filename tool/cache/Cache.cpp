//===-- Cache.cpp - tensorleak cache ---------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what `check` keeps between runs, and removes it.
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/Cache.h"
#include "Command.h"
#include "Output.h"
#include "checks/frontend/cache/Contents.h"
#include "findings/Finding.h"
#include "findings/Json.h"

#include <iostream>

namespace tensorleak {
namespace {

struct CacheOptions {
  std::string Format;
};

/// Looking at the cache does not make one.
std::string folderOrUsageError() {
  std::string Folder = wantedCacheDirectory();
  if (Folder.empty())
    throw UsageError("there is no cache: no home folder is known; set TENSORLEAK_CACHE_DIR");
  return Folder;
}

nlohmann::json toJson(const std::string &Folder, const CacheContents &Now) {
  return {{"folder", Folder},
          {"bytes", Now.bytes()},
          {"limit", cacheLimit()},
          {"preludes", {{"count", Now.Preludes}, {"bytes", Now.PreludeBytes}}},
          {"results", {{"count", Now.Results}, {"bytes", Now.ResultBytes}}},
          {"other", {{"bytes", Now.OtherBytes}}}};
}

void print(const std::string &Folder, const CacheContents &Now) {
  std::cout << Folder << ": " << formatBytes(int64_t(Now.bytes())) << " of at most "
            << formatBytes(int64_t(cacheLimit())) << " (TENSORLEAK_CACHE_MIB)\n"
            << "  " << counted(Now.Preludes, "precompiled header") << ", "
            << formatBytes(int64_t(Now.PreludeBytes)) << '\n'
            << "  " << counted(Now.Results, "result") << " of checked files, "
            << formatBytes(int64_t(Now.ResultBytes)) << '\n'
            << "  facts of projects and lists of what was read, "
            << formatBytes(int64_t(Now.OtherBytes)) << '\n';
}

int show(const CacheOptions &Options) {
  const std::string Folder = folderOrUsageError();
  const CacheContents Now = contentsOfCache(Folder);
  if (Options.Format == JsonReport::Name)
    printJson(std::cout, toJson(Folder, Now));
  else
    print(Folder, Now);
  return ExitClean;
}

int clear(const CacheOptions &) {
  const std::string Folder = folderOrUsageError();
  const uint64_t Removed = trimCache(Folder, 0), Left = contentsOfCache(Folder).bytes();
  std::cout << formatBytes(int64_t(Removed)) << " removed from " << Folder << '\n';
  if (Left)
    std::cout << formatBytes(int64_t(Left)) << " left: in use, or not to be removed\n";
  return ExitClean;
}

} // namespace

void addCacheCommand(Application &App, int &Exit) {
  CLI::App *Command = App.add_subcommand("cache", "Show or clear what `check` keeps between runs");
  Command->require_subcommand(1);
  auto Options = std::make_shared<CacheOptions>();
  CLI::App *Show = Command->add_subcommand("show", "Say where it is and what it holds");
  addTableFormatOption(*Show, Options->Format);
  bindCommand(*Show, Exit, Options, show);
  bindCommand(*Command->add_subcommand("clear", "Remove all that is not in use"), Exit, Options,
              clear);
}

} // namespace tensorleak
