//===-- StaticTorchTest.cpp - Is LibTorch linked into a file? -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program stands for one with a static LibTorch: it defines the class itself.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/debuginfo/StaticTorch.h"

#include <gtest/gtest.h>

namespace c10 {
struct TensorImpl {
  virtual ~TensorImpl();
};
TensorImpl::~TensorImpl() = default;
} // namespace c10

using namespace tensorleak;

TEST(StaticTorch, AFileThatDefinesTheCoreHoldsIt) {
  c10::TensorImpl Keep;
  (void)Keep;
  EXPECT_TRUE(holdsLibTorch("/proc/self/exe"));
}

TEST(StaticTorch, OthersDoNot) {
  EXPECT_FALSE(holdsLibTorch("/bin/sh"));
  EXPECT_FALSE(holdsLibTorch("/proc/self/status"));
  EXPECT_FALSE(holdsLibTorch("/no/such/file"));
}
