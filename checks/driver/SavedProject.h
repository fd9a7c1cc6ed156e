//===-- SavedProject.h - The facts of a project's files, as of the last check===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check of a compile database leaves the facts that its files exported in the cache.
// Clients that see one file only (the clang-tidy plugin, an editor, a check of the files
// that a commit changes) take those of the rest of the project from there.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DRIVER_SAVEDPROJECT_H
#define TENSORLEAK_CHECKS_DRIVER_SAVEDPROJECT_H

#include "checks/driver/ProjectIndex.h"
#include <memory>
#include <set>

namespace tensorleak {

/// The facts of one source file; a file with two compile commands is there twice.
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

/// The facts of the rest of the project that \p File (absolute) belongs to: of what was checked
/// with it, or for a header, of what was checked around it. Null where that is nothing, or of
/// several compile databases. May be called from several threads.
std::unique_ptr<ProjectView> savedViewFor(const std::string &File, bool IsHeader);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DRIVER_SAVEDPROJECT_H
