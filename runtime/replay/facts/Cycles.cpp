//===-- Cycles.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes point to the nodes before them, and tensors to the node that made them: that
// never closes a cycle. What closes it is a reference back to a tensor: a gradient, a
// saved tensor, or what a hook captured.
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Cycles.h"
#include "runtime/replay/debuginfo/FunctionName.h"
#include "runtime/replay/recording/SitePlace.h"

#include <algorithm>
#include <tuple>

namespace tensorleak {
namespace {

using trace::CycleSample;
using trace::HolderHop;

constexpr const char *TensorClass = "N3c1010TensorImplE";
constexpr const char *MetaClass = "N5torch8autograd12AutogradMetaE";

bool has(const std::string &Class, const char *Part) {
  return Class.find(Part) != std::string::npos;
}

bool isHook(const std::string &Class) { return has(Class, "PreHook") || has(Class, "PostHook"); }
bool isAccumulateGrad(const std::string &Class) { return has(Class, "AccumulateGrad"); }

/// Where a node was made: "train.cpp:12", or "".
std::string placeOf(const HolderHop &Hop, const Recording &R, Symbolizer &Symbols) {
  std::vector<Frame> Frames =
      Hop.HasSite ? placeOfSite(R, Hop.SiteId, Symbols).Frames : std::vector<Frame>{};
  return Frames.empty() ? "" : describePlace({Frames, {}});
}

/// Describes one cycle. Each hop holds the one before it, and the first the last. Where
/// the probe began is of no meaning: described are the most telling reference and the way
/// from what it keeps back to it.
class CycleText {
public:
  CycleText(const CycleSample &Sample, const Recording &R, Symbolizer &Symbols)
      : Hops(Sample.Hops), IsWhole(Sample.Hops.size() == Sample.Length), R(R), Symbols(Symbols) {}

  GraphCycle cycle() {
    Description Best = describedFrom(0);
    for (size_t I = 1; I < Hops.size(); ++I)
      Best = std::min(Best, describedFrom(I), isBetter);
    GraphCycle Out;
    Out.What =
        Best.Nodes.empty() ? Best.Closing : Best.Closing + " (cycle through " + Best.Nodes + ")";
    Out.IsClosed = Best.TheRank != NothingClosesIt;
    return Out;
  }

private:
  /// The less usual a reference is, the more it explains. Every node saves tensors.
  enum Rank { HookKeeps, GradientKeeps, NodeKeeps, NothingClosesIt };
  struct Description {
    Rank TheRank;
    std::string Closing, Nodes;
  };
  static bool isBetter(const Description &A, const Description &B) {
    return std::tie(A.TheRank, A.Closing, A.Nodes) < std::tie(B.TheRank, B.Closing, B.Nodes);
  }

  /// Round the cycle; null where hops of a long one were not recorded.
  const HolderHop *hop(size_t I) const {
    return I < Hops.size() || IsWhole ? &Hops[I % Hops.size()] : nullptr;
  }

  std::string nameAndPlace(const HolderHop &Hop) {
    std::string Name = nodeName(Hop.Class), Place = placeOf(Hop, R, Symbols);
    return Place.empty() ? Name : Name + " of " + Place;
  }

  /// The first on the way from a tensor to what holds it that explains something: lists
  /// and closures in between do not.
  const HolderHop *holderOf(size_t Tensor) const {
    for (size_t I = Tensor + 1; I < Tensor + Hops.size() && hop(I); ++I) {
      const std::string &Class = hop(I)->Class;
      if (isHook(Class) || Class == MetaClass || Class == TensorClass || !nodeName(Class).empty())
        return hop(I);
    }
    return nullptr;
  }

  Description describedFrom(size_t Tensor) {
    const HolderHop *By = Hops[Tensor].Class == TensorClass ? holderOf(Tensor) : nullptr;
    if (By && isHook(By->Class))
      return {HookKeeps, "a hook keeps a tensor that leads back to the hook", nodesFrom(Tensor)};
    if (By && By->Class == MetaClass)
      return {GradientKeeps,
              "a gradient carries a graph that leads back to the tensor that it is the "
              "gradient of",
              nodesFrom(Tensor)};
    if (By && !isAccumulateGrad(By->Class) && !nodeName(By->Class).empty())
      return {NodeKeeps, nameAndPlace(*By) + " keeps a tensor that is computed from its own result",
              nodesFrom(Tensor)};
    return {NothingClosesIt, "the graph refers to itself", nodesFrom(Tensor)};
  }

