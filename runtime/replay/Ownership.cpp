//===-- Ownership.cpp - Memory that nobody can free any more --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/Expected.h"
#include "runtime/replay/Verdicts.h"

namespace tensorleak {
namespace {

/// What the finding's lines allocated.
struct Owned {
  int64_t BytesPerStep = 0, AtEnd = 0;
  uint64_t Allocations = 0;
  bool Unheld = false;  ///< nothing points to it any more
  uint64_t Handles = 0; ///< objects without a size that pile up
};

Owned ownedBy(const Case &C) {
  Owned Out;
  for (const SiteGrowth &G : C.Sites) {
    if (match(C.TheFinding, G.Site->Frames) != Match::Line)
      continue;
    Out.Allocations += G.Site->Allocations;
    Out.AtEnd += G.Site->BytesAtEnd;
    Out.Unheld |= nobodyHolds(*G.Site, C.Run);
    if (G.TheGrowth == Growth::Growing)
      Out.BytesPerStep += G.BytesPerStep;
    if (G.TheGrowth == Growth::Growing && G.Site->Bytes == 0)
      Out.Handles += G.Site->Objects.size();
  }
  return Out;
}

Judgement growing(const Owned &O) {
  Judgement J =
      confirmed("what this line allocates is never freed: " + formatBytes(O.BytesPerStep) +
                " more in every step" + (O.Unheld ? "; " + std::string(NobodyHolds) : ""));
  J.TheEvidence.BytesPerStep = O.BytesPerStep;
  J.TheEvidence.TotalBytes = O.AtEnd;
  return J;
}

Judgement aliveAtEnd(const Case &C, const Owned &O) {
  std::string What = formatBytes(O.AtEnd) + " allocated here were alive at the end";
  if (!C.Run.MainReturned)
    return inconclusive(What + ", but the program did not return from main: its variables may "
                               "still have held them");
  Judgement J = confirmed(What + ", after main had returned and its variables were gone");
  J.TheEvidence.TotalBytes = O.AtEnd;
  return J;
}

std::string allFreed(const Case &C) {
  int64_t Expected = expectedBytes(C.TheFinding, C.Run);
  return "all that this line allocated was freed" +
         (Expected ? ", but for the " + formatBytes(Expected) + " that the program expects"
                   : std::string());
}

/// from_blob over malloc and the like: not LibTorch's memory, seen only as host
/// heap.
Judgement foreignMemory(const Case &C) {
  // The host's heap says nothing of a device's memory.
  if (C.TheFinding.Rule == DeviceMemoryRule)
    return inconclusive("the line ran, but no call of CUDA was seen there");
  int64_t Heap = heapBytesPerStep(C.Run, C.Facts.Clock);
  bool OfThatSize = C.TheFinding.Bytes && 2 * Heap >= *C.TheFinding.Bytes;
  if (Heap && OfThatSize) {
    Judgement J = confirmed("the host heap grows by " + formatBytes(Heap) +
                            " per step: memory of that size is never freed");
    J.TheEvidence.HostBytesPerStep = Heap;
    return J;
  }
  if (heapIsFlat(C.Run, C.Facts.Clock) && C.TheFinding.Bytes && !C.Run.UsesCuda)
    return refutedUnlessBlind(C.Run, "the host heap does not grow: what this line allocates is "
                                     "freed");
  return inconclusive("no allocation by LibTorch or CUDA was seen on this line or the lines that "
                      "it names; memory from elsewhere (malloc, new) is not traced by place");
}

} // namespace

Judgement judgeOwnership(const Case &C) {
  Owned O = ownedBy(C);
  Judgement J = O.BytesPerStep  ? growing(O)
                : O.Handles     ? confirmed(std::to_string(O.Handles) +
                                            " streams, events or handles that were made here "
                                                "were never destroyed, more in every step")
                : O.AtEnd       ? aliveAtEnd(C, O)
                : O.Allocations ? refutedUnlessBlind(C.Run, allFreed(C))
                                : foreignMemory(C);
  J.TheEvidence.Steps = static_cast<int64_t>(C.Facts.Where.StepsHit);
  return J;
}

} // namespace tensorleak
