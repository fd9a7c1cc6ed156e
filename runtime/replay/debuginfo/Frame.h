//===-- Frame.h - A function on a stack -----------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_FRAME_H
#define TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_FRAME_H

#include "findings/Finding.h"

namespace tensorleak {

/// A function on a stack, and the place in it that was being executed.
struct Frame {
  std::string Function;
  Location Where;
  /// The blocks of the function that the place stands in, outermost first, by any number.
  std::vector<uint64_t> Blocks = {};
};

/// The same for the same place in the code only.
inline std::string placeKey(const Frame &F) {
  if (!F.Where.isValid())
    return F.Where.File + '|' + F.Function;
  return F.Where.File + ':' + std::to_string(F.Where.Line) + ':' + std::to_string(F.Where.Column);
}

/// "train.cpp:31"; of a program without debug information "train (main+0x57)".
inline std::string shortPlace(const Frame &F) {
  return F.Where.isValid() ? shortPlace(F.Where) : shortPlace(F.Where) + " (" + F.Function + ")";
}

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_DEBUGINFO_FRAME_H
