//===-- LeakedScratch.cpp - tensor-leaked-scratch ----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scratch tensor is kept.
//
//===----------------------------------------------------------------------===//
#include "checks/rules/Rules.h"

using namespace clang;

namespace tensorleak {
namespace {

class LeakedScratchChecker : FunctionChecker {
public:
  using FunctionChecker::FunctionChecker;

  /// Asks the facts and analyses of one function, and adds to Out.
  void run() {}
};

} // namespace

void LeakedScratch::check(FileAnalyses &File, std::vector<Diagnosis> &Out) {
  checkFunctions<LeakedScratchChecker>(File.unit(), Out);
}

} // namespace tensorleak
