//===-- Events.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/facts/Events.h"

#include "checks/facts/Fate.h"
#include "checks/model/mutation/Mutation.h"
#include <iterator>
#include <vector>

namespace tensorleak::events {
namespace {

/// What the macros of the table put together.
struct Properties {
  uint32_t Bits = 0;
  constexpr Properties operator|(Properties Other) const { return {Bits | Other.Bits}; }
};

namespace table {
constexpr Properties None;
#define PROPERTY(Name) constexpr Properties Name{1u << Property::Name};
#include "checks/facts/Events.def"

constexpr Properties OfKind[] = {
#define EVENT(Kind, Stated) Stated,
#include "checks/facts/Events.def"
};
} // namespace table

constexpr llvm::StringLiteral KindNames[] = {
#define EVENT(Kind, Stated) #Kind,
#include "checks/facts/Events.def"
};

} // namespace

llvm::StringRef name(EventKind K) { return KindNames[unsigned(K)]; }

#ifdef TENSORLEAK_MUTATION
static constexpr llvm::StringLiteral PropertyNames[] = {
#define PROPERTY(Name) #Name,
#include "checks/facts/Events.def"
};

/// Each entry is made known, also if nothing asks for it; the one to change is left out.
static std::vector<uint32_t> withoutChanged() {
  std::vector<uint32_t> All;
  for (Properties Stated : table::OfKind) {
    const llvm::StringRef Kind = KindNames[All.size()];
    All.push_back(Stated.Bits);
    for (unsigned P = 0; P < std::size(PropertyNames); ++P)
      if (Stated.Bits >> P & 1 && mutation::changes("Events", Kind + "." + PropertyNames[P]))
        All.back() &= ~(1u << P);
  }
  return All;
}

bool has(EventKind K, Property P) {
  static const std::vector<uint32_t> All = withoutChanged();
  mutation::asked("Events", name(K) + "." + PropertyNames[P]);
  return All[unsigned(K)] >> P & 1;
}
#else
bool has(EventKind K, Property P) { return table::OfKind[unsigned(K)].Bits >> P & 1; }
#endif

uint8_t fate(EventKind K) {
  return (has(K, RunsGraph) ? ReachesBackward : 0) | (has(K, Returns) ? ReachesReturn : 0) |
         (has(K, Escapes) ? ReachesUnknown : 0);
}

} // namespace tensorleak::events
