//===-- HostVersion.cpp - Refuses a clang-tidy of another LLVM -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin. A clang-tidy of another LLVM major loads it, lists its checks,
// finds nothing and exits with 0: silence that looks like clean code. So the
// plugin ends such a host before it starts.
//
//===----------------------------------------------------------------------===//
#include "clang/Basic/Version.h"
#include "llvm/ADT/StringRef.h"
#include <cstdio>
#include <cstdlib>

namespace {

/// "Debian clang version 22.1.8 (...)" gives 22; 0 when there is no number.
unsigned majorOf(llvm::StringRef FullVersion) {
  unsigned Major = 0;
  llvm::StringRef Number = FullVersion.split("version ").second;
  return Number.consumeInteger(10, Major) ? 0 : Major;
}

struct HostVersionGuard {
  HostVersionGuard() {
    unsigned Host = majorOf(clang::getClangFullVersion());
    if (Host == CLANG_VERSION_MAJOR)
      return;
    std::fprintf(stderr,
                 "tensorleak: error: this plugin was built for LLVM %d and cannot run in LLVM %u; "
                 "use clang-tidy-%d, or build tensorleak with -DTENSORLEAK_LLVM_VERSION=%u\n",
                 CLANG_VERSION_MAJOR, Host, CLANG_VERSION_MAJOR, Host);
    std::_Exit(2);
  }
};

// The loader runs it when the host opens the plugin.
HostVersionGuard TheGuard;

} // namespace
