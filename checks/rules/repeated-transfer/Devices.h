//===-- Devices.h - Which device a tensor is on ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_DEVICES_H
#define TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_DEVICES_H

#include "checks/flow/Unit.h"

namespace tensorleak {

enum class DeviceKind : uint8_t { Unknown, Host, Accelerator };

/// The device that the arguments of \p Call name; nothing where they name none.
std::optional<DeviceKind> deviceNamedIn(const clang::CallExpr &Call, const FunctionFacts &In);

/// All that \p V may be, through local variables, was made on the host.
bool isOnHost(Unit &U, const FunctionFacts &Facts, ValueId V);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_REPEATED_TRANSFER_DEVICES_H
