//===-- Portable.cpp -  ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/project/Portable.h"

#include "llvm/ADT/STLExtras.h"
#include <stdexcept>

using namespace clang;
using json = nlohmann::json;

namespace tensorleak {
namespace {

//===-- The fields, once for both directions -------------------------------===//

template <class Archive, class T> void fields(Archive &A, T &S, const RelativePlace *) {
  auto &[Root, ParamIndex, Var, Fields] = S;
  A(Root), A(ParamIndex), A(Var), A(Fields);
}

template <class Archive, class T> void fields(Archive &A, T &S, const SummaryEffect *) {
  auto &[Kind, Where, Graph, FromParams, Keyed, KeyVaries, Bounded, KeyParam, Conditional, Repeats,
         RetainsGraph, FromItself, WasRun, At] = S;
  A(Kind), A(Where), A(Graph), A(FromParams), A(Keyed), A(KeyVaries), A(Bounded), A(KeyParam),
      A(Conditional), A(Repeats), A(RetainsGraph), A(FromItself), A(WasRun), A(At);
}

template <class Archive, class T> void fields(Archive &A, T &S, const Summary *) {
  auto &[Effects, Returned, ReturnedWasRun, ReturnedFrom, ReturnedPlaces, IsIdle] = S;
  A(Effects), A(Returned), A(ReturnedWasRun), A(ReturnedFrom), A(ReturnedPlaces);
}

template <class Archive, class T> void fields(Archive &A, T &S, const Step *) {
  auto &[What, Decl, Index, Key] = S;
  (void)Key; // for messages of this file only
  A(What), A(Decl), A(Index);
}

template <class Archive, class T> void fields(Archive &A, T &S, const RelativeResourcePath *) {
  auto &[Root, Param, Var, Steps] = S;
  A(Root), A(Param), A(Var), A(Steps);
}

template <class Archive, class T> void fields(Archive &A, T &S, const ResourceSummary::Taken *) {
  auto &[Site, Where, What, At, Bytes, Maybe, Also, Elements, Appended, Index] = S;
  (void)Appended, (void)Index; // for loops of this file only
  A(Site), A(Where), A(What), A(At), A(Bytes), A(Maybe), A(Also), A(Elements);
}

template <class Archive, class T> void fields(Archive &A, T &S, const ResourceSummary::Given *) {
  auto &[Where, Accepts] = S;
  A(Where), A(Accepts);
}

template <class Archive, class T> void fields(Archive &A, T &S, const ResourceSummary::Stored *) {
  auto &[Where, From] = S;
  A(Where), A(From);
}

template <class Archive, class T> void fields(Archive &A, T &S, const ResourceSummary::Accepted *) {
  auto &[What, OnZero] = S;
  A(What), A(OnZero);
}

template <class Archive, class T> void fields(Archive &A, T &S, const ResourceSummary *) {
  auto &[Takes, Releases, Stores, Rotates, Escapes, Doubts, TreesEscape, ReturnsParams, ReleasesAll,
         Views, Accepts, Returns, MovesOut, ReturnsAddresses] = S;
  A(Takes), A(Releases), A(Stores), A(Rotates), A(Escapes), A(Doubts), A(TreesEscape),
      A(ReturnsParams), A(ReleasesAll), A(Views), A(Accepts), A(Returns), A(MovesOut),
      A(ReturnsAddresses);
}

//===-- Values --------------------------------------------------------------===//

template <class T> constexpr bool IsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T, class = void> constexpr bool IsList = false;
template <class T> constexpr bool IsList<T, std::void_t<typename T::value_type>> = true;

/// The greatest value of an enumeration.
template <class E> constexpr int64_t LastOf = -1;
template <> constexpr int64_t LastOf<RelativePlace::RootKind> = RelativePlace::Variable;
template <>
constexpr int64_t LastOf<RelativeResourcePath::RootKind> = RelativeResourcePath::Returned;
template <> constexpr int64_t LastOf<Step::StepKind> = Step::Data;
template <> constexpr int64_t LastOf<GraphOut> = int64_t(GraphOut::Yes);
template <> constexpr int64_t LastOf<Family> = int64_t(Family::Count) - 1;
template <>
constexpr int64_t LastOf<EventKind> =
#define EVENT(...) 1 +
#include "checks/facts/Events.def"
    -1;

/// Whether what it is made of is there.
template <class T> bool isWhole(const T &) { return true; }
bool isWhole(const RelativePlace &P) {
  return (P.Root != RelativePlace::Variable || P.Var) && !llvm::is_contained(P.Fields, nullptr);
}
bool isWhole(const RelativeResourcePath &P) {
  return P.Root != RelativeResourcePath::Variable || P.Var;
}
bool isWhole(const Step &S) { return S.What != Step::Field || S.Decl; }

/// Each struct and each list is an array.
class Writer {
public:
  json Out = json::array();

