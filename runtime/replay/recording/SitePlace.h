//===-- SitePlace.h - A recorded site in the user's source ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backward pass runs where backward() was called, or on a thread of LibTorch's where
// no frame is the user's. Either way the line that made the running node explains more.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_RECORDING_SITEPLACE_H
#define TENSORLEAK_RUNTIME_REPLAY_RECORDING_SITEPLACE_H

#include "runtime/replay/recording/Symbolizer.h"

namespace tensorleak {

struct SitePlace {
  /// The user's, innermost first. Of a site on one of LibTorch's threads, those of Forward.
  std::vector<Frame> Frames;
  /// Where the operator was called whose backward ran; empty if none ran or it is unknown.
  std::vector<Frame> Forward;
};

SitePlace placeOfSite(const Recording &R, uint64_t SiteId, Symbolizer &Symbols);

/// "train.cpp:31", "backward of train.cpp:31", or "an unknown place".
std::string describePlace(const SitePlace &Place);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_RECORDING_SITEPLACE_H
