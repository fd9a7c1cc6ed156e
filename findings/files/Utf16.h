//===-- Utf16.h - Texts as UTF-16 counts them -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources are UTF-8, and Clang's columns count bytes. SARIF counts UTF-16's code units.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_FILES_UTF16_H
#define TENSORLEAK_FINDINGS_FILES_UTF16_H

#include <string>
#include <string_view>

namespace tensorleak {

/// What is not UTF-8 becomes U+FFFD, each byte by itself.
std::u16string toUtf16(std::string_view Utf8);

/// The column of a line in UTF-16's code units that is \p Column in bytes; both from 1.
unsigned utf16Column(std::string_view Line, unsigned Column);
/// The way back.
unsigned byteColumn(std::string_view Line, unsigned Utf16Column);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_FILES_UTF16_H
