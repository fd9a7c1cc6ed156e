//===-- ReadFile.h - What a file holds -----------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FILES_READFILE_H
#define TENSORLEAK_FINDINGS_FILES_READFILE_H

#include <optional>
#include <string>

namespace tensorleak {

/// A file that the user named: it may be a pipe, but not what never ends.
/// \throws std::runtime_error with why it cannot be read, to go on after its name.
std::string readFile(const std::string &Path);

/// No source is larger.
constexpr size_t MaxSourceBytes = 16 << 20;

/// A file that another one named: nothing is waited for. Nothing where it is no plain file or
/// larger than \p MaxBytes.
std::optional<std::string> readPlainFile(const std::string &Path, size_t MaxBytes);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FILES_READFILE_H
