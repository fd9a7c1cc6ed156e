//===-- TemporaryFolder.h - A folder that leaves nothing behind ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_TEMPORARYFOLDER_H
#define TENSORLEAK_TOOL_TEMPORARYFOLDER_H

#include "run/Caretaker.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tensorleak {

/// A folder that is removed with everything in it, also if this process is killed.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::filesystem::path &path() const { return Path; }
  /// What lies in it under names that end so.
  std::vector<std::filesystem::path> files(const std::string &Ending) const;
  /// If it is killed, \p First is done before.
  void beforeRemoval(const std::function<void()> &First);

private:
  void remove() const;
  std::filesystem::path Path;
  std::unique_ptr<Caretaker> Guard;
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_TEMPORARYFOLDER_H