  /// The nodes that a tensor leads to, in that order.
  std::string nodesFrom(size_t Tensor) const {
    constexpr size_t MaxNamed = 4;
    std::vector<std::string> Names;
    for (size_t I = 0; I < Hops.size(); ++I)
      if (std::string Name = nodeName(Hops[(Tensor + Hops.size() - I) % Hops.size()].Class);
          !Name.empty())
        Names.push_back(Name);
    std::string Out;
    for (size_t I = 0; I < Names.size() && I < MaxNamed; ++I)
      Out += (I ? ", " : "") + Names[I];
    return Names.size() > MaxNamed ? Out + " and others" : Out;
  }

  const std::vector<HolderHop> &Hops;
  bool IsWhole;
  const Recording &R;
  Symbolizer &Symbols;
};

std::vector<std::vector<Frame>> placesOf(const CycleSample &Sample, const Recording &R,
                                         Symbolizer &Symbols) {
  std::vector<std::vector<Frame>> Out;
  for (const HolderHop &Hop : Sample.Hops)
    if (Hop.HasSite)
      Out.push_back(placeOfSite(R, Hop.SiteId, Symbols).Frames);
  return Out;
}

/// Memory that is used again holds old pointers, which may make up a cycle once, but not in
/// step after step.
bool isReal(const CycleSample &Sample) {
  constexpr uint64_t MinTicks = 4;
  return Sample.Ticks >= MinTicks && !Sample.Hops.empty();
}

void addClasses(const CycleSample &Sample, GraphCycle &Cycle) {
  for (const HolderHop &Hop : Sample.Hops)
    if (std::string Class = customFunction(Hop.Class); !Class.empty())
      Cycle.Classes.insert(Class);
}

} // namespace

std::string customFunction(const std::string &Mangled) {
  constexpr const char *Custom = "torch::autograd::CppNode<";
  std::string Name = demangled(Mangled);
  size_t Begin = std::char_traits<char>::length(Custom), End = Name.rfind('>');
  bool IsCustom = Name.rfind(Custom, 0) == 0 && End != std::string::npos && End > Begin;
  return IsCustom ? Name.substr(Begin, End - Begin) : "";
}

std::string nodeName(const std::string &Mangled) {
  constexpr const char *Prefix = "torch::autograd::";
  if (std::string Custom = customFunction(Mangled); !Custom.empty())
    return Custom;
  std::string Name = demangled(Mangled);
  size_t Inplace = Name.find("_Sp_counted_ptr_inplace<");
  bool IsNode = Name.compare(0, 17, Prefix) == 0 || Inplace != std::string::npos;
  if (!IsNode || Mangled == MetaClass || isHook(Mangled) || has(Mangled, "ViewMeta"))
    return "";
  if (Inplace != std::string::npos)
    return isAccumulateGrad(Mangled) ? "AccumulateGrad" : "";
  return Name.substr(Name.rfind(':') + 1);
}

std::vector<GraphCycle> graphCycles(const Recording &R, Symbolizer &Symbols) {
  std::map<std::string, GraphCycle> ByText;
  for (const CycleSample &Sample : R.CycleSamples) {
    if (!isReal(Sample))
      continue;
    GraphCycle Cycle = CycleText(Sample, R, Symbols).cycle();
    Cycle.Length = Sample.Length;
    GraphCycle &Known = ByText.try_emplace(Cycle.What, Cycle).first->second;
    Known.Length = std::min(Known.Length, Sample.Length);
    addClasses(Sample, Known);
    std::vector<std::vector<Frame>> Places = placesOf(Sample, R, Symbols);
    Known.Places.insert(Known.Places.end(), Places.begin(), Places.end());
  }
  std::vector<GraphCycle> Out;
  for (auto &[Text, Cycle] : ByText)
    Out.push_back(std::move(Cycle));
  // What nothing seems to close may be made up of old pointers in memory that is used again.
  std::stable_sort(Out.begin(), Out.end(), [](const GraphCycle &A, const GraphCycle &B) {
    return A.IsClosed != B.IsClosed ? A.IsClosed : A.Length < B.Length;
  });
  return Out;
}

} // namespace tensorleak
