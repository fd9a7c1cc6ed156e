//===-- Ownership.cpp - Memory that nobody can free any more --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/VerdictText.h"
#include "runtime/replay/verdicts/Expected.h"
#include "runtime/replay/verdicts/HeldPlaces.h"
#include "runtime/replay/verdicts/Matcher.h"
#include "runtime/replay/verdicts/Verdicts.h"

#include <algorithm>

namespace tensorleak {
namespace {

/// What the finding's lines allocated.
struct Owned {
  int64_t BytesPerStep = 0, AtEnd = 0;
  uint64_t Allocations = 0;
  bool OnHeap = true;  ///< all of them were malloc's
  bool Unheld = false; ///< nothing points to it any more
  std::string Things;  ///< "2 streams", those without a size that are still there
  uint64_t Count = 0;
  bool ThingsGrow = false;
  std::string Per; ///< SiteGrowth::Per of what grows

  void addGrowth(const SiteGrowth &G) {
    Per = BytesPerStep || ThingsGrow ? perOfBoth(Per, G.Per) : G.Per;
    BytesPerStep += G.BytesPerStep;
  }

  std::string alive() const {
    std::string Bytes = AtEnd ? formatBytes(AtEnd) : "";
    return Bytes + (AtEnd && !Things.empty() ? " and " : "") + Things;
  }
  bool empty() const { return !AtEnd && Things.empty(); }
  bool isOne() const { return !AtEnd && Count == 1; }
};

void addThings(const SiteGrowth &G, Owned &Out) {
  bool Grows = G.TheGrowth == Growth::Growing;
  uint64_t Count = Grows ? G.TotalObjects : G.Site->AtEnd;
  if (G.Site->Thing.isMemory() || !Count)
    return;
  Out.Things += (Out.Things.empty() ? "" : ", ") + G.Site->Thing.counted(Count);
  Out.Count += Count;
  Out.ThingsGrow |= Grows;
}

/// The finding's own line may name the memory only, and make tensors besides: a copy of what
/// 'from_blob' is over.
Owned ownedBy(const Case &C) {
  Owned Out;
  for (const SiteGrowth &G : C.Sites) {
    if (!isProduced(C.TheFinding, G.Site->Frames))
      continue;
    Out.Allocations += G.Site->Allocations;
    Out.OnHeap &= G.Site->OnHeap;
    Out.AtEnd += G.Site->BytesAtEnd;
    Out.Unheld |= nobodyHolds(*G.Site, C.Run);
    if (G.TheGrowth == Growth::Growing)
      Out.addGrowth(G);
    addThings(G, Out);
  }
  return Out;
}

/// One way out may lose what several lines took.
bool speaksOfLines(const Finding &F) {
  const std::vector<Location> &Producers = F.TheSubject.Producers;
  return std::any_of(Producers.begin(), Producers.end(), [&F](const Location &P) {
    return P.Line != F.Where.Line || P.File != F.Where.File;
  });
}

Judgement growing(const Case &C, const Owned &O) {
  std::string Taken =
      speaksOfLines(C.TheFinding) ? "what these lines allocate" : "what this line allocates";
  std::string What =
      (O.BytesPerStep ? Taken + " is never freed: " + formatBytes(O.BytesPerStep) + " more"
                      : O.Things + " that were made here were never destroyed, more") +
      " in every " + nameOfStep(O.Per);
  Judgement J = confirmed(What + (O.Unheld ? "; " + std::string(NobodyHolds) : ""));
  if (O.BytesPerStep) {
    J.TheEvidence.BytesPerStep = O.BytesPerStep;
    J.TheEvidence.Per = O.Per;
    J.TheEvidence.TotalBytes = O.AtEnd;
  }
  return J;
}

Judgement aliveAtEnd(const Case &C, const Owned &O) {
  std::string What = O.alive() + (O.AtEnd ? " allocated" : " made") + " here " +
                     (O.isOne() ? "was" : "were") + " alive at the end";
  if (!C.Run.MainReturned)
    return inconclusive(What + ", but the program did not return from main: its variables may "
                               "still have held them");
  Judgement J = confirmed(What + ", after main had returned and its variables were gone");
  if (O.AtEnd)
    J.TheEvidence.TotalBytes = O.AtEnd;
  return J;
}

std::string allFreed(const Case &C) {
  int64_t Expected = expectedBytes(C.TheFinding, C.Run);
  return "all that " + std::string(speaksOfLines(C.TheFinding) ? "these lines" : "this line") +
         " allocated or made was freed" +
         (Expected ? ", but for the " + formatBytes(Expected) + " that the program expects"
                   : std::string());
}

/// The finding speaks of one way out of the function, and the run took others only.
bool tookOtherWays(const Case &C) {
  return C.TheFinding.TheSubject.LastUse.isValid() && C.Facts.LastUse.Armed > 0 &&
         !C.Facts.LastUse.reached();
}

/// Nor does the run see whether that way was taken: the lines of others run there too.
Judgement freedOnSeenWays(const Case &C) {
  return inconclusive(allFreed(C) + "; whether the program took the way out at " +
                      shortPlace(C.TheFinding.TheSubject.LastUse) +
                      ", which leaves it behind, cannot be seen: an exception of a call, or a part "
                      "of a macro, has no line of its own");
}

/// What grows and nobody points to: an object that owns itself is lost with what it owns, and may
/// have got that anywhere.
int64_t lostElsewhere(const Case &C) {
  int64_t Bytes = 0;
  if (C.TheFinding.Rule == rules::UndeletedTensor)
    for (const SiteGrowth &G : C.Sites)
      if (G.TheGrowth == Growth::Growing && nobodyHolds(*G.Site, C.Run))
        Bytes += G.BytesPerStep;
  return Bytes;
}

Judgement freed(const Case &C) {
  if (int64_t Lost = lostElsewhere(C))
    return inconclusive(allFreed(C) + ", but " + formatBytes(Lost) +
                        " more in every step, allocated elsewhere, are lost: they may have been "
                        "the object's");
  if (!tookOtherWays(C))
    return C.TheFinding.TheSubject.UnseenWay ? freedOnSeenWays(C)
                                             : refutedUnlessBlind(C.Run, allFreed(C));
  return notReached(allFreed(C) + "; the program never took the way out at " +
                    shortPlace(C.TheFinding.TheSubject.LastUse) +
                    ", which leaves it behind: give it input that does");
}

/// Other lines take what the finding's line lets go of, for others too. That line may have no code
/// of its own; LastUse comes before it.
bool neverLetsGo(const Case &C) {
  const bool AreOthers =
      !C.TheFinding.TheSubject.Producers.empty() && !isProducer(C.TheFinding, C.TheFinding.Where);
  return AreOthers && tookOtherWays(C);
}

Owned lostInFunction(const Case &C) {
  Owned Out;
  for (const SiteGrowth &G : C.Sites)
    if (G.TheGrowth == Growth::Growing && isLostWithOwner(C.TheFinding, *G.Site, C.Run)) {
      Out.addGrowth(G);
      Out.AtEnd += G.TotalBytes;
    }
  return Out;
}

Judgement lost(const Owned &O) {
  Judgement J = confirmed("what this function makes grows in every " + nameOfStep(O.Per) +
                          ", and no pointer to it was found: it is lost with its owner");
  J.TheEvidence.BytesPerStep = O.BytesPerStep;
  J.TheEvidence.Per = O.Per;
  J.TheEvidence.TotalBytes = O.AtEnd;
  return J;
}

/// An object of the host that is lost in every step shows in the heap or in what it owns.
bool nothingPilesUp(const Case &C) {
  bool IsGrowing = std::any_of(C.Sites.begin(), C.Sites.end(), [](const SiteGrowth &G) {
    return G.TheGrowth == Growth::Growing || G.TheGrowth == Growth::Slowing;
  });
  return !IsGrowing && heapIsFlat(C.Run, C.Facts.Clock) &&
         C.Facts.Where.StepsHit >= MinStepsToJudge;
}

/// What the device has is not in the host's heap, although the lines may take something there too.
bool speaksOfDevice(const Finding &F) {
  return F.Rule == rules::UnfreedDeviceMemory && !F.TheSubject.Host;
}

/// from_blob over malloc and the like: not LibTorch's memory, seen only as host
/// heap.
Judgement foreignMemory(const Case &C) {
  if (speaksOfDevice(C.TheFinding))
    return inconclusive("the line ran, but no call of CUDA was seen there");
  if (Owned O = lostInFunction(C); O.BytesPerStep)
    return lost(O);
  int64_t Heap = heapBytesPerStep(C.Run, C.Facts.Clock);
  bool OfThatSize = C.TheFinding.Bytes && 2 * Heap >= *C.TheFinding.Bytes;
  if (Heap && OfThatSize) {
    Judgement J = confirmed("the host heap grows by " + formatBytes(Heap) +
                            " per step: memory of that size is never freed");
    J.TheEvidence.HostBytesPerStep = Heap;
    return J;
  }
  bool IsFlat = heapIsFlat(C.Run, C.Facts.Clock) && C.TheFinding.Bytes;
  if ((IsFlat || nothingPilesUp(C)) && !C.Run.UsesCuda)
    return refutedUnlessBlind(C.Run, "the host heap does not grow: what this line allocates is "
                                     "freed");
  return inconclusive("no allocation was seen on this line or the lines that it names; blocks of "
                      "less than 1 KiB from malloc and new are not traced by place");
}

} // namespace

Judgement judgeOwnership(const Case &C) {
  if (neverLetsGo(C))
    return notReached("the program never ran this line; give it input that does");
  Owned O = ownedBy(C);
  Judgement J = O.BytesPerStep || O.ThingsGrow                                 ? growing(C, O)
                : !O.empty()                                                   ? aliveAtEnd(C, O)
                : O.Allocations && !(O.OnHeap && speaksOfDevice(C.TheFinding)) ? freed(C)
                                                                               : foreignMemory(C);
  J.TheEvidence.Steps = static_cast<int64_t>(C.Facts.Where.StepsHit);
  return J;
}

} // namespace tensorleak
