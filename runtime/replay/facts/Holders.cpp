//===-- Holders.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/replay/facts/Holders.h"
#include "runtime/replay/debuginfo/FunctionName.h"
#include "runtime/replay/debuginfo/MemberWalk.h"
#include "runtime/replay/facts/Cycles.h"
#include "runtime/replay/recording/SitePlace.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <tuple>

namespace tensorleak {
namespace {

using trace::HolderPath;
using trace::RootKind;

std::string kindOf(const PlaceInVariable &V) {
  if (V.IsLocal)
    return "a local variable of " + V.Function;
  if (V.IsThreadLocal)
    return V.Function.empty() ? "a thread_local variable"
                              : "a thread_local variable of " + V.Function;
  return V.Function.empty() ? "a global variable" : "a static variable of " + V.Function;
}

/// What nvcc makes, such as `__cudaFatCubinHandle` and the `__handle` of a kernel's stub, and what
/// the static CUDA runtime has, leads to that runtime's own tables, and from there to all that it
/// knows: nothing of the program's keeps that. Seen with CUDA 13.
bool isOfCudaRuntime(const std::string &Variable, const std::string &Function = "") {
  return startsWith(Variable, "__cuda") || startsWith(Variable, "libcudart_static_") ||
         startsWith(Function, "__device_stub_");
}

PlaceInFrame placeInFrame(const HolderPath &P, const trace::Module &Module) {
  PlaceInFrame Out{P.Pc - Module.Base, P.FromFrameEnd, P.FromStackPointer, std::nullopt};
  if (P.RegisterAndOne)
    Out.Register = static_cast<unsigned>(P.RegisterAndOne - 1);
  return Out;
}

/// "" for what only counts references. LibTorch's namespaces say nothing that the name does
/// not; a user's class keeps its own.
std::string className(const std::string &Mangled) {
  if (std::string Node = nodeName(Mangled); !Node.empty())
    return Node;
  std::string Name = demangled(Mangled);
  if (startsWith(Name, "std::_Sp_counted"))
    return "";
  for (const char *Scope : {"torch::autograd::", "c10::", "at::"})
    if (startsWith(Name, Scope))
      return Name.substr(std::string(Scope).size());
  return Name;
}

std::string describeHop(const trace::HolderHop &Hop, const Recording &R, Symbolizer &Symbols) {
  std::string Name = className(Hop.Class);
  if (Name.empty() || !Hop.HasSite)
    return Name;
  SitePlace Place = placeOfSite(R, Hop.SiteId, Symbols);
  return Place.Frames.empty() ? Name : Name + " (" + describePlace(Place) + ")";
}

/// Names in the order of the way, with how often each follows itself.
class Way {
public:
  void add(const std::string &Name) {
    if (Name.empty())
      return;
    if (Names.empty() || Names.back().first != Name)
      Names.emplace_back(Name, 0);
    ++Names.back().second;
  }

  std::vector<std::string> finish() const {
    std::vector<std::string> Out;
    for (const auto &[Name, Times] : Names)
      Out.push_back(Times == 1 ? Name : Name + ", " + std::to_string(Times) + " times");
    return Out;
  }

private:
  std::vector<std::pair<std::string, unsigned>> Names;
};

/// The objects with a class on the way down from the variable, for people: "AddBackward0
/// (train.cpp:31)", "SavedVariable", "TensorImpl".
std::vector<std::string> wayOf(const trace::HolderPath &P, const Recording &R,
                               Symbolizer &Symbols) {
  Way Out;
  for (size_t I = P.Hops.size(); I-- > 0;) {
    if (I + 1 == trace::HolderPath::FirstHops && P.Length > P.Hops.size())
      Out.add(std::to_string(P.Length - P.Hops.size()) + " more objects");
    Out.add(describeHop(P.Hops[I], R, Symbols));
  }
  return Out.finish();
}

class HolderNames {
public:
  HolderNames(const Recording &R, Symbolizer &Symbols) : R(R), Symbols(Symbols) {}

