//===-- UnfreedDeviceMemory.h - tensor-unfreed-device-memory --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory, streams, events, handles and the host memory beside them that
// a path, a class or a whole program never gives back.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_UNFREEDDEVICEMEMORY_H
#define TENSORLEAK_CHECKS_UNFREEDDEVICEMEMORY_H

#include "checks/Rule.h"

namespace tensorleak {

class UnfreedDeviceMemory : public Rule {
public:
  static constexpr llvm::StringLiteral Name = "tensor-unfreed-device-memory";
  void check(Unit &U, std::vector<Diagnosis> &Out) override;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_UNFREEDDEVICEMEMORY_H
