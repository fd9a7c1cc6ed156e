//===-- Installation.h - Where the tool's own files are -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool and its libraries find each other relative to the executable, so
// that the build tree, an installed tree and a moved one all work.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_TOOL_INSTALLATION_H
#define TENSORLEAK_TOOL_INSTALLATION_H

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tensorleak {

/// The folders in which our libraries may lie: the build tree's, then the installed.
std::vector<std::filesystem::path> libraryFolders();

/// The library of that file name, or nothing.
std::optional<std::filesystem::path> findLibrary(const std::string &Name);

/// The program of that name beside this one, or nothing.
std::optional<std::filesystem::path> findProgramBeside(const std::string &Name);

inline constexpr const char *TidyPluginName = "libtensorleak-tidy.so";
inline constexpr const char *EditorServerName = "tensorleak-clangd";
inline constexpr const char *TorchProbeName = "libtensorleak-probe.so";
/// The same with hooks for CUDA's own calls.
inline constexpr const char *CudaProbeName = "libtensorleak-probe-cuda.so";
/// The first one, for a program that runs already.
inline constexpr const char *AttachProbeName = "libtensorleak-probe-attach.so";

} // namespace tensorleak

#endif // TENSORLEAK_TOOL_INSTALLATION_H
