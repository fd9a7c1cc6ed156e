//===-- BareDeletes.h - Objects that go without what they hold --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `cudaFree(s->data); delete s;` in one place and `delete s;` alone in another: of
// a record without a destructor the second loses what the first gives back.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_LOSSES_BAREDELETES_H
#define TENSORLEAK_CHECKS_RESOURCES_LOSSES_BAREDELETES_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct BareDelete {
  const FunctionResources *In;
  const clang::Stmt *At;      ///< or the smart pointer that will delete the object
  const clang::Stmt *GivenAt; ///< by another place that deletes such an object
  RecordKey Key;              ///< what the object holds
  std::vector<RecordTake> Takes;
  bool Sure; ///< nobody else may have what it holds
};

std::vector<BareDelete> findBareDeletes(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_LOSSES_BAREDELETES_H
