//===-- BlindSpots.cpp - What a run could not see -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "No growth" must never mean "not watched".
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/FunctionName.h"
#include "runtime/replay/facts/Ledger.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>

namespace tensorleak {
namespace {

bool loads(const Recording &R, const char *Library) {
  return std::any_of(R.Modules.begin(), R.Modules.end(), [Library](const trace::Module &M) {
    return fileNameOf(M.Path).find(Library) != std::string_view::npos;
  });
}

uint64_t callsOf(const Recording &R, const char *Hook) {
  auto State = R.Hooks.find(Hook);
  return State == R.Hooks.end() ? 0 : State->second.Calls;
}

/// How calls of CUDA were watched, "" if they were not.
std::string cudaCalls(const Recording &R) {
  auto Set = R.Settings.find(trace::CudaCallsSetting);
  return Set == R.Settings.end() ? "" : Set->second;
}

bool watchesCuda(const Recording &R) {
  return cudaCalls(R) == trace::CudaInterposed || cudaCalls(R) == trace::CudaByCupti;
}

void addCudaCallSpots(const Recording &R, std::vector<BlindSpot> &Out) {
  if (cudaCalls(R) == trace::CudaProfilerHoldsCupti)
    Out.push_back(
        {"another profiler uses CUPTI, which allows only one: calls of CUDA were not seen",
         BlindSpot::Memory});
  else if (cudaCalls(R) == trace::CudaNoCupti)
    Out.push_back({"the CUDA runtime is linked statically and no CUPTI was found: calls of CUDA "
                   "were not seen; install CUPTI or link with -cudart shared",
                   BlindSpot::Memory});
}

/// Of LibTorch or CUDA: what the program's own code takes from malloc shows nothing of these.
uint64_t watchedAllocations(const Recording &R) {
  uint64_t FromHeap = 0;
  for (const auto &[Id, Site] : R.Sites)
    if (auto Counted = R.Counters.find(Id);
        Site.DeviceType == trace::ProgramHeap && Counted != R.Counters.end())
      FromHeap += Counted->second.Allocations;
  return R.Read.Now.Allocations - std::min(FromHeap, R.Read.Now.Allocations);
}

void addTorchSpots(const Recording &R, std::vector<BlindSpot> &Out) {
  const trace::Totals &Now = R.Read.Now;
  if (!loads(R, "libtorch") && !loads(R, "libc10") && watchesCuda(R))
    return; // a program that uses CUDA by itself
  if (!loads(R, "libtorch") && !loads(R, "libc10"))
    Out.push_back({"the program loaded no shared LibTorch; a statically linked one cannot be "
                   "watched"});
  else if (watchedAllocations(R) == 0)
    Out.push_back({"LibTorch is loaded, but not one of its allocations was seen: its functions "
                   "could not be hooked, as when it is opened with RTLD_DEEPBIND or linked with "
                   "-Bsymbolic"});
  else if (Now.Frees == 0 && Now.Allocations > 1000 && !R.Settings.count(trace::AttachedSetting))
    Out.push_back({"allocations were seen but no frees: the free function could not be hooked"});
}

/// A setting under which LibTorch's CUDA memory is not reported to anybody.
struct Blinding {
  const char *Setting, *ValueHas, *Why;
};
constexpr Blinding CudaBlindings[] = {
    {"PYTORCH_NO_CUDA_MEMORY_CACHING", "",
     "PYTORCH_NO_CUDA_MEMORY_CACHING is set, and LibTorch then reports no CUDA allocation; unset "
     "it for this run"},
    {"PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync",
     "PYTORCH_CUDA_ALLOC_CONF selects cudaMallocAsync, and LibTorch then reports no CUDA "
     "allocation; use the native backend for this run"},
    {"PYTORCH_ALLOC_CONF", "backend:cudaMallocAsync",
     "PYTORCH_ALLOC_CONF selects cudaMallocAsync, and LibTorch then reports no CUDA allocation; "
     "use the native backend for this run"},
    {trace::CudaAllocatorSetting, "CudaMallocAsync",
     "CUDA tensors come from LibTorch's cudaMallocAsync backend, which reports no allocation"},
    {trace::CudaAllocatorSetting, "PluggableAllocator",
     "CUDA tensors come from a pluggable allocator, which reports no allocation"},
};

bool applies(const Recording &R, const Blinding &B) {
  auto Set = R.Settings.find(B.Setting);
  return Set != R.Settings.end() && Set->second.find(B.ValueHas) != std::string::npos;
}

/// Only where the program may have used a GPU: without a driver nothing is missed.
void addCudaSpots(const Recording &R, std::vector<BlindSpot> &Out) {
  if (!R.Settings.count(trace::CudaDriverSetting))
    return;
  auto Found = std::find_if(std::begin(CudaBlindings), std::end(CudaBlindings),
                            [&R](const Blinding &B) { return applies(R, B); });
  if (Found != std::end(CudaBlindings))
    Out.push_back({Found->Why, BlindSpot::Memory});
}

/// The one allocator that reports; a program may install its own.
constexpr const char *ReportingCpuAllocator = "N3c1019DefaultCPUAllocatorE";

void addCpuSpots(const Recording &R, std::vector<BlindSpot> &Out) {
  auto Class = R.Settings.find(trace::CpuAllocatorSetting);
  if (Class != R.Settings.end() && Class->second != ReportingCpuAllocator)
    Out.push_back({"CPU tensors come from an allocator of the program's own (" +
                       demangled(Class->second) + "), which need not report what it does",
                   BlindSpot::Memory});
}

void addTraceSpots(const Recording &R, std::vector<BlindSpot> &Out) {
  if (R.Read.Flags & trace::TraceFull)
    Out.push_back(
        {"the trace reached its size limit or the disk is full; later events are missing"});
  if (R.Read.Torn)
    Out.push_back({"the end of the trace is damaged"});
}

} // namespace

std::string whyNotSearched(const Recording &R) {
  bool Failed = std::all_of(R.Searches.begin(), R.Searches.end(),
                            [](const trace::Search &S) { return !S.Failure.empty(); });
  return R.Searches.empty() || !Failed ? "" : R.Searches.back().Failure;
}

std::vector<BlindSpot> blindSpots(const Recording &R) {
  std::vector<BlindSpot> Out;
  addTorchSpots(R, Out);
  addCudaCallSpots(R, Out);
  addCudaSpots(R, Out);
  addCpuSpots(R, Out);
  addTraceSpots(R, Out);
  if (callsOf(R, "node-freed") && !callsOf(R, "node-made") &&
      !R.Settings.count(trace::AttachedSetting))
    Out.push_back(
        {"autograd nodes were freed but none was seen being made: that hook did not bind"});
  return Out;
}

} // namespace tensorleak
