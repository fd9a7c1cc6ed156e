//===-- Expected.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/verdicts/Expected.h"
#include "runtime/replay/verdicts/Verdicts.h"

namespace tensorleak {
namespace {

int64_t aliveAtEnd(const std::vector<RecordedObject> &Objects) {
  int64_t Bytes = 0;
  for (const RecordedObject &O : Objects)
    Bytes += O.DeathTick ? 0 : static_cast<int64_t>(O.Bytes);
  return Bytes;
}

Finding asFinding(const SiteGrowth &G) {
  Finding F = observedGrowth(G);
  F.Message = "what is allocated here stays alive and grows per step, as the program expects";
  F.Suppressed = {/*InSource=*/true, "tensorleak_expect_retained()"};
  return F;
}

} // namespace

std::vector<Finding> expectedGrowth(const RunFacts &Run) {
  std::vector<Finding> Out;
  for (const SourceSite &Site : Run.Sites) {
    SiteGrowth G = growthOf(Site.Expected, Run.Clock);
    G.Site = &Site;
    bool Grows = G.TheGrowth == Growth::Growing || G.TheGrowth == Growth::Slowing;
    if (Grows && G.BytesPerStep > 0 && !Site.Frames.empty())
      Out.push_back(asFinding(G));
  }
  return Out;
}

int64_t expectedBytes(const Finding &F, const RunFacts &Run) {
  int64_t Bytes = 0;
  for (const SourceSite &Site : Run.Sites)
    if (match(F, Site.Frames) == Match::Line || isHeldBy(F, Site, Run))
      Bytes += aliveAtEnd(Site.Expected);
  return Bytes;
}

} // namespace tensorleak
