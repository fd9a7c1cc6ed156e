//===-- Facts.h - What one function does to tensors, as typed events ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of the only visitor of the AST (FactsGenerator) and the input of
// every analysis. A *place* is what can hold a tensor (a variable, a member, a
// container: elements are folded into their container, but for those with a constant
// key). A *value* is what an expression yields. An *event* says what happens to them, in the order
// of the control-flow graph.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FACTS_FACTS_H
#define TENSORLEAK_CHECKS_FACTS_FACTS_H

#include "checks/facts/Events.h"
#include "checks/model/Effects.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <vector>

namespace tensorleak {

using PlaceId = unsigned;
using ValueId = unsigned;
using LoopId = unsigned;
constexpr unsigned NoId = ~0u;

//===-- Places ------------------------------------------------------------===//

struct Place {
  enum RootKind : uint8_t {
    Local,    ///< automatic variable of this function or of the one around a lambda
    Param,    ///< parameter
    Static,   ///< global, static member or static local
    Captured, ///< variable of the function around this lambda
    This,     ///< the object itself; Decl is null
  };
  RootKind Root = Local;                  ///< what the outermost object is
  const clang::ValueDecl *Decl = nullptr; ///< variable, binding or field
  PlaceId Parent = NoId;                  ///< the object a field belongs to
  bool OfSplice = false;                  ///< a variable of a body that is spliced in
  /// Of an entry of the container Parent: its constant key; Decl is that of the container.
  std::optional<int64_t> Key = std::nullopt;
  bool isField() const { return Parent != NoId; }
  bool isEntry() const { return Key.has_value(); }
};

/// Interns places; one per function.
class PlaceTable {
public:
  PlaceId intern(Place P);
  /// The place of \p D in \p Parent; NoId where no fact speaks of it.
  PlaceId find(const clang::ValueDecl *D, PlaceId Parent) const;
  const Place &operator[](PlaceId Id) const { return Places[Id]; }
  unsigned size() const { return Places.size(); }

private:
  std::vector<Place> Places;
  using Name = std::pair<std::pair<const clang::ValueDecl *, PlaceId>, int64_t>;
  static Name nameOf(const Place &P) { return {{P.Decl, P.Parent}, P.Key.value_or(NoKey)}; }
  static constexpr int64_t NoKey = -7046029254386353131; ///< no key that a program has
  llvm::DenseMap<Name, PlaceId> Index;
};

//===-- Values ------------------------------------------------------------===//

/// Where a value comes from.
enum class Source : uint8_t {
  Load,     ///< read from a place
  Api,      ///< the result of an effect of the API model
  Group,    ///< a container, tuple or record built from the inputs
  UserCall, ///< the result of a function whose body we saw
  Unknown,  ///< the result of anything else
  New,      ///< `new T`
};

/// What a call to a user's function makes of its inputs' graphs.
enum class GraphOut : uint8_t { No, FromInputs, Yes };

struct Value {
  Source From = Source::Unknown;
  const clang::Expr *E = nullptr;
  Effect Api;                            ///< Source::Api
  PlaceId Loaded = NoId;                 ///< Source::Load
  GraphOut Graph = GraphOut::FromInputs; ///< Source::UserCall, and of Does::AutogradGrad
  bool GraphWasRun = false;              ///< Source::UserCall: the callee ran it backward
  llvm::SmallVector<ValueId, 2> Inputs;  ///< self first
  bool SelfIsTemporary = false;          ///< self dies at the end of the full expression
  bool Leaf = false;                     ///< created with requires_grad, or made to require it
  int Part = -1;                         ///< which element of the tuple that it is read from
};

//===-- Loops -------------------------------------------------------------===//

struct Loop {
  const clang::Stmt *S;
  LoopId Parent = NoId;
};

//===-- Bodies of callees -------------------------------------------------===//

using SpliceId = unsigned;

/// A body that stands in the graph of another function, in the place of a call: what a loop
/// calls is a part of its rounds.
struct Splice {
  const clang::FunctionDecl *Body = nullptr; ///< the definition
  const clang::Expr *Call = nullptr;
  SpliceId Around = NoId;                             ///< the one that the call stands in
  llvm::SmallVector<const clang::Expr *, 4> Operands; ///< by parameter; null where not known
  const clang::Expr *Object = nullptr;                ///< of a method
  bool Repeats = false; ///< the call, of an algorithm, runs the body for each element

