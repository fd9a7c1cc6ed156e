//===-- TraceFile.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/TraceFile.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

/// Programs expect small numbers for their own files, and 0 to 2 for their streams.
constexpr int LowestDescriptor = 512;
constexpr int PastTheStreams = 3;

/// The same file under a number out of the way; the lower one is closed.
int outOfTheWay(int Opened) {
  int Moved = fcntl(Opened, F_DUPFD_CLOEXEC, LowestDescriptor);
  if (Moved < 0) // few descriptors are allowed
    Moved = fcntl(Opened, F_DUPFD_CLOEXEC, PastTheStreams);
  ::close(Opened);
  return Moved;
}

bool withinLimit(size_t Bytes) {
  rlimit Limit;
  return getrlimit(RLIMIT_FSIZE, &Limit) || Limit.rlim_cur == RLIM_INFINITY ||
         Bytes <= Limit.rlim_cur;
}

} // namespace

bool TraceFile::create(const std::string &Name) {
  Path = Name;
  int Opened = ::open(Path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  struct stat Status;
  if (Opened < 0 || fstat(Opened, &Status))
    return false;
  Device = Status.st_dev;
  Inode = Status.st_ino;
  Kept = outOfTheWay(Opened);
  return Kept >= 0;
}

bool TraceFile::isOurs(int Candidate) const {
  struct stat Status;
  return Candidate >= 0 && fstat(Candidate, &Status) == 0 && Status.st_dev == Device &&
         Status.st_ino == Inode;
}

/// A descriptor that is no longer ours is the program's: it is left alone.
int TraceFile::descriptor() {
  if (isOurs(Kept))
    return Kept;
  int Opened = ::open(Path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  bool Ours = isOurs(Opened);
  if (Opened >= 0 && !Ours)
    ::close(Opened);
  Kept = Ours ? outOfTheWay(Opened) : -1;
  return Kept;
}

bool TraceFile::grow(size_t Bytes) {
  int File = descriptor();
  if (File < 0 || !withinLimit(Bytes))
    return false;
  int Error = posix_fallocate(File, 0, off_t(Bytes));
  if (Error == EOPNOTSUPP || Error == EINVAL)
    return ftruncate(File, off_t(Bytes)) == 0;
  return Error == 0;
}

bool TraceFile::shrink(size_t Bytes) {
  int File = descriptor();
  return File >= 0 && ftruncate(File, off_t(Bytes)) == 0;
}

void TraceFile::close() {
  if (isOurs(Kept))
    ::close(Kept);
  Kept = -1;
}

void *TraceFile::map(size_t Bytes, size_t Offset) {
  void *At = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor(), off_t(Offset));
  return At == MAP_FAILED ? nullptr : At;
}

} // namespace tensorleak::probe
