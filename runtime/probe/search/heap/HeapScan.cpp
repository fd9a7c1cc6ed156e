//===-- HeapScan.cpp - A walk through the program's heap ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HeapScan.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/heap/HeapScan.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {

constexpr size_t BlockBytes = 1 << 20;
constexpr size_t PageBytes = 4096;
using PageBuffer = PageVector<uintptr_t>;

/// Writable memory that belongs to no file: heap and anonymous mappings.
std::vector<AddressRange> anonymousRanges() {
  std::vector<AddressRange> Ranges;
  FILE *Maps = std::fopen("/proc/self/maps", "re");
  if (!Maps)
    return Ranges;
  char Line[4400];
  while (std::fgets(Line, sizeof(Line), Maps)) {
    AddressRange R;
    char Access[8] = "", Path[64] = "";
    unsigned long Inode = 0;
    if (std::sscanf(Line, "%lx-%lx %7s %*s %*s %lu %63s", &R.Begin, &R.End, Access, &Inode, Path) <
        4)
      continue;
    bool IsHeap = !*Path || !std::strcmp(Path, "[heap]") || !std::strncmp(Path, "[anon", 5);
    if (!std::strncmp(Access, "rw", 2) && Inode == 0 && IsHeap)
      Ranges.push_back(R);
  }
  std::fclose(Maps);
  return Ranges;
}

/// Memory that was never touched is not worth reading (and reading would touch it).
bool isResident(uintptr_t Begin, size_t Bytes) {
  unsigned char Pages[BlockBytes / PageBytes + 2];
  if (mincore(reinterpret_cast<void *>(Begin), Bytes, Pages) != 0)
    return true;
  return std::any_of(Pages, Pages + Bytes / PageBytes, [](unsigned char P) { return P & 1; });
}

size_t copyOut(uintptr_t From, PageBuffer &To, size_t Bytes) {
  iovec Local{To.data(), Bytes}, Remote{reinterpret_cast<void *>(From), Bytes};
  ssize_t Copied = process_vm_readv(getpid(), &Local, 1, &Remote, 1, 0);
  return Copied > 0 ? size_t(Copied) : 0;
}

/// What is left of \p Range without the skipped ranges.
std::vector<AddressRange> without(AddressRange Range, const std::vector<AddressRange> &Skip) {
  std::vector<AddressRange> Left;
  auto At = std::lower_bound(Skip.begin(), Skip.end(), Range.Begin,
                             [](const AddressRange &S, uintptr_t A) { return S.End <= A; });
  for (; At != Skip.end() && At->Begin < Range.End; ++At) {
    // Whole pages only: the pages at both ends may hold other objects too.
    uintptr_t From = (At->Begin + PageBytes - 1) & ~(PageBytes - 1);
    uintptr_t To = At->End & ~(PageBytes - 1);
    if (From > Range.Begin && From < Range.End)
      Left.push_back({Range.Begin, From});
    Range.Begin = std::max(Range.Begin, To);
  }
  if (Range.Begin < Range.End)
    Left.push_back(Range);
  return Left;
}

void scanRange(AddressRange Range, PageBuffer &Buffer, ScanResult &Result,
               const std::function<void(const HeapBlock &)> &Visit) {
  const size_t Overlap = HeapBlockOverlap * sizeof(uintptr_t);
  for (uintptr_t At = Range.Begin; At < Range.End; At += BlockBytes) {
    size_t Own = std::min<size_t>(BlockBytes, Range.End - At);
    if (!isResident(At, Own))
      continue;
    size_t Wanted = std::min<size_t>(BlockBytes + Overlap, Range.End - At);
    size_t Copied = copyOut(At, Buffer, Wanted);
    Result.Partial |= Copied < Own;
    Result.Bytes += Copied;
    Visit(
        {At, Buffer.data(), std::min(Own, Copied) / sizeof(uintptr_t), Copied / sizeof(uintptr_t)});
  }
}

} // namespace

ScanResult scanHeap(const std::vector<AddressRange> &Skip, uint64_t MaxBytes,
                    const std::function<void(const HeapBlock &)> &Visit) {
  ScanResult Result;
  PageBuffer Buffer(BlockBytes / sizeof(uintptr_t) + HeapBlockOverlap);
  uintptr_t OwnBuffer = reinterpret_cast<uintptr_t>(Buffer.data());
  for (const AddressRange &Whole : anonymousRanges())
    for (const AddressRange &Range : without(Whole, Skip)) {
      if (Result.Bytes >= MaxBytes) {
        Result.Partial = true;
        return Result;
      }
      // The buffer would be found in itself. A node holds its own address, so a copy is
      // never counted; this only saves time.
      if (OwnBuffer >= Range.Begin && OwnBuffer < Range.End &&
          Range.End - Range.Begin < 4 * BlockBytes)
        continue;
      scanRange(Range, Buffer, Result, Visit);
    }
  return Result;
}

} // namespace tensorleak::probe
