//===-- StatusArea.h - Lines at the bottom of a terminal ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last lines of the terminal are kept for us while a program writes to the lines above:
// they scroll by themselves, so that neither disturbs the other.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_LIVE_STATUSAREA_H
#define TENSORLEAK_TOOL_LIVE_STATUSAREA_H

#include <cstddef>
#include <string>
#include <vector>

namespace tensorleak {

class StatusArea {
public:
  StatusArea() = default;
  /// Gives the lines back, empty.
  ~StatusArea();
  StatusArea(const StatusArea &) = delete;
  StatusArea &operator=(const StatusArea &) = delete;

  /// Whether the standard error is a terminal that can do this, and ours to write to.
  static bool isPossible();
  /// Shows these lines, cut where the terminal ends; nothing on one that is too small for them.
  void show(const std::vector<std::string> &Lines);
  /// How many lines are free for us at most.
  static size_t room();

private:
  void reserve(size_t Wanted, size_t OfRows);
  void giveBack();

  size_t Lines = 0, Rows = 0; ///< that are reserved, of so many
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_LIVE_STATUSAREA_H