  /// The holder at the end of a path; nothing if no variable is known there.
  std::optional<Holder> nameOf(const HolderPath &P) {
    if (P.Root == RootKind::None || P.Root == RootKind::Library || P.Root == RootKind::Unknown)
      return std::nullopt;
    bool IsGlobal = P.Root == RootKind::Global;
    const trace::Module *Module = Symbols.moduleAt(IsGlobal ? P.Address : P.Pc);
    if (!Module)
      return std::nullopt;
    DebugInfo &Info = Symbols.files().open(Module->Path);
    Variables &Known = variablesOf(Module->Path, Info);
    std::optional<PlaceInVariable> V = variableOf(P, *Module, Known);
    if (!V && IsGlobal && isUserModule(Module->Path))
      return byItsSymbol(Info.variableAt(P.Address - Module->Base), P);
    if (!V || isOfCudaRuntime(V->Name, V->Function))
      return std::nullopt;
    MemberWalk Walk(Info, Known);
    Walk.enter(*V);
    followHops(P, Walk);
    Holder Out = holder(*V, Walk.members(), P);
    Out.Way = wayOf(P, R, Symbols);
    return Out;
  }

private:
  static std::optional<PlaceInVariable> variableOf(const HolderPath &P, const trace::Module &Module,
                                                   Variables &Known) {
    if (P.Root == RootKind::Stack)
      return Known.localAt(placeInFrame(P, Module));
    return P.Root == RootKind::Global ? Known.globalAt(P.Address - Module.Base)
                                      : Known.threadLocalAt(P.Address);
  }

  Variables &variablesOf(const std::string &Path, DebugInfo &Info) {
    return Known.try_emplace(Path, Info).first->second;
  }

  /// From the root down, until LibTorch's own objects begin.
  static void followHops(const HolderPath &P, MemberWalk &Walk) {
    for (auto Hop = P.Hops.rbegin(); Hop != P.Hops.rend(); ++Hop) {
      if (isLibTorchs(Hop->Class))
        return;
      Walk.follow(Hop->Class, Hop->Offset);
    }
  }

  static bool isLibTorchs(const std::string &Class) {
    return Class.compare(0, 5, "N3c10") == 0 || Class.compare(0, 4, "N2at") == 0 ||
           Class.compare(0, 16, "N5torch8autograd") == 0;
  }

  /// Of a file without debug information.
  static std::optional<Holder> byItsSymbol(const std::string &Name, const HolderPath &P) {
    if (Name.empty() || isOfCudaRuntime(Name))
      return std::nullopt;
    Holder H;
    H.Name = Name;
    H.What = "a global variable";
    H.Nodes = P.Nodes;
    return H;
  }

  /// "Last.Before.Values" for every element of a list that is chained by its members, or of a tree.
  static std::vector<NamedMember> withoutRounds(const std::vector<NamedMember> &Members) {
    std::vector<NamedMember> Out;
    for (const NamedMember &M : Members) {
      auto Same = std::find_if(Out.begin(), Out.end(),
                               [&M](const NamedMember &Known) { return Known.Where == M.Where; });
      Out.erase(Same, Out.end());
      Out.push_back(M);
    }
    return Out;
  }

  static Holder holder(const PlaceInVariable &V, const std::vector<NamedMember> &Members,
                       const HolderPath &P) {
    Holder H;
    H.Name = V.Name;
    H.What = kindOf(V);
    H.Where = V.Where;
    H.Declarations = {V.Where};
    H.Nodes = P.Nodes;
    H.Length = P.Length;
    H.Depth = V.Depth;
    if (P.Root == RootKind::Stack)
      H.FrameEnd = P.Address - static_cast<uint64_t>(P.FromFrameEnd);
    for (const NamedMember &M : withoutRounds(Members)) {
      H.Name += "." + M.Name;
      H.What = "a member of " + M.Class;
      H.Where = M.Where;
      H.Declarations.push_back(M.Where);
    }
    return H;
  }

  const Recording &R;
  Symbolizer &Symbols;
  std::map<std::string, Variables> Known;
};

/// One site's targets, with the holders of each.
class HeldSiteBuilder {
public:
  void add(const HolderPath &P, const std::optional<Holder> &H) {
    auto &Found = ByTarget[{P.SearchTick, P.Target.Address}];
    Found.Unheld |= P.Root == RootKind::None;
    if (P.Root == RootKind::Library)
      LibraryRoots.emplace_back(Found.Library = P.Address, P.Target.Address);
    HeldByNodes |= (P.Root == RootKind::None || P.Root == RootKind::Unknown) && P.Nodes != 0;
    // A container points to its elements by several members: that is one holder.
    if (H && std::none_of(Found.Holders.begin(), Found.Holders.end(),
                          [&](const Holder &Other) { return isSame(Other, *H); }))
      Found.Holders.push_back(*H);
  }

