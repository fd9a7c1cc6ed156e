//===-- torch.h - Stand-in for LibTorch's umbrella header --------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test input only; see c10/Core.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "torch/data.h"
#include "torch/nn.h"
#include "torch/optim.h"

namespace torch {
template <typename Value> void save(const Value &, const std::string &) {}
template <typename Value> void load(Value &, const std::string &, optional<Device> = nullopt) {}
} // namespace torch
