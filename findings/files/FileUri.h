//===-- FileUri.h - Files as URIs --------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FILES_FILEURI_H
#define TENSORLEAK_FINDINGS_FILES_FILEURI_H

#include <string>

namespace tensorleak {

/// "file:///src/a%20b.cpp" (RFC 8089). Any name comes back, also one that is not UTF-8.
std::string fileUri(const std::string &Path);

/// "src/a%20b.cpp", of a path that is relative to something that goes with it.
std::string relativeUri(const std::string &Path);

/// The file of a URI; what is no file URI is taken as a path.
std::string pathOfUri(const std::string &Uri);

/// The path that a relative reference was made of.
std::string pathOfRelativeUri(const std::string &Uri);

/// Where the tool works; "" where that folder was removed: paths stay long then.
std::string workingFolder();

/// \p Path relative to \p Folder where it lies below it; else as it is.
std::string shortPath(const std::string &Path, const std::string &Folder);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FILES_FILEURI_H
