//===-- Machine.h - What this machine offers the verifier -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks, without starting anything heavy, for what `doctor` speaks of. Printing
// is not done here.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_MACHINE_H
#define TENSORLEAK_TOOL_MACHINE_H

#include <optional>
#include <string>
#include <vector>

namespace tensorleak {

/// One LibTorch that a program on this machine could load.
struct TorchLibrary {
  std::string Folder;
  std::string Version; ///< "" if it does not say
  bool HasCuda = false;
  std::string Origin; ///< "system", "python3", "LD_LIBRARY_PATH"
};
std::vector<TorchLibrary> findTorchLibraries();

/// An executable of that name in PATH or in /usr/local/cuda/bin.
std::optional<std::string> findTool(const std::string &Name);

/// The loaded NVIDIA kernel driver's version, or nothing.
std::optional<std::string> nvidiaDriver();

/// Whether code pages may be written: what the one-shot breakpoints need.
bool canPatchCode();

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_MACHINE_H
