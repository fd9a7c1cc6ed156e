//===-- CudaFunctionsTest.cpp - A run follows what the checks speak of ----===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the source checks (checks/model/Cuda.def) and that of the probe must agree:
// a function that only one of the two knows would make a finding inconclusive, or make what
// is given back look lost.
//
//===----------------------------------------------------------------------===//
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

namespace {

/// Those that runs follow according to docs/limitations.md.
const std::set<std::string> Followed{
    "Device",       "DeviceAsync", "Pinned", "Registered", "Array",     "MipmappedArray",
    "MemPool",      "Stream",      "Event",  "Graph",      "GraphExec", "Texture",
    "Surface",      "Cublas",      "Cudnn",  "Module",     "CublasLt",  "Cusparse",
    "Cufft",        "Curand",      "Nccl",   "NcclMemory", "Cusolver",  "CudnnDesc",
    "CusparseDesc", "CublasLtDesc"};

/// Of those families, what limitations.md excepts.
const std::set<std::string> Excepted{"cudaIpcOpenEventHandle"};

/// Names stand without the suffixes of versions and of the per-thread default stream.
std::string plain(std::string Name) {
  for (std::string Suffix : {"_ptsz", "_v2"})
    if (Name.size() > Suffix.size() && Name.rfind(Suffix) == Name.size() - Suffix.size())
      Name.resize(Name.size() - Suffix.size());
  return Name;
}

std::set<std::string> hooked() {
  return {
      // By hand, in CudaHooks.cpp:
      "cudaMalloc",
      "cudaFree",
      "ncclCommInitAll",
#define MAKES(NAME, ...) plain(#NAME),
#define FREES(NAME, ...) plain(#NAME),
#define NEW(NAME, ...) plain(#NAME),
#define DELETE(NAME, ...) plain(#NAME),
#include "runtime/probe/cuda/CudaFunctions.def"
  };
}

/// The driver's functions ("cuMemAlloc") are CUPTI's affair, but for those that load modules.
bool isDrivers(const std::string &Name) {
  return Name.compare(0, 8, "cuModule") != 0 && Name.compare(0, 2, "cu") == 0 && Name.size() > 2 &&
         std::isupper(Name[2]);
}

void add(std::set<std::string> &Out, const std::string &Families, const std::string &Names) {
  std::istringstream Ids(Families), All(Names);
  bool IsFollowed = false;
  for (std::string Id; Ids >> Id;)
    IsFollowed |= Followed.count(Id) != 0;
  for (std::string Name; IsFollowed && All >> Name;)
    if (!isDrivers(Name) && !Excepted.count(Name))
      Out.insert(Name);
}

std::set<std::string> known() {
  std::set<std::string> Out;
#define OUT(Id, Argument, Sizes, Names) add(Out, #Id, Names);
#define ATTACH(Id, Argument, Names) add(Out, #Id, Names);
#define FREE(Ids, Argument, Names) add(Out, #Ids, Names);
#include "checks/model/Cuda.def"
  return Out;
}

} // namespace

TEST(CudaFunctions, WhatTheChecksKnowIsFollowed) {
  std::set<std::string> Hooked = hooked(), Known = known();
  EXPECT_GT(Known.size(), 60u);
  for (const std::string &Name : Known)
    EXPECT_TRUE(Hooked.count(Name)) << Name << " is in Cuda.def and not in CudaFunctions.def";
}
