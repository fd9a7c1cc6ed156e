//===-- DumpRequest.h - What is to be printed of the analyses --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_DUMPREQUEST_H
#define TENSORLEAK_CHECKS_DUMPREQUEST_H

#include <string>

namespace tensorleak {

/// For people who work on tensorleak; see checks/dump/.
struct DumpRequest {
  bool Facts = false; ///< what the code does
  bool Flow = false;  ///< what was inferred from that
  std::string Filter; ///< only functions whose qualified name contains it
  bool isWanted() const { return Facts || Flow; }
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_DUMPREQUEST_H
