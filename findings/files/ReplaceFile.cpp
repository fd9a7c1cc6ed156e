//===-- ReplaceFile.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/files/ReplaceFile.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tensorleak {
namespace {

[[noreturn]] void failed() { throw std::system_error(errno, std::generic_category()); }

void writeAll(int Descriptor, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(Descriptor, Text.data(), Text.size());
    if (Written < 0 && errno != EINTR)
      failed();
    Text.remove_prefix(size_t(Written < 0 ? 0 : Written));
  }
}

/// A device or a pipe is no content that another could stand for: it is written to.
void writeInto(const std::string &Path, std::string_view Text) {
  int Descriptor = open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  if (Descriptor < 0)
    failed();
  try {
    writeAll(Descriptor, Text);
  } catch (...) {
    ::close(Descriptor);
    throw;
  }
  if (::close(Descriptor) != 0)
    failed();
}

/// A file of its own beside the one to replace; removed unless it took that one's name.
class Beside {
public:
  explicit Beside(const std::string &Target) : Name(Target + ".XXXXXX") {
    Descriptor = mkostemp(Name.data(), O_CLOEXEC);
    if (Descriptor < 0)
      failed();
  }
  Beside(const Beside &) = delete;
  Beside &operator=(const Beside &) = delete;
  ~Beside() {
    if (Descriptor >= 0)
      ::close(Descriptor);
    if (!Name.empty())
      unlink(Name.c_str());
  }

  void write(std::string_view Text) const { writeAll(Descriptor, Text); }

  /// Another owner's file keeps its owner where we may give it away.
  void looksLike(const struct stat &Old) const {
    if (fchown(Descriptor, Old.st_uid, Old.st_gid)) {
    }
    if (fchmod(Descriptor, Old.st_mode & 07777))
      failed();
  }

  /// Some file systems report only here that there is no room.
  void takeNameOf(const std::string &Target) {
    bool Closed = fsync(Descriptor) == 0 || errno == EINVAL;
    Closed = ::close(std::exchange(Descriptor, -1)) == 0 && Closed;
    if (!Closed || rename(Name.c_str(), Target.c_str()))
      failed();
    Name.clear();
  }

private:
  std::string Name;
  int Descriptor;
};

/// The file that the name stands for, through links; the name itself if there is none yet.
std::string behindLinks(const std::string &Path) {
  std::error_code Error;
  auto Real = std::filesystem::canonical(Path, Error);
  return Error ? Path : Real.string();
}

/// Asked once: the mask can only be read by setting it, for all threads.
mode_t modeOfNewFiles() {
  static const mode_t Mask = [] {
    mode_t Now = umask(0);
    umask(Now);
    return Now;
  }();
  return 0666 & ~Mask;
}

/// What stands there now; a new file is its owner's, with the usual mode.
struct stat present(const std::string &File) {
  struct stat Old = {};
  if (stat(File.c_str(), &Old) == 0)
    return Old;
  if (errno != ENOENT)
    failed();
  Old.st_uid = geteuid();
  Old.st_gid = getegid();
  Old.st_mode = S_IFREG | modeOfNewFiles();
  return Old;
}

void refuseIfReadOnly(const std::string &File, const struct stat &Old) {
  constexpr mode_t AnyoneWrites = S_IWUSR | S_IWGRP | S_IWOTH;
  if (!(Old.st_mode & AnyoneWrites))
    errno = EACCES;
  else if (access(File.c_str(), W_OK) == 0 || errno == ENOENT)
    return;
  failed();
}

} // namespace

void replaceFile(const std::string &Path, std::string_view Text) {
  std::string Target = behindLinks(Path);
  struct stat Old = present(Target);
  refuseIfReadOnly(Target, Old);
  if (!S_ISREG(Old.st_mode))
    return writeInto(Target, Text);
  Beside File(Target);
  File.write(Text);
  File.looksLike(Old);
  File.takeNameOf(Target);
}

} // namespace tensorleak
