//===-- ReplaceFile.h - A file's new content, whole or not at all ------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FILES_REPLACEFILE_H
#define TENSORLEAK_FINDINGS_FILES_REPLACEFILE_H

#include <string>
#include <string_view>

namespace tensorleak {

/// Gives the file this content, or leaves it as it was: the text is written beside it, and takes
/// its name once all of it is on the disk. A link stays a link, and the file keeps its mode. A
/// device or a pipe (/dev/stdout) stays what it is, and is written to.
/// Throws std::system_error where that fails: the disk is full, the file or its folder may not be
/// written. A file whose mode lets nobody write is refused, also for root.
void replaceFile(const std::string &Path, std::string_view Text);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FILES_REPLACEFILE_H
