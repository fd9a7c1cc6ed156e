//===-- Loading.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/rounds/Loading.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tensorleak {
namespace {

/// Who makes tensors or copies them, and how values that were read are scaled.
constexpr std::array LoadingOperators = {
    "arange",  "cat",     "clone", "contiguous", "copy",  "div",     "empty",
    "eye",     "full",    "index", "linspace",   "mul",   "normal",  "ones",
    "one_hot", "permute", "rand",  "randint",    "randn", "reshape", "scalar_tensor",
    "select",  "stack",   "sub",   "tensor",     "to",    "zeros"};

/// "aten::_to_copy" is "to", "aten::empty_like" is "empty", "aten::div_" is "div".
bool isVariantOf(std::string_view Name, std::string_view Plain) {
  if (Name.substr(0, 1) == "_")
    Name.remove_prefix(1);
  return Name.substr(0, Plain.size()) == Plain &&
         (Name.size() == Plain.size() || Name[Plain.size()] == '_');
}

bool loads(const std::string &Operator) {
  constexpr std::string_view Space = "aten::";
  std::string_view Name = Operator;
  if (Name.substr(0, Space.size()) != Space)
    return false;
  Name.remove_prefix(Space.size());
  return std::any_of(LoadingOperators.begin(), LoadingOperators.end(),
                     [Name](std::string_view Plain) { return isVariantOf(Name, Plain); });
}

/// Of what no operator has made it is not known; it is no result of a layer.
bool makesOrCopies(const SourceSite &Site) {
  return std::all_of(Site.Ops.begin(), Site.Ops.end(), loads);
}

bool graphsKeepObjects(const RunFacts &Facts) {
  auto ThroughNodes = [](const Holder &H) { return H.Nodes != 0; };
  return std::any_of(Facts.Held.begin(), Facts.Held.end(), [&](const HeldSite &Held) {
    return std::any_of(Held.Holders.begin(), Held.Holders.end(), ThroughNodes);
  });
}

} // namespace

bool onlyLoads(const RunFacts &Facts, const StepClock &Clock) {
  if (graphsKeepObjects(Facts))
    return false;
  uint64_t First = Clock.Ticks.front(), Last = Clock.Ticks.back(), Loaded = 0;
  for (const SourceSite &Site : Facts.Sites)
    for (const RecordedObject &O : Site.Objects)
      Loaded += O.BirthSequence >= First && O.BirthSequence <= Last &&
                (!O.DeathTick || O.DeathSequence > Last) && makesOrCopies(Site);
  return 4 * Loaded >= 3 * (Last - First + 1);
}

} // namespace tensorleak