  template <class T> void operator()(const T &Value) {
    if constexpr (IsNumber<T>)
      Out.push_back(int64_t(Value));
    else if constexpr (IsList<T>)
      nest([&](Writer &Inner) {
        for (const auto &Item : Value)
          Inner(Item);
      });
    else
      nest([&](Writer &Inner) { fields(Inner, Value, static_cast<const T *>(nullptr)); });
  }
  void operator()(const ValueDecl *D) { Out.push_back(D ? usrOf(*D) : ""); }
  void operator()(const SourceLocation &) {} // means nothing in another file
  void operator()(const std::optional<int64_t> &V) { Out.push_back(V ? json(*V) : json()); }

private:
  template <class Fill> void nest(Fill Write) {
    Writer Inner;
    Write(Inner);
    Out.push_back(std::move(Inner.Out));
  }
};

/// Reads what Writer wrote, in the same order.
class Reader {
public:
  Reader(const json &In, const DeclIndex &Index) : In(In), Index(Index) {}

  /// A declaration was named that this file does not have.
  bool MissesDecl = false;

  template <class T> void operator()(T &Value) {
    if constexpr (std::is_enum_v<T>)
      Value = T(numberUpTo(LastOf<T>));
    else if constexpr (IsNumber<T>)
      Value = T(In.at(Next++).get<int64_t>());
    else if constexpr (IsList<T>)
      list(Value);
    else
      object(Value);
  }
  void operator()(const ValueDecl *&D) {
    const std::string &Usr = In.at(Next++).get_ref<const std::string &>();
    D = Index.find(Usr);
    MissesDecl |= !D && !Usr.empty();
  }
  void operator()(SourceLocation &) {}
  void operator()(std::optional<int64_t> &V) {
    const json &Value = In.at(Next++);
    V = Value.is_null() ? std::nullopt : std::optional(Value.get<int64_t>());
  }
  void operator()(std::vector<SummaryEffect> &List);
  void operator()(std::vector<ResourceSummary::Stored> &List);

  /// Stores into what this file does not have.
  std::vector<RelativeResourcePath> StoredAway;

private:
  int64_t numberUpTo(int64_t Last) {
    auto Number = In.at(Next++).get<int64_t>();
    if (Number < 0 || Number > Last)
      throw std::out_of_range("no value of an enumeration");
    return Number;
  }

  template <class T> void object(T &S) {
    Reader Inner(In.at(Next++), Index);
    fields(Inner, S, static_cast<const T *>(nullptr));
    MissesDecl |= Inner.MissesDecl || !isWhole(S);
  }

  /// What names a missing declaration is left out.
  template <class List> void list(List &Items) {
    Reader Inner(In.at(Next++), Index);
    while (Inner.Next < Inner.In.size()) {
      typename List::value_type Item{};
      Inner.MissesDecl = false;
      Inner(Item);
      if (!Inner.MissesDecl)
        Items.push_back(std::move(Item));
      else
        MissesDecl |= !std::is_class_v<typename List::value_type> ||
                      std::is_same_v<typename List::value_type, Step>;
    }
  }

