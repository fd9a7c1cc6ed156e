//===-- SitePlace.cpp -----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/recording/SitePlace.h"

namespace tensorleak {
namespace {

/// Those with a line, if there are any.
std::vector<Frame> ownFrames(const Recording &R, uint64_t SiteId, Symbolizer &Symbols) {
  std::vector<Frame> Out;
  for (const trace::Stack *Stack : {stackOfSite(R, SiteId), pythonStackOfSite(R, SiteId)})
    if (Stack)
      for (const Frame &F : Symbols.userFrames(*Stack))
        Out.push_back(F);
  const trace::Stack *Stack = Out.empty() ? stackOfSite(R, SiteId) : nullptr;
  return Stack ? Symbols.userSymbols(*Stack) : Out;
}

/// The site that made the node which was running; nothing outside of backward.
std::optional<uint64_t> forwardOf(const Recording &R, uint64_t SiteId) {
  auto Site = R.Sites.find(SiteId);
  if (Site == R.Sites.end() || !Site->second.ForwardAndOne)
    return std::nullopt;
  return Site->second.ForwardAndOne - 1;
}

/// A node that backward made (create_graph) leads further back.
std::vector<Frame> forwardFrames(const Recording &R, uint64_t SiteId, Symbolizer &Symbols) {
  constexpr unsigned MaxOrder = 8;
  std::vector<Frame> Out;
  std::optional<uint64_t> Forward = forwardOf(R, SiteId);
  for (unsigned Order = 0; Forward && Order < MaxOrder; ++Order) {
    Out = ownFrames(R, *Forward, Symbols);
    std::optional<uint64_t> Next = forwardOf(R, *Forward);
    if (!Next)
      break;
    Forward = Next;
  }
  return Out;
}

} // namespace

SitePlace placeOfSite(const Recording &R, uint64_t SiteId, Symbolizer &Symbols) {
  SitePlace Out{ownFrames(R, SiteId, Symbols), forwardFrames(R, SiteId, Symbols)};
  if (Out.Frames.empty())
    Out.Frames = Out.Forward;
  return Out;
}

std::string describePlace(const SitePlace &Place) {
  const std::vector<Frame> &Frames = Place.Forward.empty() ? Place.Frames : Place.Forward;
  if (Frames.empty())
    return "an unknown place";
  return (Place.Forward.empty() ? "" : "backward of ") + shortPlace(Frames.front());
}

} // namespace tensorleak
