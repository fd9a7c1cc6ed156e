//===-- SavedProject.h - What the last check said of a project's files ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check of a compile database leaves what its files tell each other in the cache.
// Who sees one file only (the clang-tidy plugin, an editor, a check of the files that
// a commit changes) knows the rest of the project from there, as of the last check.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_SAVEDPROJECT_H
#define TENSORLEAK_CHECKS_FRONTEND_SAVEDPROJECT_H

#include "checks/frontend/ProjectIndex.h"
#include <memory>
#include <set>

namespace tensorleak {

/// What one source file told; a file with two compile commands is there twice.
struct SavedFile {
  std::string Path; ///< absolute
  FileFacts Facts;
};

/// Replaces what is saved of these files for \p Database (an absolute path), and
/// drops files that are gone.
void saveProject(const std::string &Database, const std::vector<SavedFile> &Files);

/// What is saved for \p Database of files other than \p Known.
std::vector<FileFacts> savedFactsBeside(const std::string &Database,
                                        const std::set<std::string> &Known);

/// What the rest of its project tells \p File (absolute); null where no check has
/// seen that file. May be called from several threads.
std::unique_ptr<ProjectView> savedViewFor(const std::string &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_SAVEDPROJECT_H