  const json &In;
  const DeclIndex &Index;
  size_t Next = 0;
};

void Reader::operator()(std::vector<SummaryEffect> &List) {
  Reader Inner(In.at(Next++), Index);
  while (Inner.Next < Inner.In.size()) {
    SummaryEffect Effect;
    Inner.MissesDecl = false;
    Inner(Effect);
    if (Inner.MissesDecl && Effect.Kind == EventKind::Store)
      continue; // the fates of the parameters say where they went
    if (Inner.MissesDecl) {
      Effect.Kind = EventKind::Escape;
      Effect.Where = RelativePlace();
    }
    List.push_back(std::move(Effect));
  }
}

void Reader::operator()(std::vector<ResourceSummary::Stored> &List) {
  Reader Inner(In.at(Next++), Index);
  while (Inner.Next < Inner.In.size()) {
    ResourceSummary::Stored Stored;
    Inner.MissesDecl = false;
    Inner(Stored);
    const bool FromIsKnown = Stored.From.Root != RelativeResourcePath::Variable || Stored.From.Var;
    if (!Inner.MissesDecl)
      List.push_back(std::move(Stored));
    else if (FromIsKnown)
      StoredAway.push_back(std::move(Stored.From));
  }
}

template <class T> json write(const T &S) {
  Writer W;
  W(S);
  return std::move(W.Out.at(0));
}

} // namespace

json toJson(const Summary &S) { return write(S); }
json toJson(const ResourceSummary &S) { return write(S); }

Summary summaryFrom(const json &J, const DeclIndex &Index) {
  Summary Out;
  Reader R(J, Index);
  fields(R, Out, static_cast<const Summary *>(nullptr));
  return Out;
}

ResourceSummary resourceSummaryFrom(const json &J, const DeclIndex &Index) {
  ResourceSummary Out;
  Reader R(J, Index);
  fields(R, Out, static_cast<const ResourceSummary *>(nullptr));
  llvm::append_range(Out.Escapes, R.StoredAway);
  llvm::erase_if(Out.Takes, [](const ResourceSummary::Taken &T) { return T.Where.empty(); });
  return Out;
}

//===-- Parameters -----------------------------------------------------------===//

static bool isOf(unsigned Parameter, unsigned Count) {
  return Parameter == NoId || Parameter < Count;
}
static bool isOf(const RelativePlace &P, unsigned Count) {
  return P.Root != RelativePlace::Param || P.ParamIndex < Count;
}
static bool isOf(const RelativeResourcePath &P, unsigned Count) {
  return P.Root != RelativeResourcePath::Param || P.Param_ < Count;
}
static bool isOf(const SummaryEffect &E, unsigned Count);
static bool isOf(const ResourceSummary::Taken &T, unsigned Count);
static bool isOf(const ResourceSummary::Given &G, unsigned Count) { return isOf(G.Where, Count); }
static bool isOf(const ResourceSummary::Accepted &A, unsigned Count) { return isOf(A.What, Count); }
static bool isOf(const ResourceSummary::Stored &S, unsigned Count) {
  return isOf(S.Where, Count) && isOf(S.From, Count);
}

template <class... Lists> static bool areOf(unsigned Count, const Lists &...All) {
  auto IsOf = [&](const auto &Each) { return isOf(Each, Count); };
  return (llvm::all_of(All, IsOf) && ...);
}

static bool isOf(const SummaryEffect &E, unsigned Count) {
  return isOf(E.Where, Count) && isOf(E.KeyParam, Count) && areOf(Count, E.FromParams);
}
static bool isOf(const ResourceSummary::Taken &T, unsigned Count) { return areOf(Count, T.Where); }

bool isOfParameters(const Summary &S, unsigned Count) {
  return areOf(Count, S.Effects, S.ReturnedFrom, S.ReturnedPlaces);
}

bool isOfParameters(const ResourceSummary &S, unsigned Count) {
  auto AreOf = [&](const auto &List) { return areOf(Count, List); };
  return areOf(Count, S.Takes, S.Releases, S.Stores, S.Escapes, S.Doubts, S.TreesEscape,
               S.ReturnsParams, S.Views, S.Accepts, S.Returns, S.MovesOut, S.ReturnsAddresses) &&
         llvm::all_of(S.Rotates, AreOf);
}

} // namespace tensorleak
