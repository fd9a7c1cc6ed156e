//===-- Channel.h - The tool's end of the connection with the probe -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See runtime/trace/AttachChannel.h. Where the connection ends, for whatever reason, the
// probe leaves the program.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_ATTACH_CHANNEL_H
#define TENSORLEAK_TOOL_ATTACH_CHANNEL_H

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tensorleak {

class Channel {
public:
  /// Listens at \p Path, for a process of that user. \throws UsageError
  Channel(const std::string &Path, uid_t User, gid_t Group);
  ~Channel();
  Channel(const Channel &) = delete;
  Channel &operator=(const Channel &) = delete;

  /// Waits for the probe to connect; false if it does not.
  bool accept(std::chrono::milliseconds AtMost);
  /// What the probe says: a character of AttachChannel.h; nothing if it says nothing in that
  /// time or a signal came. 0 where the connection ended.
  std::optional<char> hear(std::chrono::milliseconds AtMost);
  void askToLeave();

private:
  int Listening = -1, Probe = -1;
};

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_ATTACH_CHANNEL_H
