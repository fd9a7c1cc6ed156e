//===-- ClassFindings.h - What classes forget ------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_CLASSFINDINGS_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_CLASSFINDINGS_H

#include "checks/Diagnosis.h"
#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

/// What members and globals hold, and no method of their class, or function of the file, gives
/// back.
void reportClasses(FileAnalyses &File, std::vector<Diagnosis> &Out);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_CLASSFINDINGS_H
