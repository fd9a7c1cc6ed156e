//===-- ProjectCheck.h - Checks a project while it is edited --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An editor's server sees one file. What the rest of the project does it knows from a check of
// the whole, which is started here: when the first file of a project is open, and when an open
// one was saved. One at a time, with one worker, behind all else that the machine has to do.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_CLANGD_PROJECTCHECK_H
#define TENSORLEAK_CHECKS_CLANGD_PROJECTCHECK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Program.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace tensorleak {

class ProjectCheck {
public:
  /// \p Tool is our command; \p Database is a folder, or "" for that of each file.
  ProjectCheck(std::string Tool, std::string Database);
  /// Ends what runs.
  ~ProjectCheck();
  ProjectCheck(const ProjectCheck &) = delete;
  ProjectCheck &operator=(const ProjectCheck &) = delete;

  /// \p File (absolute) is open. May be called from any thread, at every keystroke.
  void opened(llvm::StringRef File);

private:
  struct OpenFile {
    std::string Database;
    std::string State; ///< on the disk, when its project was last checked
  };
  void work();
  bool stops(unsigned Milliseconds);
  std::set<std::string> due();
  void check(const std::string &Database);

  const std::string Tool, Database;
  std::mutex Lock;
  std::condition_variable Changed;
  bool Stops = false;
  std::map<std::string, OpenFile> Files;
  std::thread Worker;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_CLANGD_PROJECTCHECK_H
