//===-- ResourceState.h - Who holds what at one point ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. The state of the dataflow and what each event does to it. Where paths
// meet, a place may hold what it holds on any of them; under which condition a resource is
// owned there is what its guard says (`if (n > 1) alloc; ... if (n > 1) free`).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RESOURCESTATE_H
#define TENSORLEAK_CHECKS_RESOURCES_RESOURCESTATE_H

#include "checks/resources/conditions/Guards.h"
#include <map>
#include <set>

namespace tensorleak {

/// What a place holds.
struct HeldValue {
  enum ValueKind : uint8_t {
    Resource, ///< the resource taken at site Id
    Older,    ///< the one that was taken there in an earlier round of a loop
    Initial,  ///< what was at path Id when the function began
    Address,  ///< a pointer to path Id
  } What;
  unsigned Id;
  bool isResource() const { return What <= Older; }
  bool operator<(const HeldValue &O) const { return std::tie(What, Id) < std::tie(O.What, O.Id); }
  bool operator==(const HeldValue &O) const { return What == O.What && Id == O.Id; }
};
using HeldValues = std::set<HeldValue>;

/// What the site \p Id took last, and what it took in earlier rounds of a loop.
inline HeldValue current(SiteId Id) { return {HeldValue::Resource, Id}; }
inline HeldValue older(SiteId Id) { return {HeldValue::Older, Id}; }

struct ResourceState {
  bool Reached = false;
  bool AllReleased = false; ///< on every path to here
  std::map<PathId, HeldValues> Holders;
  std::map<HeldValue, SharedGuard> Guards; ///< of resources that some path to here has taken
  std::set<HeldValue> GivenBack;           ///< initial values that some path has given back
  // Of what the parameters had when the function began.
  std::set<HeldValue> LetGo; ///< some path has stored, freed or handed it on
  /// Some path has, to calls that keep it where they return zero (true), or where they do not.
  std::map<HeldValue, std::map<const clang::CallExpr *, bool>> Offered;
  std::set<HeldValue> Null; ///< on every path to here
  std::set<PathId> Emptied; ///< elements that each path to here has removed, and nobody has
  std::set<PathId> Empty;   ///< elements of which each path to here has found none
  /// Elements that some path has given back one by one, of those that a loop has filled.
  std::set<std::pair<SiteId, int64_t>> GivenElements; ///< a path, or the number of an element

  bool operator==(const ResourceState &O) const {
    return Reached == O.Reached && AllReleased == O.AllReleased && Holders == O.Holders &&
           Guards == O.Guards && GivenBack == O.GivenBack && LetGo == O.LetGo &&
           Offered == O.Offered && Null == O.Null && Emptied == O.Emptied &&
           GivenElements == O.GivenElements;
  }
};

/// Hears of what happens; the dataflow itself needs none of it.
class ResourceListener {
public:
  virtual ~ResourceListener() = default;
  virtual void onLost(const ResourceEvent &, HeldValue, PathId /*Holder*/) {}
  virtual void onRelease(const ResourceEvent &, const HeldValues &) {}
  virtual void onEscape(const ResourceEvent &, HeldValue) {}
  /// As onEscape, where the call of \p When gives that answer.
  virtual void onOffer(HeldValue, const CallAnswer & /*When*/) {}
  virtual void onView(const ResourceEvent &, HeldValue) {}
  virtual void onTreeEscape(const ResourceEvent &, PathId) {}
  /// Not for what the caller can reach through another path anyway.
  virtual void onReturn(const ResourceEvent &, HeldValue, llvm::ArrayRef<Step> /*Part*/) {}
  virtual void onThrow(const ResourceEvent &, const ResourceState &) {}
  /// The elements at that path go; \p Settled of them, or of their members, somebody has, or has
  /// given back.
  virtual void onRemove(const ResourceEvent &, PathId, const std::set<PathId> & /*Settled*/) {}
  /// What these hold changes places. \p IsWhole: each holds one thing, and the state is as before.
  virtual void onRotate(llvm::ArrayRef<PathId> /*Places*/, bool /*IsWhole*/) {}
  virtual void onStore(const ResourceEvent &, PathId, const HeldValues &, const ResourceState &) {}
};

/// Moves a state over events and branches.
class ResourceTransfer {
public:
  /// \p Paths is null where the function takes nothing.
  ResourceTransfer(ResourceFacts &Facts, PathConditions *Paths) : Facts(Facts), Listener(&Silent) {
    if (Paths)
      Questions.emplace(*Paths);
  }
  ResourceTransfer(const ResourceTransfer &) = delete;
  void listen(ResourceListener &To) { Listener = &To; }

