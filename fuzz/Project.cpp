//===-- Project.cpp ------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the last check of a project left in the cache: the facts of its files, and which project a
// file is of. The input stands in both files, under a seal that is right.
//
//===----------------------------------------------------------------------===//
#include "checks/driver/SavedProject.h"
#include "checks/frontend/cache/FileStates.h"
#include "fuzz/CacheFolder.h"

#include <fstream>

using namespace tensorleak;

static const std::string Database = "/src/compile_commands.json";
static const std::string File = "/dev/null"; // one that is there

static void use(ProjectView &View) {
  for (const char *Kind : {FunctionFact, ResourcesFact, CallsFact, RecordFact, VariableFact})
    View.ask(std::string(Kind) + "c:@F@f#");
}

/// Our own writer makes the files, so that their names are right.
static std::vector<std::string> filesOfCache(const fuzz::CacheFolder &Cache) {
  setenv("TENSORLEAK_CACHE_DIR", Cache.path().c_str(), 1);
  saveProject(Database, {{File, {{"function c:@F@f#", 1}}}});
  std::vector<std::string> Out;
  for (const auto &Entry : std::filesystem::directory_iterator(Cache.path()))
    if (Entry.path().extension() == ".project" || Entry.path().extension() == ".json")
      Out.push_back(Entry.path());
  return Out;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static fuzz::CacheFolder Cache;
  static const std::vector<std::string> Files = filesOfCache(Cache);
  for (const std::string &Each : Files)
    std::ofstream(Each, std::ios::binary)
        << digestOf(fuzz::text(Data, Size)) << fuzz::text(Data, Size);
  for (const FileFacts &Facts : savedFactsBeside(Database, {}))
    ProjectIndex().add(0, Facts);
  if (std::unique_ptr<ProjectView> View = savedViewFor(File, /*IsHeader=*/false))
    use(*View);
  saveProject(Database, {{File, {{"function c:@F@f#", 2}}}});
  return 0;
}
