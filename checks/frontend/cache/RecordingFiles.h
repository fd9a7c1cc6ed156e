//===-- RecordingFiles.h - A file system that remembers what it was asked ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler, its driver and our own scans see files through one of these. What they asked is
// what their result depends on: nobody has to know which questions there are.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_RECORDINGFILES_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_RECORDINGFILES_H

#include "checks/frontend/cache/FileStates.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <string>
#include <vector>

namespace tensorleak {

/// Questions and answers. Where a file changed while it was read more than once, the first
/// answer counts: it does not hold later.
class FileReads {
public:
  void add(Question Q, llvm::StringRef State, llvm::StringRef Path, llvm::StringRef Signature = "");

  /// Nothing is remembered of paths that begin with this: what is ours and checked otherwise.
  void ignore(std::string Prefix) { Ignored.push_back(std::move(Prefix)); }
  bool ignores(llvm::StringRef Path) const;

  /// As FileStates compares them.
  std::string lines() const;

private:
  struct Answer {
    std::string State, Signature;
  };
  std::map<std::pair<std::string, Question>, Answer> Answers;
  std::vector<std::string> Ignored;
};

/// No ProxyFileSystem: that one answers questions by the inner file system which this one has to
/// see, and each LLVM release adds some (exists() in 20).
class RecordingFiles : public llvm::vfs::FileSystem {
public:
  RecordingFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Inner, FileReads &Into)
      : Inner(std::move(Inner)), Into(&Into) {}

  /// While one lives, what is asked goes elsewhere.
  class Redirect {
  public:
    Redirect(RecordingFiles &Files, FileReads &Elsewhere) : Files(Files), Before(Files.Into) {
      Files.Into = &Elsewhere;
    }
    ~Redirect() { Files.Into = Before; }
    Redirect(const Redirect &) = delete;
    Redirect &operator=(const Redirect &) = delete;

  private:
    RecordingFiles &Files;
    FileReads *Before;
  };

  FileReads &reads() { return *Into; }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &Path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &Folder,
                                          std::error_code &Error) override;
  std::error_code getRealPath(const llvm::Twine &Path,
                              llvm::SmallVectorImpl<char> &Output) override;
  std::error_code isLocal(const llvm::Twine &Path, bool &Result) override;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;
  std::error_code setCurrentWorkingDirectory(const llvm::Twine &Path) override;

private:
  std::string absolute(const llvm::Twine &Path) const;

  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Inner;
  FileReads *Into;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_RECORDINGFILES_H
