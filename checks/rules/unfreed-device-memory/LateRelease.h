//===-- LateRelease.h - Buffers kept while others wait for their turn ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Two buffers of one function that are allocated at the same
// time and never used at the same time: the first could be freed before the
// second is allocated. Read off the order of the function's own statements; what
// lies in the same loop or branch counts as used at the same time.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_LATERELEASE_H
#define TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_LATERELEASE_H

#include "checks/resources/ResourceFlow.h"

namespace tensorleak {

/// A local pointer to one buffer of known size. Positions count the statements of
/// the function's body.
struct BufferLife {
  const clang::VarDecl *Variable;
  SiteId Site;
  int64_t Bytes;
  unsigned Taken, FirstUse, LastUse, Freed;
  const clang::Stmt *LastUseAt, *FreedAt;
};

struct LateRelease {
  BufferLife Waiting;           ///< allocated early, used late
  std::vector<BufferLife> Dead; ///< have had their last use before that, and are freed after it
  int64_t saved() const;
};

/// The first such buffer of \p F; buffers of fewer than \p MinBytes do not count.
std::optional<LateRelease> findLateRelease(const FunctionResources &F, const ResourceModel &Model,
                                           int64_t MinBytes);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_UNFREED_DEVICE_MEMORY_LATERELEASE_H
