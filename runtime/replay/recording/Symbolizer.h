//===-- Symbolizer.h - From recorded stacks to the user's source ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Happens after the program has ended, in our process, from the modules' files.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_RECORDING_SYMBOLIZER_H
#define TENSORLEAK_RUNTIME_REPLAY_RECORDING_SYMBOLIZER_H

#include "runtime/replay/debuginfo/DebugInfo.h"
#include "runtime/replay/recording/Recording.h"

namespace tensorleak {

/// The debug information of several files, each opened once.
class DebugFiles {
public:
  DebugInfo &open(const std::string &Path);

private:
  std::map<std::string, std::unique_ptr<DebugInfo>> Files;
};

class Symbolizer {
public:
  Symbolizer(const std::vector<trace::Module> &Modules, DebugFiles &Files);
  /// Takes the names that a kept trace brings with it.
  Symbolizer(const Recording &R, DebugFiles &Files);

  /// The user's frames on a stack of return addresses, innermost first; at most
  /// MaxUserFrames.
  std::vector<Frame> userFrames(const trace::Stack &Stack);
  /// The same where no debug information names a line: a Function is "main+0x57", the File is
  /// the module's, and there is no Line.
  std::vector<Frame> userSymbols(const trace::Stack &Stack);

  /// Deep recursion of the user's code would make every depth its own site.
  static constexpr size_t MaxUserFrames = 8;

  /// The loaded file that an address lies in, or null.
  const trace::Module *moduleAt(uint64_t Address) const;
  /// The user's functions, inlined ones first, in which that address lies; without debug
  /// information its symbol.
  const std::vector<Frame> &framesAt(uint64_t Address);
  DebugFiles &files() { return Files; }

private:
  std::vector<Frame> framesOf(const trace::Stack &Stack, bool WithLines);

  std::vector<trace::Module> Modules; ///< by Low
  DebugFiles &Files;
  std::map<uint64_t, std::vector<Frame>> Known; ///< only the user's frames
};

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_RECORDING_SYMBOLIZER_H
