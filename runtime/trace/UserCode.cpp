//===-- UserCode.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <array>

namespace tensorleak {
namespace {

/// Where compilers, the C library and CUDA keep headers. Not all of /usr: people
/// build in /usr/src.
constexpr std::array<std::string_view, 5> SystemHeaders{
    "/usr/include/", "/usr/lib/", "/usr/local/include/", "/usr/local/cuda", "/opt/cuda/"};

/// LibTorch's header folders, wherever it is unpacked.
constexpr std::array<std::string_view, 5> TorchHeaders{"/include/torch/", "/include/ATen/",
                                                       "/include/c10/", "/include/caffe2/",
                                                       "-packages/torch/include/"};

/// Containers have the driver below /usr/local.
constexpr std::array<std::string_view, 5> SystemLibraries{"/lib/", "/lib64/", "/usr/lib/",
                                                          "/usr/lib64/", "/usr/local/nvidia/"};

/// Where LibTorch is unpacked as a whole, with the libraries that it brings along.
constexpr std::array<std::string_view, 3> TorchFolders{"/libtorch/lib/", "-packages/torch/lib/",
                                                       "-packages/nvidia/"};

/// How the names of their files begin: LibTorch's, CUDA's and its driver's, those for threads and
/// arithmetic, our own. Folders are named so too, and hold programs of the user's.
constexpr std::array<std::string_view, 34> LibraryNames{"libtorch.",         "libtorch_cpu",
                                                        "libtorch_cuda",     "libtorch_hip",
                                                        "libtorch_python",   "libtorch_global_deps",
                                                        "libtorch_tensorrt", "libtorchvision",
                                                        "libtorchaudio",     "libtorchtext",
                                                        "libc10.",           "libc10_",
                                                        "libc10-",           "libtorch-",
                                                        "libcudart",         "libcudnn",
                                                        "libcublas",         "libcufft",
                                                        "libcurand",         "libcusparse",
                                                        "libcusolver",       "libnccl",
                                                        "libcuda.so",        "libcupti",
                                                        "libcufile",         "libnvidia-",
                                                        "libnvrtc",          "libnvJitLink",
                                                        "libnvToolsExt",     "libnvinfer",
                                                        "libgomp",           "libiomp5",
                                                        "libmkl_",           "libtensorleak-probe"};

template <size_t N>
bool startsWithAny(std::string_view Path, const std::array<std::string_view, N> &Starts) {
  return std::any_of(Starts.begin(), Starts.end(), [Path](std::string_view Start) {
    return Path.compare(0, Start.size(), Start) == 0;
  });
}

template <size_t N>
bool containsAny(std::string_view Path, const std::array<std::string_view, N> &Parts) {
  return std::any_of(Parts.begin(), Parts.end(), [Path](std::string_view Part) {
    return Path.find(Part) != std::string_view::npos;
  });
}

/// The interpreter and its own modules, which are often built with debug information.
bool isPython(std::string_view Path) {
  std::string_view Name = fileNameOf(Path);
  return Name.compare(0, 7, "python3") == 0 || Name.compare(0, 10, "libpython3") == 0 ||
         Path.find("/lib-dynload/") != std::string_view::npos;
}

constexpr std::array<std::string_view, 3> PythonPackages{"/site-packages/", "/dist-packages/",
                                                         "/lib/python3"};

} // namespace

std::string_view fileNameOf(std::string_view Path) { return Path.substr(Path.rfind('/') + 1); }

bool isUserSource(std::string_view Path) {
  return !Path.empty() && Path.front() == '/' && !startsWithAny(Path, SystemHeaders) &&
         !containsAny(Path, TorchHeaders);
}

bool isUserModule(std::string_view Path) {
  return !Path.empty() && Path.front() == '/' && !startsWithAny(Path, SystemLibraries) &&
         !containsAny(Path, TorchFolders) && !startsWithAny(fileNameOf(Path), LibraryNames) &&
         !isPython(Path);
}

bool isUserPython(std::string_view Path) {
  constexpr std::string_view Frozen = "<frozen";
  return !Path.empty() && Path.compare(0, Frozen.size(), Frozen) != 0 &&
         !containsAny(Path, PythonPackages);
}

} // namespace tensorleak
