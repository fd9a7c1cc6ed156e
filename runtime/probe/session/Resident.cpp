//===-- Resident.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read where a look at the heap is due, which is ever more rarely; without memory of the heap,
// which is what is looked at.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/Resident.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

/// Calls \p Visit with each line of a file of the system's.
template <typename Fn> void forEachLine(const char *Path, Fn Visit) {
  char Text[4096];
  size_t Held = 0;
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  for (ssize_t Read; File >= 0 && (Read = read(File, Text + Held, sizeof(Text) - 1 - Held)) > 0;) {
    Held += size_t(Read);
    Text[Held] = 0;
    char *Line = Text;
    for (char *End; (End = std::strchr(Line, '\n')); Line = End + 1) {
      *End = 0;
      Visit(Line);
    }
    Held = size_t(Text + Held - Line);
    Held = Held == sizeof(Text) - 1 ? 0 : Held; // a line that long is no mapping of memory
    std::memmove(Text, Line, Held);
  }
  if (File >= 0)
    close(File);
}

size_t usualStackSize() {
  pthread_attr_t Attributes;
  size_t Size = 0;
  if (pthread_getattr_default_np(&Attributes))
    return 0;
  pthread_attr_getstacksize(&Attributes, &Size);
  pthread_attr_destroy(&Attributes);
  return Size;
}

/// "7f0000000000-7f0000800000 rw-p 00000000 00:00 0"
struct Mapping {
  unsigned long Begin = 0, End = 0;
  char Access[8] = "";
  bool isGuard() const { return !std::strncmp(Access, "---p", 4); }
  bool isWritable() const { return !std::strncmp(Access, "rw-p", 4); }
};

/// A mapping of that size behind one that nobody may touch.
uint64_t countStacks(size_t Size) {
  const auto Page = size_t(sysconf(_SC_PAGESIZE));
  uint64_t Out = 0;
  Mapping Before;
  forEachLine("/proc/self/maps", [&](const char *Line) {
    Mapping Now;
    if (std::sscanf(Line, "%lx-%lx %7s", &Now.Begin, &Now.End, Now.Access) != 3)
      return;
    size_t Bytes = Now.End - Now.Begin;
    Out += Before.isGuard() && Before.End == Now.Begin && Now.isWritable() &&
           (Bytes == Size || Bytes + Page == Size);
    Before = Now;
  });
  return Out;
}

/// This one's stack is the system's.
uint64_t otherThreads() {
  unsigned long Threads = 1;
  forEachLine("/proc/self/status",
              [&Threads](const char *Line) { std::sscanf(Line, "Threads: %lu", &Threads); });
  return Threads - 1;
}

} // namespace

uint64_t residentBytes() {
  unsigned long Pages = 0, OfFiles = 0;
  forEachLine("/proc/self/statm",
              [&](const char *Line) { std::sscanf(Line, "%*u %lu %lu", &Pages, &OfFiles); });
  return uint64_t(Pages - OfFiles) * uint64_t(sysconf(_SC_PAGESIZE));
}

uint64_t stacksOfEndedThreads() {
  static const size_t Size = usualStackSize();
  uint64_t Stacks = Size ? countStacks(Size) : 0, Threads = otherThreads();
  return Stacks > Threads ? Stacks - Threads : 0;
}

} // namespace tensorleak::probe
