//===-- FileStates.h - Whether files still are what an analysis was told ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an analysis asked of the file system, and what it was told, is kept as text, one line for
// each question: what a path is (also that there is nothing: a header that was looked for and not
// found), the content of a file, the names in a folder, where a link leads. An analysis that would
// be told the same again has the same result. Contents are compared by hash. A file is not read
// for that where its size, its times and its inode are as they were: the time of its last change
// is the kernel's own and cannot be set back, as that of its last modification can.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_FILESTATES_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_FILESTATES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <mutex>
#include <string>

namespace tensorleak {

/// What can be asked of a path. The letters begin the lines.
enum class Question : char {
  Kind = '?',     ///< "f" for a file, "d" for a folder, "-" for nothing
  Content = '=',  ///< of a file: its hash
  Names = '*',    ///< in a folder: their hash
  RealPath = '@', ///< its hash
  Made = '!',     ///< size and modification time of a file that only we write
  Others = '+',   ///< all that another list of lines says; the path is its name in the cache
};

/// In hexadecimal; what files, answers and entries of the cache are compared by.
std::string digestOf(llvm::StringRef Bytes);

/// The one line; \p Signature may be "".
std::string lineFor(Question Q, llvm::StringRef State, llvm::StringRef Signature,
                    llvm::StringRef Path);

/// What tells that a file has not been written since, without reading it. "" where that cannot be
/// told: one that was written a moment ago could be written again in the same tick of the clock.
std::string signatureOf(const std::string &Path);

/// What the file system says to a question about a path now.
std::string stateOf(Question Q, const std::string &Path);

/// Keeps \p Lines in the cache under the name that is returned; Others asks for them by it.
std::string keepLines(llvm::StringRef Folder, const std::string &Lines);

/// The file that holds the lines of that name.
std::string fileOfLines(llvm::StringRef Folder, llvm::StringRef Name);

/// The lines of that name; "" where they are gone or broken.
std::string keptLines(llvm::StringRef Folder, llvm::StringRef Name);

/// The answers, each asked once. May be used by several threads.
class FileStates {
public:
  /// \p Folder is the cache's.
  explicit FileStates(std::string Folder) : Folder(std::move(Folder)) {}

  /// Whether all of these lines are true now, or were when they were first asked for.
  bool hold(llvm::StringRef Lines);

  /// What the file system said when this was first asked.
  std::string state(Question Q, const std::string &Path);

  /// Asks anew from here on.
  void forget();

private:
  bool holds(llvm::StringRef Line);
  bool isUnchanged(llvm::StringRef State, llvm::StringRef Signature, const std::string &Path);
  bool othersHold(const std::string &Name);

  std::string Folder;
  std::mutex Lock;
  llvm::StringMap<std::string> Known;      ///< by the question's letter and the path
  llvm::StringMap<std::string> Signatures; ///< by path
  llvm::StringMap<bool> Others;            ///< by name
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_FILESTATES_H