  void finish(HeldSite &Site) {
    Site.HeldByNodes = HeldByNodes;
    for (auto &[Target, Found] : ByTarget) {
      ++Site.Targets;
      Site.Unheld += Found.Unheld || isLeftOver(Found, Target.second);
      for (const Holder &H : Found.Holders)
        addTo(Site.Holders, H);
    }
    // A word left over on the stack may lead anywhere once, but hardly twice.
    auto Once = [&](const Holder &H) { return H.Targets < 2; };
    Site.Holders.erase(std::remove_if(Site.Holders.begin(), Site.Holders.end(), Once),
                       Site.Holders.end());
    std::stable_sort(Site.Holders.begin(), Site.Holders.end(),
                     [](const Holder &A, const Holder &B) {
                       return std::make_tuple(B.Targets, A.Nodes, A.Name) <
                              std::make_tuple(A.Targets, B.Nodes, B.Name);
                     });
    preferLasting(Site.Holders);
    preferOuter(Site.Holders);
  }

private:
  /// An iterator, or a copy that a function makes for a while, leads to as much as the container
  /// that keeps it, whenever the search meets that function. Of variables that lead to nearly as
  /// many objects the one whose frame is entered first, or that has none, keeps them; in the same
  /// frame the nearer one: a task that waits leads to its server, and so to what that keeps.
  static void preferLasting(std::vector<Holder> &All) {
    auto IsBetter = [](const Holder &A, const Holder &B) {
      return A.FrameEnd != B.FrameEnd ? A.FrameEnd > B.FrameEnd
                                      : A.Length * B.Targets < B.Length * A.Targets;
    };
    size_t Best = 0;
    for (size_t I = 1; I < All.size(); ++I)
      if (4 * All[I].Targets >= 3 * All[0].Targets && All[I].Nodes <= All[0].Nodes &&
          IsBetter(All[I], All[Best]))
        Best = I;
    if (!All.empty())
      std::rotate(All.begin(), All.begin() + std::ptrdiff_t(Best),
                  All.begin() + std::ptrdiff_t(Best) + 1);
  }

  /// Of two variables of one function, the one in the outer block is what keeps objects
  /// from round to round; the inner one ends with each.
  static void preferOuter(std::vector<Holder> &All) {
    for (size_t I = 1; I < All.size(); ++I)
      if (All[I].What == All[0].What && All[I].Depth < All[0].Depth &&
          2 * All[I].Targets >= All[0].Targets)
        std::swap(All[0], All[I]);
  }

  struct OfTarget {
    bool Unheld = false;
    uint64_t Library = 0; ///< the library's variable that alone leads to it, if there is one
    std::vector<Holder> Holders;
  };

  /// What a library keeps it keeps in one place, be it a table of its own. A variable of its own
  /// that leads to one of several objects, while none near it leads to another, does so by a word
  /// in memory that was used before.
  bool isLeftOver(const OfTarget &T, uint64_t Target) const {
    constexpr uint64_t Table = 1 << 16;
    return T.Library &&
           std::none_of(LibraryRoots.begin(), LibraryRoots.end(), [&](const auto &Root) {
             return Root.second != Target && Root.first < T.Library + Table &&
                    T.Library < Root.first + Table;
           });
  }

  static bool isSame(const Holder &A, const Holder &B) {
    return A.Name == B.Name && A.Where == B.Where;
  }

  static void addTo(std::vector<Holder> &All, const Holder &H) {
    auto Same =
        std::find_if(All.begin(), All.end(), [&](const Holder &Other) { return isSame(Other, H); });
    if (Same == All.end()) {
      Same = All.insert(All.end(), H);
      Same->Length = 0;
    }
    ++Same->Targets;
    Same->Nodes = std::max(Same->Nodes, H.Nodes);
    Same->Length += H.Length;
  }

  std::map<std::pair<uint64_t, uint64_t>, OfTarget> ByTarget;
  std::vector<std::pair<uint64_t, uint64_t>> LibraryRoots; ///< and the objects they lead to
  bool HeldByNodes = false;
};

} // namespace

std::vector<HeldSite> heldSites(const Recording &R, Symbolizer &Symbols) {
  HolderNames Names(R, Symbols);
  std::map<uint64_t, HeldSiteBuilder> BySite;
  for (const HolderPath &P : R.HolderPaths)
    BySite[P.Target.SiteId].add(P, Names.nameOf(P));
  std::vector<HeldSite> Out;
  for (auto &[SiteId, Builder] : BySite) {
    HeldSite Site;
    Site.SiteId = SiteId;
    Site.Frames = placeOfSite(R, SiteId, Symbols).Frames;
    Builder.finish(Site);
    Out.push_back(std::move(Site));
  }
  return Out;
}

std::string describe(const Holder &H) {
  std::string Out = "'" + H.Name + "' (" + H.What;
  if (H.Where.isValid())
    Out += ", " + shortPlace(H.Where);
  Out += ")";
  if (H.Nodes)
    Out += ", through " + ThingName{"autograd node", "autograd nodes"}.counted(H.Nodes);
  return Out;
}

} // namespace tensorleak
