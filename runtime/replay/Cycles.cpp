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
#include "runtime/replay/Cycles.h"
#include "runtime/replay/FunctionName.h"

#include <algorithm>

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
  const trace::Stack *Stack = Hop.HasSite ? stackOfSite(R, Hop.SiteId) : nullptr;
  std::vector<Frame> Frames = Stack ? Symbols.userFrames(*Stack) : std::vector<Frame>{};
  if (Frames.empty())
    return "";
  const Location &Where = Frames.front().Where;
  return Where.File.substr(Where.File.rfind('/') + 1) + ":" + std::to_string(Where.Line);
}

/// Says one cycle. Each hop holds the one before it, and the first the last.
class CycleText {
public:
  CycleText(const CycleSample &Sample, const Recording &R, Symbolizer &Symbols)
      : Hops(Sample.Hops), R(R), Symbols(Symbols) {}

  std::string text() {
    std::string Out = closingReference();
    std::string Nodes = nodes();
    return Nodes.empty() ? Out : Out + " (cycle through " + Nodes + ")";
  }

private:
  const HolderHop &hop(size_t I) const { return Hops[I % Hops.size()]; }

  std::string nameAndPlace(const HolderHop &Hop) {
    std::string Name = nodeName(Hop.Class), Place = placeOf(Hop, R, Symbols);
    return Place.empty() ? Name : Name + " of " + Place;
  }

  /// The first on the way from a tensor to what holds it that says something: lists and
  /// closures in between do not.
  const HolderHop *holderOf(size_t Tensor) const {
    for (size_t I = Tensor + 1; I < Tensor + Hops.size(); ++I) {
      const std::string &Class = hop(I).Class;
      if (isHook(Class) || Class == MetaClass || Class == TensorClass || !nodeName(Class).empty())
        return &hop(I);
    }
    return nullptr;
  }

  std::string closingReference() {
    for (size_t I = 0; I < Hops.size(); ++I) {
      const HolderHop *By = hop(I).Class == TensorClass ? holderOf(I) : nullptr;
      if (!By || isAccumulateGrad(By->Class))
        continue;
      if (isHook(By->Class))
        return "a hook keeps a tensor that leads back to the hook";
      if (By->Class == MetaClass)
        return "a gradient carries a graph that leads back to the tensor that it is the "
               "gradient of";
      if (!nodeName(By->Class).empty())
        return nameAndPlace(*By) + " keeps a tensor that is computed from its own result";
    }
    return "the graph refers to itself";
  }

  std::string nodes() {
    constexpr size_t MaxNamed = 4;
    std::vector<std::string> Names;
    for (auto Hop = Hops.rbegin(); Hop != Hops.rend(); ++Hop)
      if (std::string Name = nodeName(Hop->Class); !Name.empty())
        Names.push_back(Name);
    std::string Out;
    for (size_t I = 0; I < Names.size() && I < MaxNamed; ++I)
      Out += (I ? ", " : "") + Names[I];
    return Names.size() > MaxNamed ? Out + " and others" : Out;
  }

  const std::vector<HolderHop> &Hops;
  const Recording &R;
  Symbolizer &Symbols;
};

std::vector<std::vector<Frame>> placesOf(const CycleSample &Sample, const Recording &R,
                                         Symbolizer &Symbols) {
  std::vector<std::vector<Frame>> Out;
  for (const HolderHop &Hop : Sample.Hops)
    if (const trace::Stack *Stack = Hop.HasSite ? stackOfSite(R, Hop.SiteId) : nullptr)
      Out.push_back(Symbols.userFrames(*Stack));
  return Out;
}

/// The sites whose nodes are in cycles in several steps. Memory that is used again holds
/// old pointers, which may make up a cycle once, but not in step after step.
std::set<uint64_t> sitesOfCycles(const Recording &R) {
  constexpr uint64_t MinTicks = 4;
  std::set<uint64_t> Out;
  for (const trace::GraphCycles &Cycles : R.Cycles)
    for (const trace::SiteNodes &N : Cycles.Sites)
      if (N.Ticks >= MinTicks)
        Out.insert(N.SiteId);
  return Out;
}

bool isAmong(const CycleSample &Sample, const std::set<uint64_t> &Sites) {
  return std::any_of(Sample.Hops.begin(), Sample.Hops.end(),
                     [&](const HolderHop &Hop) { return Hop.HasSite && Sites.count(Hop.SiteId); });
}

} // namespace

std::string nodeName(const std::string &Mangled) {
  constexpr const char *Prefix = "torch::autograd::", *Custom = "CppNode<";
  std::string Name = demangled(Mangled);
  size_t Inplace = Name.find("_Sp_counted_ptr_inplace<");
  bool IsNode = Name.compare(0, 17, Prefix) == 0 || Inplace != std::string::npos;
  if (!IsNode || Mangled == MetaClass || isHook(Mangled) || has(Mangled, "ViewMeta"))
    return "";
  if (Inplace != std::string::npos)
    return isAccumulateGrad(Mangled) ? "AccumulateGrad" : "";
  if (size_t At = Name.find(Custom); At != std::string::npos)
    return Name.substr(At + 8, Name.rfind('>') - At - 8);
  return Name.substr(Name.rfind(':') + 1);
}

std::vector<GraphCycle> graphCycles(const Recording &R, Symbolizer &Symbols) {
  std::map<std::string, GraphCycle> ByText;
  std::set<uint64_t> Sites = sitesOfCycles(R);
  for (const CycleSample &Sample : R.CycleSamples) {
    if (!isAmong(Sample, Sites))
      continue;
    GraphCycle C{CycleText(Sample, R, Symbols).text(), placesOf(Sample, R, Symbols)};
    auto [Entry, IsNew] = ByText.try_emplace(C.What, C);
    if (!IsNew)
      Entry->second.Places.insert(Entry->second.Places.end(), C.Places.begin(), C.Places.end());
  }
  std::vector<GraphCycle> Out;
  for (auto &[Text, Cycle] : ByText)
    Out.push_back(std::move(Cycle));
  return Out;
}

} // namespace tensorleak
