//===-- Places.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/assertions/Places.h"
#include "findings/files/FileUri.h"

#include <algorithm>

namespace tensorleak {

std::string nameOfPlace(const SitePlace &Place, const std::string &Folder) {
  const std::vector<Frame> &Frames = Place.Forward.empty() ? Place.Frames : Place.Forward;
  if (Frames.empty())
    return "an unknown place";
  const Frame &At = Frames.front();
  std::string Out = Place.Forward.empty() ? "" : "the backward pass of ";
  Out += shortPath(At.Where.File, Folder);
  if (At.Where.isValid())
    Out += ":" + std::to_string(At.Where.Line);
  if (At.Where.isValid() && At.Where.Column)
    Out += ":" + std::to_string(At.Where.Column);
  return At.Function.empty() ? Out : Out + " (" + At.Function + ")";
}

void BytesByPlace::add(uint64_t SiteId, int64_t Bytes) {
  if (Bytes <= 0)
    return;
  SitePlace Where = placeOfSite(C.R, SiteId, C.Symbols);
  Place &P = Places[nameOfPlace(Where, C.R.TheProcess.WorkingDirectory)];
  P.Bytes += Bytes;
  if (std::string Op = functionOfSite(C.R, SiteId); !Op.empty())
    P.Ops.insert(Op);
}

int64_t BytesByPlace::most() const {
  int64_t Most = 0;
  for (const auto &[Name, P] : Places)
    Most = std::max(Most, P.Bytes);
  return Most;
}

std::string BytesByPlace::largest(int64_t Above) const {
  constexpr size_t Shown = 5;
  std::vector<std::pair<int64_t, std::string>> Sorted;
  for (const auto &[Name, P] : Places) {
    if (P.Bytes <= Above)
      continue;
    std::string Line = "\n  " + formatBytes(P.Bytes) + " from " + Name;
    for (const std::string &Op : P.Ops)
      Line += ", " + Op;
    Sorted.emplace_back(-P.Bytes, std::move(Line));
  }
  std::sort(Sorted.begin(), Sorted.end());
  std::string Out;
  for (size_t I = 0; I < std::min(Shown, Sorted.size()); ++I)
    Out += Sorted[I].second;
  if (Sorted.size() > Shown)
    Out += "\n  and " + std::to_string(Sorted.size() - Shown) + " more places";
  return Out;
}

} // namespace tensorleak
