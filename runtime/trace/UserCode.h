//===-- UserCode.h - Whose code is a file? --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack goes from the allocator through LibTorch, its headers and the standard
// library's to the user's code; only the last is of interest.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_USERCODE_H
#define TENSORLEAK_RUNTIME_TRACE_USERCODE_H

#include <string_view>

namespace tensorleak {

/// What stands after the last slash: a folder may be named as a library is.
std::string_view fileNameOf(std::string_view Path);

/// Whether a source file is the user's: not a system header, not LibTorch's.
bool isUserSource(std::string_view Path);

/// Whether a loaded file may hold user code: not a library of the system.
bool isUserModule(std::string_view Path);

/// Whether a file of Python's, as its functions name it, is the user's: not of the standard
/// library, nor of an installed package.
bool isUserPython(std::string_view Path);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_TRACE_USERCODE_H
