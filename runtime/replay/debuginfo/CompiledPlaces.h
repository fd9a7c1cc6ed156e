//===-- CompiledPlaces.h - A program that prints where its variables are --===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_COMPILEDPLACES_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_COMPILEDPLACES_H

#include "runtime/replay/debuginfo/Variables.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace tensorleak::test {

struct Place {
  uint64_t Address = 0;
  int64_t FromEnd = 0, FromStack = 0;
};

/// The program built by one compiler, and what it printed.
class Places {
public:
  explicit Places(const std::string &Compiler) {
    std::string Template = std::filesystem::temp_directory_path() / "places-XXXXXX";
    Folder = mkdtemp(Template.data());
    std::string Command = Compiler + " -std=c++17 -o " + program() + " " + source().string();
    EXPECT_EQ(std::system(Command.c_str()), 0) << Command;
    std::unique_ptr<FILE, int (*)(FILE *)> Output(popen(program().c_str(), "r"), pclose);
    char Name[32];
    for (Place P; std::fscanf(Output.get(), "%31s %lu %ld %ld", Name, &P.Address, &P.FromEnd,
                              &P.FromStack) == 4;)
      All[Name] = P;
    Info = std::make_unique<DebugInfo>(program());
    Known = std::make_unique<Variables>(*Info);
  }
  ~Places() { std::filesystem::remove_all(Folder); }

  /// Where the program printed that it is; link-time addresses.
  const Place &at(const std::string &Name) const { return All.at(Name); }
  std::string program() const { return Folder / "places"; }
  static std::filesystem::path source() {
    return std::filesystem::canonical(INPUTS_FOLDER "/Places.cpp");
  }

  std::optional<PlaceInVariable> local(const std::string &Name) {
    const Place &P = All.at(Name);
    return Known->localAt({P.Address, P.FromEnd, P.FromStack, std::nullopt});
  }
  std::optional<PlaceInVariable> global(const std::string &Name) {
    return Known->globalAt(All.at(Name).Address);
  }
  std::optional<PlaceInVariable> threadLocal(const std::string &Name) {
    return Known->threadLocalAt(All.at(Name).Address);
  }
  std::unique_ptr<DebugInfo> Info;
  std::unique_ptr<Variables> Known;

private:
  std::filesystem::path Folder;
  std::map<std::string, Place> All;
};

} // namespace tensorleak::test

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_COMPILEDPLACES_H
