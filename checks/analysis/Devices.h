//===-- Devices.h - Which device a tensor is on ---------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_ANALYSIS_DEVICES_H
#define TENSORLEAK_CHECKS_ANALYSIS_DEVICES_H

#include "checks/analysis/Facts.h"

namespace tensorleak {

enum class DeviceKind : uint8_t { Unknown, Host, Accelerator };

/// The device that the arguments of \p Call name; nothing where they name none.
std::optional<DeviceKind> deviceNamedIn(const clang::CallExpr &Call,
                                        const clang::FunctionDecl &In);

/// The device of what is stored in the local variable \p P, whichever store it is.
DeviceKind deviceOf(const FunctionFacts &Facts, PlaceId P);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_ANALYSIS_DEVICES_H
