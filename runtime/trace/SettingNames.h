//===-- SettingNames.h - Names of what decides what can be seen -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_SETTINGNAMES_H
#define TENSORLEAK_RUNTIME_TRACE_SETTINGNAMES_H

namespace tensorleak::trace {

/// Names of settings that are no environment variables.
/// Who serves malloc, if that is not glibc: the name of a file.
constexpr const char *HeapAllocatorSetting = "heap-allocator";
/// The same, if its calls were not watched.
constexpr const char *HeapUnwatchedSetting = "heap-unwatched";
constexpr const char *CpuAllocatorSetting = "cpu-allocator";   ///< its mangled class
constexpr const char *CudaAllocatorSetting = "cuda-allocator"; ///< its mangled class
constexpr const char *AttachedSetting = "attached";            ///< watched from then on only
constexpr const char *CudaDriverSetting = "cuda-driver";       ///< "loaded"
/// How calls of CUDA were watched; absent if none was made or nobody watched.
constexpr const char *CudaCallsSetting = "cuda-calls";
constexpr const char *CudaInterposed = "interposed", *CudaByCupti = "cupti",
                     *CudaNoCupti = "no-cupti", *CudaProfilerHoldsCupti = "a-profiler-holds-cupti";

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_SETTINGNAMES_H