  /// What holds where the events that come next happen.
  void enter(const Conditions &There) { Path = &There; }
  void apply(const ResourceEvent &E, ResourceState &S);
  /// Control goes on where the condition of \p B is as \p IsTrue says.
  void refine(const Branch &B, bool IsTrue, ResourceState &S);
  /// Control goes on along \p Path, which says that \p Pointer is not null.
  void knowNotNull(const Operand &Pointer, const Conditions &Path, ResourceState &S);
  /// Another round of \p Loop begins, after one that went along \p Way.
  void endRound(LoopId Loop, const Conditions &Way, ResourceState &S);
  void join(ResourceState &Into, ResourceState From) const;
  /// Where all ways pass; see Passages.
  void forgetReleased(ResourceState &S, const Conditions &True);
  void forgetUnnamed(ResourceState &S,
                     llvm::function_ref<bool(const clang::ValueDecl &)> IsNamed) const;
  /// Follows pointers that are known to point to other paths.
  llvm::SmallVector<PathId, 2> resolve(PathId P, const ResourceState &S);
  HeldValues load(PathId P, const ResourceState &S);
  /// Whether what \p P holds is lost when the function ends.
  bool isOwnStorage(PathId P, const ResourceState &S) const;

  bool hasGivenElementsOf(SiteId Id, const ResourceState &S) const;
  /// Whether \p V is owned at the end of the block, in some execution.
  bool mayOwn(HeldValue V, const ResourceState &S);
  /// Null where the function takes nothing.
  GuardQuestions *questions() { return Questions ? &*Questions : nullptr; }

private:
  void forEachIn(HeldValue Block, const ResourceState &S,
                 llvm::function_ref<void(HeldValue, llvm::ArrayRef<Step>)> Visit);
  bool hasTwoNames(PathId Pointer, const ResourceState &S) const;
  void giveUnderTwoNames(PathId Target, const HeldValues &New, ResourceState &S);
  bool isGiven(HeldValue V) const;
  bool isGivenMemory(HeldValue V) const;
  void give(HeldValue V, ResourceState &S, const std::optional<CallAnswer> &When = std::nullopt);
  HeldValues valuesOf(const Operand &Value, const ResourceState &S);
  bool isOwnBlock(HeldValue V, const ResourceState &S) const;
  HeldValues loadExact(PathId P, const ResourceState &S) const;
  void joinAliases(const ResourceEvent &E, const HeldValues &Of, ResourceState &S);
  void acquire(const ResourceEvent &E, ResourceState &S);
  void assign(const ResourceEvent &E, PathId Target, const HeldValues &New, ResourceState &S);
  void store(const ResourceEvent &E, PathId Target, const HeldValues &New, ResourceState &S);
  void assign(const ResourceEvent &E, ResourceState &S);
  bool storeIfAccepted(const ResourceEvent &E, PathId Target, const HeldValues &New,
                       ResourceState &S);
  std::map<PathId, HeldValues> treeAt(PathId Root, const ResourceState &S);
  void addNamedBelow(PathId To, PathId From, const ResourceState &S,
                     std::map<PathId, HeldValues> &Tree);
  void copyTree(const ResourceEvent &E, ResourceState &S);
  bool staysOwned(PathId P, Family &What, ResourceState &S);
  bool isUntouched(PathId P, const ResourceState &S) const;
  bool arePermuted(llvm::ArrayRef<PathId> Places, ResourceState &S);
  bool exchangeTwo(const ResourceEvent &E, PathId First, PathId Second, ResourceState &S);
  void rotate(const ResourceEvent &E, ResourceState &S);
  void rotateOneByOne(const ResourceEvent &E, ResourceState &S);
  void declare(const ResourceEvent &E, ResourceState &S);
  void remove(const ResourceEvent &E, ResourceState &S);
  void fill(PathId Target, ResourceState &S) const;
  bool isObject(HeldValue V, const ResourceState &S);
  void leaveBehind(const HeldValues &Values, ResourceState &S);
  void dropBelow(PathId P, ResourceState &S, bool OnlyThroughPointers);
  void loseFrom(const ResourceEvent &E, PathId Holder, const HeldValues &Old, const HeldValues &New,
                ResourceState &S);
  void release(const ResourceEvent &E, ResourceState &S);
  void detachSome(const ResourceEvent &E, ResourceState &S);
  void releaseAll(ResourceState &S);
  void doubt(const ResourceEvent &E, ResourceState &S);
  void escape(const ResourceEvent &E, HeldValue V, ResourceState &S, unsigned Depth = 0);
  void escapeTree(const ResourceEvent &E, PathId P, ResourceState &S, unsigned Depth = 0);
  void escapeGivenBelow(const ResourceEvent &E, PathId Pointer, ResourceState &S);
  void escapeBlockAround(const ResourceEvent &E, HeldValue V, ResourceState &S, unsigned Depth = 0);
  void returnValue(const ResourceEvent &E, ResourceState &S);
  bool isHeldOutside(HeldValue V, const ResourceState &S) const;
  bool isHeldOutOfSight(HeldValue V, const ResourceState &S) const;
  void age(SiteId Id, ResourceState &S);
  bool isFilledAgain(const ResourceEvent &E, PathId P) const;
  void fillAgain(const ResourceEvent &E, PathId P, const HeldValues &New, ResourceState &S);
  std::optional<int64_t> placeOfOne(const ResourceEvent &E, HeldValue V, ResourceState &S);
  bool areSomeLeft(SiteId Id, const ResourceState &S) const;
  bool leavesOthers(const ResourceEvent &E, HeldValue V, ResourceState &S);

  ResourceFacts &Facts;
  std::optional<GuardQuestions> Questions;
  const Conditions *Path = nullptr;
  ResourceListener Silent;
  ResourceListener *Listener;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RESOURCESTATE_H
