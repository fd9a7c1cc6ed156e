//===-- ResourceFlow.h - What a function loses, and what callers see -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. Runs the dataflow of one function to its fixed point and
// reads the answer off it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RESOURCEFLOW_H
#define TENSORLEAK_CHECKS_RESOURCES_RESOURCEFLOW_H

#include "checks/resources/ResourceState.h"

namespace tensorleak {

/// A way out of the function.
struct ResourceExit {
  const clang::Stmt *At = nullptr; ///< return or throw; null for the end of the body
  bool Throws = false;
  After When = After::Anything; ///< what must have happened where it leaves this behind
  bool ByCallee = false;        ///< what is called here throws; maybe into a handler
  bool NobodyCatches = false;   ///< Throws: no handler is in view
};

struct LostResource {
  enum HowKind : uint8_t {
    NeverFreed,  ///< on no path at all
    SomeExit,    ///< freed on some ways out, not on Exits
    Thrown,      ///< a constructor throws: no destructor will run
    Overwritten, ///< its last pointer gets another value at At
    WrongCall,   ///< At gives it to a call of another family
    Regrown,     ///< a new one replaces what a longer-lived pointer held before
    Dropped,     ///< the statement that takes it discards the pointer
    Refused,     ///< only the call At was given its pointer, and did not take it
    OneByOne,    ///< of those that a loop takes, At gives back one, and others remain
  } How = NeverFreed;
  SiteId Site = 0;
  PathId Holder = NoPath;
  llvm::SmallVector<ResourceExit, 2> Exits;
  const clang::Stmt *At = nullptr;
  bool Doubtful = false; ///< a function of another file was given it too
  bool InLoop = false;   ///< is taken in each round of one
  // Of what is Regrown.
  bool Grows = false;      ///< taken where there is more than a limit that is set then
  bool FindsOld = false;   ///< taken also where a test has found an old one
  bool IsAsked = false;    ///< some condition of the function asks about the holder
  bool EachCall = false;   ///< whatever state the calls before have left behind
  bool IsEmptied = false;  ///< the container was emptied before: it may well have held something
  bool IsOldNamed = false; ///< something may name the old one when the new one replaces it
};

/// A resource put into a member or global, or taken out of it to be freed.
struct HolderUse {
  PathId Path = NoPath;
  std::optional<SiteId> Site;
  const clang::Stmt *At = nullptr;
  bool ByCallee = false;
  FamilySet Accepts = ~FamilySet(0);             ///< what may be freed there
  std::optional<int64_t> Element = std::nullopt; ///< of a container, the only one that is meant
  unsigned Spared = 0;                           ///< so many elements its loop passes by
  ElementEnd Until = {};                         ///< and where that ends
};

/// A record that frees nothing ends there, or another one takes its place.
struct ReplacedRecord {
  HolderUse Use;
  const clang::CXXRecordDecl *Record;
};

/// A resource that is handed to a call which keeps it only where that gives the answer.
struct OfferedResource {
  SiteId Site;
  CallAnswer When;
};

/// A resource that a place of the caller's holds where the function returns a constant.
struct LeftResource {
  SiteId Site;
  PathId Holder;
  const clang::Stmt *Return;
  bool IsZero; ///< the constant
  After When;  ///< what must have happened before
};

struct FunctionResources {
  ResourceFacts Facts;
  ResourceSummary Summary;
  std::vector<LostResource> Lost;
  std::vector<HolderUse> Taken;         ///< into members and globals
  std::vector<HolderUse> TakenByCallee; ///< into them, by a callee that speaks of it itself
  std::vector<HolderUse> Released;      ///< out of members and globals
  std::vector<HolderUse> MaybeReleased; ///< to code that we do not see
  std::vector<HolderUse> Overwritten;   ///< what they held when the function began is held nowhere
  std::vector<HolderUse> HandedOn;      ///< somebody else may be the owner from there on
  std::vector<OfferedResource> Offered;
  std::vector<LeftResource> Left;
  std::vector<HolderUse> Removed; ///< out of containers
  std::vector<ReplacedRecord> Replaced;
  std::vector<HolderUse> Settled; ///< of what goes there: somebody has it, or gave it back
  std::vector<std::vector<PathId>> Rotated; ///< places that change places
  std::vector<HolderUse> Views;             ///< tensors over memory that they do not own
  std::vector<PathId> SeenByOthers;         ///< whole objects that go to code we do not see
  bool Converged = true;
  unsigned Undecided = 0; ///< questions that the budget of Logic left open
  bool HasErrors = false; ///< the compiler has not understood all of it

  /// Whether it gives back a pointer that it is handed, which may be one that is held elsewhere:
  /// `free(p); destroy(entry.event);`.
  bool givesArgument(Family What) const;
  /// Gives back, or hands to somebody, what a place that \p Is accepts held when it began.
  bool letsGoOf(llvm::function_ref<bool(const HolderUse &)> Is) const;
  /// Code that we do not see has got an object in which \p P lies.
  bool isSeenByOthers(PathId P) const;
};

/// Fills in everything but Facts.
void solveResources(FunctionResources &F);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RESOURCEFLOW_H
