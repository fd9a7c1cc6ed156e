//===-- RecordFolder.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/RecordFolder.h"
#include "Command.h"
#include "runtime/record/RecordOfRun.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

std::string environmentValue(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

/// What the names of the records that we may replace begin with: those of our rank, or
/// all of them.
std::string prefixOfOurs() {
  JobPart Us = jobPart(environmentValue);
  return Us.Rank ? "rank-" + std::to_string(*Us.Rank) + "." : "";
}

bool isOurs(const std::string &Name, const std::string &Prefix) {
  std::string Suffix = RecordSuffix;
  return Name.compare(0, Prefix.size(), Prefix) == 0 && Name.size() > Suffix.size() &&
         Name.compare(Name.size() - Suffix.size(), Suffix.size(), Suffix) == 0;
}

} // namespace

void prepareRecordFolder(const std::string &Folder) {
  std::error_code Error;
  fs::create_directories(Folder, Error);
  if (!Error && access(Folder.c_str(), W_OK | X_OK) != 0)
    Error.assign(errno, std::generic_category());
  if (!Error && !fs::is_directory(Folder))
    Error = std::make_error_code(std::errc::not_a_directory);
  if (Error)
    throw UsageError("cannot write records to '" + Folder + "': " + Error.message() +
                     "; the program was not started");
}

void replaceRecords(const std::string &Folder, const std::vector<RunRecord> &Records) {
  std::set<std::string> Written;
  for (const RunRecord &R : Records) {
    std::string Name = recordFileName(R.Part);
    writeRecord(R, (fs::path(Folder) / Name).string());
    Written.insert(Name);
  }
  std::string Prefix = prefixOfOurs();
  std::vector<fs::path> Old;
  for (const auto &Entry : fs::directory_iterator(Folder))
    if (std::string Name = Entry.path().filename(); isOurs(Name, Prefix) && !Written.count(Name))
      Old.push_back(Entry.path());
  for (const fs::path &Path : Old)
    fs::remove(Path);
}

} // namespace tensorleak
