//===-- Places.h - Places in the text of an assertion ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_REPLAY_ASSERTIONS_PLACES_H
#define TENSORLEAK_RUNTIME_REPLAY_ASSERTIONS_PLACES_H

#include "runtime/replay/assertions/Assertion.h"
#include "runtime/replay/recording/SitePlace.h"

namespace tensorleak {

/// "src/cache.cpp:12:20 (Cache::add)", "the backward pass of ...", or "an unknown place".
std::string nameOfPlace(const SitePlace &Place, const std::string &Folder);

/// Bytes by place in the source, as a text of the largest.
class BytesByPlace {
public:
  explicit BytesByPlace(const AssertionCase &C) : C(C) {}
  void add(uint64_t SiteId, int64_t Bytes);
  /// The most that one place has.
  int64_t most() const;
  /// "\n  16 MiB from net.cpp:31:9 (Net::forward), aten::relu" for each of the first ones
  /// that has more than \p Above.
  std::string largest(int64_t Above) const;

private:
  struct Place {
    int64_t Bytes = 0;
    std::set<std::string> Ops;
  };
  const AssertionCase &C;
  std::map<std::string, Place> Places;
};

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_REPLAY_ASSERTIONS_PLACES_H
