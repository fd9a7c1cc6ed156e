//===-- Guards.h - The condition under which a resource is owned -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A resource is owned where it was taken and not released since. What
// is released under a condition that the analysis does not understand counts as released.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_GUARDS_H
#define TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_GUARDS_H

#include "checks/resources/conditions/PathConditions.h"
#include <memory>

namespace tensorleak {

/// One time that a resource was taken.
struct Tenure {
  Conditions Taken;                 ///< where all of these hold
  std::vector<Conditions> Released; ///< where all of any of these hold
  LoopSet Before = 0;               ///< in an earlier round of these, or before the first one
  bool operator==(const Tenure &O) const {
    return Taken == O.Taken && Released == O.Released && Before == O.Before;
  }
};
using ResourceGuard = llvm::SmallVector<Tenure, 1>;

/// A guard that the states of many blocks have in common until one of them changes it: most
/// blocks leave most guards as they are.
class SharedGuard {
public:
  SharedGuard() : SharedGuard(ResourceGuard()) {}
  explicit SharedGuard(ResourceGuard Of) : Value(std::make_shared<ResourceGuard>(std::move(Of))) {}
  const ResourceGuard &operator*() const { return *Value; }
  ResourceGuard &edit() {
    if (Value.use_count() > 1)
      Value = std::make_shared<ResourceGuard>(*Value);
    return *Value;
  }
  bool isShared(const SharedGuard &With) const { return Value == With.Value; }
  bool operator==(const SharedGuard &O) const { return isShared(O) || *Value == *O.Value; }

private:
  std::shared_ptr<ResourceGuard> Value;
};

/// What else must have happened where something does.
enum class After : uint8_t {
  Anything,   ///< nothing in particular
  FailedCall, ///< a call to the device failed
  FailedTake, ///< a resource could not be had
};

/// Asks of guards. Where the answer is not known, the program is believed.
class GuardQuestions {
public:
  explicit GuardQuestions(PathConditions &Paths) : Paths(Paths), L(Paths.logic()) {}

  void take(ResourceGuard &G, SiteId Id, const Conditions &Path);
  void release(ResourceGuard &G, const Conditions &Path);
  /// All that \p G guards was taken only where \p Path holds.
  static void restrict(ResourceGuard &G, const Conditions &Path);
  void join(ResourceGuard &Into, const ResourceGuard &From) const;
  /// \p Path, where a call on it gives this answer.
  Conditions answered(const CallAnswer &A, const Conditions &Path);
  /// What \p New guards is one more of those that \p Old does, where \p Path holds: none of it is
  /// released yet.
  void retake(ResourceGuard &Old, const ResourceGuard &New, const Conditions &Path) const;
  /// Another round of \p Loop begins, after one that went along \p Path.
  ResourceGuard afterRound(const ResourceGuard &G, LoopId Loop, const Conditions &Path);

  /// Whether it is owned at the end of \p Path for certain, in some execution.
  std::optional<After> ownedAfter(const ResourceGuard &G, const Conditions &Path);
  /// \p True holds from here on, and is not asked for any more.
  void forget(SharedGuard &G, const Conditions &True) const;
  /// Whether it is owned nowhere on \p Path, and so nowhere behind it.
  bool isReleased(const ResourceGuard &G, const Conditions &Path) const;
  /// Whether another value may take the place of it there.
  bool isOverwritten(const ResourceGuard &G, const Conditions &Path);
  bool mayBeOwned(const ResourceGuard &G, const Conditions &Path);
  /// Whether \p Path can end without it having been taken, though no call failed.
  bool mayBeMissing(const ResourceGuard &G, const Conditions &Path);
  After whenReached(const Conditions &Path);

private:
  /// What must hold for it to be owned there, as far as it decides that; nothing where
  /// it has been released for certain.
  std::optional<Conditions> ownedThere(const Tenure &T, const Conditions &Path);
  Answer isOwned(const Tenure &T, const Conditions &Path);
  bool isReleasedUnclearly(const Tenure &T, const Conditions &Path) const;
  bool dependUnclearly(const Tenure &T, const Conditions &Path) const;
  Conditions withoutFailure(llvm::ArrayRef<Condition> Of, bool OfTakesOnly);

  PathConditions &Paths;
  Logic &L;
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_CONDITIONS_GUARDS_H
