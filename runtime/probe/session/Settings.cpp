//===-- Settings.cpp - What decides which memory can be seen ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Settings.h. An allocator is known by the class of the object that LibTorch
// would call: its vtable leads to its type info, whatever the version.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/Settings.h"
#include "runtime/probe/core/Modules.h"
#include "runtime/probe/session/Sources.h"
#include "runtime/trace/Ranks.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace tensorleak::probe {
namespace {

constexpr const char *Variables[] = {"PYTORCH_NO_CUDA_MEMORY_CACHING", "PYTORCH_CUDA_ALLOC_CONF",
                                     "PYTORCH_ALLOC_CONF"};

std::atomic<const char *> CudaWatchState{nullptr};

/// The mangled class of a polymorphic object (Itanium C++ ABI).
std::string className(const void *Object) {
  if (!Object)
    return {};
  auto *Vtable = *static_cast<const void *const *const *>(Object);
  auto *TypeInfo = static_cast<const char *const *>(Vtable[-1]);
  return TypeInfo && TypeInfo[1] ? TypeInfo[1] : "";
}

void writeClass(Recorder &Trace, const char *Name, const void *Object) {
  if (std::string Class = className(Object); !Class.empty())
    Trace.write(trace::Setting{Name, Class});
}

void writeVariable(Recorder &Trace, const char *Name) {
  if (const char *Value = std::getenv(Name))
    Trace.write(trace::Setting{Name, Value});
}

const void *cpuAllocator() {
  auto Get = reinterpret_cast<void *(*)(const int8_t &)>(
      realSymbol("_ZN3c1012GetAllocatorERKNS_10DeviceTypeE"));
  constexpr int8_t Cpu = 0;
  return Get ? Get(Cpu) : nullptr;
}

/// An atomic pointer to the allocator in use; LibTorch before 2.0 has none.
const void *cudaAllocator() {
  void *At = realSymbol("_ZN3c104cuda20CUDACachingAllocator9allocatorE");
  return At ? *static_cast<const void *const *>(At) : nullptr;
}

void writeHeapAllocator(Recorder &Trace) {
  HeapAllocator Heap = heapAllocator();
  if (!Heap.IsGlibcs)
    Trace.write(trace::Setting{trace::HeapAllocatorSetting, Heap.File});
  if (!Heap.IsWatched)
    Trace.write(trace::Setting{trace::HeapUnwatchedSetting, Heap.File});
}

bool cudaDriverIsLoaded() {
  for (const LoadedModule &M : loadedModules())
    if (M.path().find("/libcuda.so") != std::string::npos)
      return true;
  return false;
}

} // namespace

void setCudaWatchState(const char *State) { CudaWatchState = State; }

void noteCudaInterposed() {
  const char *None = nullptr;
  CudaWatchState.compare_exchange_strong(None, trace::CudaInterposed);
}

void writeSettings(Recorder &Trace) {
  for (const char *Name : Variables)
    writeVariable(Trace, Name);
  for (const trace::RankVariables &V : trace::Launchers) {
    writeVariable(Trace, V.Rank);
    writeVariable(Trace, V.WorldSize);
  }
  writeClass(Trace, trace::CpuAllocatorSetting, cpuAllocator());
  writeClass(Trace, trace::CudaAllocatorSetting, cudaAllocator());
  writeHeapAllocator(Trace);
  if (const char *State = CudaWatchState.load())
    Trace.write(trace::Setting{trace::CudaCallsSetting, State});
  if (EntersRunningProgram)
    Trace.write(trace::Setting{trace::AttachedSetting, "running"});
  if (cudaDriverIsLoaded())
    Trace.write(trace::Setting{trace::CudaDriverSetting, "loaded"});
}

} // namespace tensorleak::probe
