//===-- DeviceCycles.h - Owners of device memory that own each other ---===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_DEVICECYCLES_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_DEVICECYCLES_H

#include "checks/Diagnosis.h"
#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

/// Objects whose destructors would give back device memory, and that own each other.
void reportDeviceCycles(FileAnalyses &File, std::vector<Diagnosis> &Out);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_DEVICECYCLES_H
