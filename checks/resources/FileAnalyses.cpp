//===-- FileAnalyses.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

const ResourceUnit &FileAnalyses::resources() {
  if (!Resources)
    Resources.emplace(TheUnit);
  return *Resources;
}

const RecordUses &FileAnalyses::recordUses() {
  if (!Uses)
    Uses.emplace(resources());
  return *Uses;
}

const std::vector<ForgottenResource> &FileAnalyses::forgotten() {
  if (!Forgotten)
    Forgotten = findForgotten(resources(), recordUses(), TheUnit.others());
  return *Forgotten;
}

const std::vector<DestroyedAsBase> &FileAnalyses::destroyedAsBase() {
  if (!Destroyed)
    Destroyed = findDestroyedAsBase(*this);
  return *Destroyed;
}

} // namespace tensorleak