  /// What the call gives \p Param; null where that is no parameter of the body, or is not known.
  const clang::Expr *given(const clang::ParmVarDecl &Param) const;
};

//===-- Events ------------------------------------------------------------===//

enum class Mode : uint8_t { Off, On, Either };

struct Event {
  EventKind Kind;
  const clang::Stmt *At = nullptr;
  PlaceId Place = NoId;
  ValueId Val = NoId;
  llvm::SmallVector<ValueId, 2> Args;
  LoopId InLoop = NoId;
  Mode SetTo = Mode::Either;
  bool Keyed = false;               ///< Grow: by key, so that an equal key replaces
  bool KeyVaries = false;           ///< Grow: the key is not a constant
  const clang::Expr *Key = nullptr; ///< Grow: what alone decides the key, in the function itself;
                                    ///< null where a callee makes it up
  bool Bounded = false;             ///< Grow: under a condition on its own size, or of few keys
  bool Declares = false;            ///< Store: the initialization of a variable
  bool Conditional = false;         ///< EmptyCache: in some rounds of its loop only; Freeze:
                                    ///< depending on the name of the parameter; what a callee
                                    ///< does: on some of its ways only
  bool RetainsGraph = false;        ///< Backward: what the graph saved stays; ResetGrad: the
                                    ///< gradients are zeros, and keep a graph of their own;
                                    ///< Hook of a callee: it keeps what it captured
  bool OnNewThread = false;         ///< UserCall: on a thread of its own
  bool Repeats = false;             ///< what a callee does: in a loop of its own
  bool IsSpliced = false;           ///< UserCall: the callee's body follows, in the graph
  bool OfModule = false;            ///< Freeze: its place is a module, not a parameter of one
  bool CreatesGraph = false;        ///< Backward: the gradients get a graph of their own
  bool OfObject = false;            ///< what a method does with the object that it is called on
  int Part = -1;                    ///< Store: which element of the tuple Val; -1: all of it
  const clang::FunctionDecl *Callee = nullptr; ///< UserCall, Opaque, or whose summary made this
  clang::SourceLocation Inner;                 ///< the place inside Callee
  SpliceId In = NoId;                          ///< the body that it stands in, of a callee
  ValueId Result = NoId; ///< what an Opaque call gives, or the spliced body of a UserCall
};

//===-- One function ------------------------------------------------------===//

/// \p E puts into a member of a new object what its constructor, the callee, puts there.
inline bool fillsNewObject(const Event &E) { return E.Declares && E.Callee; }

/// What \p E puts into its place takes the place of what was there. What a callee stores may
/// be stored on some of its ways only, but in a new object there was nothing before.
inline bool replacesContent(const Event &E) {
  return events::has(E.Kind, events::Replaces) && (!E.Callee || fillsNewObject(E));
}

struct BlockRange {
  unsigned Begin = 0, End = 0; ///< into FunctionFacts::Events
};

struct FunctionFacts {
  const clang::FunctionDecl *Function = nullptr;
  std::unique_ptr<clang::CFG> Cfg; ///< with the bodies that are spliced in
  PlaceTable Places;
  std::vector<Value> Values;
  std::vector<Event> Events;
  std::vector<BlockRange> Blocks; ///< by CFGBlock::getBlockID()
  std::vector<Loop> Loops;
  std::vector<Splice> Splices;

  /// The function's graph alone.
  const clang::CFG &ownCfg() const { return Own ? *Own : *Cfg; }
  std::unique_ptr<clang::CFG> Own; ///< where bodies are spliced into the other one
  /// The function's body, and those that stand in its graph.
  llvm::SmallVector<clang::Stmt *, 4> bodies() const;
  bool isInside(LoopId Inner, LoopId Outer) const {
    for (; Inner != NoId; Inner = Loops[Inner].Parent)
      if (Inner == Outer)
        return true;
    return false;
  }
  /// The loop a local variable is declared in; NoId for what outlives the function.
  LoopId loopOfDecl(PlaceId P) const;
  LoopId loopOfDecl(const clang::ValueDecl *D) const;
  /// Whether \p Part is \p Whole, or in it.
  bool isIn(PlaceId Part, PlaceId Whole) const {
    while (Part != NoId && Part != Whole)
      Part = Places[Part].Parent;
    return Part != NoId;
  }
  PlaceId rootOf(PlaceId P) const {
    while (Places[P].Parent != NoId)
      P = Places[P].Parent;
    return P;
  }
  llvm::DenseMap<const clang::ValueDecl *, LoopId> DeclLoops;

  /// The events whose Place is \p P, in order.
  llvm::ArrayRef<unsigned> eventsOf(PlaceId P) const;
  /// The events whose At is \p S, in order.
  llvm::ArrayRef<unsigned> eventsAt(const clang::Stmt *S) const;
  /// What the two above look in; when all events are there.
  void indexEvents();

private:
  std::vector<unsigned> ByPlace, ByCode; ///< events
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FACTS_FACTS_H
