//===-- CheckRequest.h - What a user asks to be checked -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_COMMANDS_CHECKREQUEST_H
#define TENSORLEAK_CHECKS_FRONTEND_COMMANDS_CHECKREQUEST_H

#include "checks/DumpRequest.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tensorleak {

/// The request cannot be served: one sentence that says what is wrong, where, and how to
/// fix it.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One of several machines that check a project together: the \p Number-th of \p Count.
struct Shard {
  size_t Number = 1, Count = 1;
  bool has(size_t Unit) const { return Unit % Count == Number - 1; }
};

struct CheckRequest {
  std::string BuildDirectory;     ///< where compile_commands.json lies; "" searches for it
  std::vector<std::string> Paths; ///< files, or folders; empty: all of the database
  std::optional<std::vector<std::string>> Flags; ///< what stands after `--`
  std::string Checks; ///< globs after those of .clang-tidy, as in clang-tidy
  std::optional<int64_t> MinBytes;
  std::string CudaPath; ///< a CUDA toolkit, "none", or "" to search for one
  unsigned Jobs = 0;    ///< 0: one per core
  bool UseCache = true;
  std::vector<std::string> Known; ///< files that shards wrote: what need not be analysed again
  std::optional<Shard> Part;      ///< analyse only that, and leave the results in
  std::string PartFile;
  DumpRequest Dump;
  /// Called before each unit, never from two threads at once.
  std::function<void(size_t Number, size_t Total, const std::string &File)> Progress;
  /// Called with what the user should know of the files that are checked, before they are.
  std::function<void(const std::string &Sentence)> Notice;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_COMMANDS_CHECKREQUEST_H
