//===-- MemoryMap.cpp - The writable memory of this process ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemoryMap.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/MemoryMap.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

constexpr size_t MaxRanges = 16384, MaxLine = 8192;
constexpr uintptr_t WordMask = sizeof(uintptr_t) - 1;

bool byBegin(const AddressRange &A, const AddressRange &B) { return A.Begin < B.Begin; }

} // namespace

std::vector<MappedFile> mappedFiles() {
  std::vector<MappedFile> Files;
  for (const LoadedModule &M : loadedModules()) {
    MappedFile File{M, !isOwnCode(M.low()) && isUserModule(M.path()), isOwnCode(M.low())};
    File.IsAllocator = !File.IsUser && !File.IsProbe && M.find("malloc");
    Files.push_back(File);
  }
  std::sort(Files.begin(), Files.end(), [](const MappedFile &A, const MappedFile &B) {
    return A.Module.low() < B.Module.low();
  });
  return Files;
}

MemoryMap::MemoryMap(const std::vector<MappedFile> &Files, const std::vector<AddressRange> &Skip)
    : Files(Files) {
  Ranges.reserve(MaxRanges);
  Mappings.reserve(MaxRanges);
  // Made before the list is read, so that it is in the list itself.
  Holes.resize(OwnPagesMax + Skip.size());
  size_t Own = ownPages(Holes.data());
  std::copy(Skip.begin(), Skip.end(), Holes.begin() + std::ptrdiff_t(Own));
  Holes.resize(Own + Skip.size());
  std::sort(Holes.begin(), Holes.end(), byBegin);
  readLines();
  std::sort(Ranges.begin(), Ranges.end(),
            [](const MemoryRange &A, const MemoryRange &B) { return A.Begin < B.Begin; });
}

/// With read(2): stdio would call malloc.
void MemoryMap::readLines() {
  int File = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return;
  char Buffer[MaxLine + 1];
  size_t Have = 0;
  for (ssize_t Got; (Got = read(File, Buffer + Have, MaxLine - Have)) > 0;) {
    Have += size_t(Got);
    char *At = Buffer, *End = Buffer + Have;
    for (char *Line; (Line = static_cast<char *>(memchr(At, '\n', size_t(End - At))));
         At = Line + 1) {
      *Line = '\0';
      addLine(At);
    }
    Have = size_t(End - At);
    // A line longer than the buffer is a path of no interest; its rest is passed over.
    Have = Have == MaxLine ? 0 : Have;
    std::memmove(Buffer, At, Have);
  }
  close(File);
}

void MemoryMap::addLine(const char *Line) {
  unsigned long Begin = 0, End = 0, Inode = 0;
  char Access[8] = "", Path[32] = "";
  if (std::sscanf(Line, "%lx-%lx %7s %*s %*s %lu %31s", &Begin, &End, Access, &Inode, Path) < 4)
    return;
  bool IsPrivate = !std::strncmp(Access, "rw", 2) && Access[3] == 'p';
  bool IsDevice = !std::strncmp(Path, "/dev/", 5) || !std::strcmp(Path, "[vvar]");
  if (!IsPrivate || IsDevice)
    return;
  MemoryKind Kind = std::strcmp(Path, "[heap]") ? MemoryKind::Heap : MemoryKind::Malloc;
  if (!Inode && Mappings.size() < MaxRanges)
    Mappings.push_back({Begin, End, Kind, End});
  addMapping({Begin, End}, Inode != 0, Kind);
}

uintptr_t MemoryMap::nextFile(AddressRange Whole) const {
  uintptr_t End = Whole.End;
  for (const MappedFile &F : Files)
    if (F.Module.low() > Whole.Begin)
      End = std::min(End, F.Module.low());
  return End;
}

/// The kernel joins a file's zero-initialized variables with what lies behind them;
/// the file's own headers record where they end.
void MemoryMap::addMapping(AddressRange Whole, bool IsFile, MemoryKind Kind) {
  while (Whole.Begin < Whole.End) {
    const MappedFile *File = fileAt(Whole.Begin);
    uintptr_t End = File ? std::min(Whole.End, File->Module.high()) : nextFile(Whole);
    bool IsProbe = File && File->IsProbe;
    if (!IsProbe && (File || !IsFile))
      addWithoutHoles({Whole.Begin, End, File ? MemoryKind::Data : Kind, End});
    Whole.Begin = End;
  }
}

void MemoryMap::addWithoutHoles(MemoryRange Range) {
  auto Add = [&](uintptr_t Begin, uintptr_t End) {
    Begin = (Begin + WordMask) & ~WordMask;
    if (Begin < End && Ranges.size() < MaxRanges)
      Ranges.push_back({Begin, End & ~WordMask, Range.Kind, Range.MappingEnd});
  };
  auto Hole = std::partition_point(Holes.begin(), Holes.end(),
                                   [&](const AddressRange &H) { return H.End <= Range.Begin; });
  for (; Hole != Holes.end() && Hole->Begin < Range.End; ++Hole) {
    Add(Range.Begin, std::min(Hole->Begin, Range.End));
    Range.Begin = std::max(Range.Begin, Hole->End);
  }
  Add(Range.Begin, Range.End);
}

const MemoryRange *MemoryMap::find(uintptr_t Address) const {
  auto After = std::partition_point(Ranges.begin(), Ranges.end(),
                                    [&](const MemoryRange &R) { return R.Begin <= Address; });
  if (After == Ranges.begin() || std::prev(After)->End <= Address)
    return nullptr;
  return &*std::prev(After);
}

const MappedFile *fileAt(const std::vector<MappedFile> &Files, uintptr_t Address) {
  auto After = std::partition_point(Files.begin(), Files.end(),
                                    [&](const MappedFile &F) { return F.Module.low() <= Address; });
  bool IsIn = After != Files.begin() && std::prev(After)->Module.contains(Address);
  return IsIn ? &*std::prev(After) : nullptr;
}

} // namespace tensorleak::probe
