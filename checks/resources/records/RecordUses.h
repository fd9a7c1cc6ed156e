//===-- RecordUses.h - What a file does to members and globals -------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. All functions of the file together: which members and globals they
// fill, and which they give back.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_RECORDUSES_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_RECORDUSES_H

#include "checks/resources/ResourceUnit.h"
#include "checks/resources/records/keys/RecordKeys.h"
#include "clang/AST/DeclCXX.h"
#include <map>
#include <set>

namespace tensorleak {

struct RecordTake {
  const FunctionResources *In;
  SiteId Site;
  PathId Holder;
  Family what() const { return In->Facts.Sites[Site].What; }
};

class RecordUses {
public:
  explicit RecordUses(const ResourceUnit &U);
  /// \p F makes room for something new in \p Owner, and frees only that.
  bool refills(const clang::FunctionDecl &F, const clang::NamedDecl &Owner) const;

  std::map<RecordKey, std::vector<RecordTake>> Takes;
  std::set<RecordKey> Given;
  std::set<RecordKey> GivenWithin; ///< as a part of an object around the record
  std::map<const clang::FunctionDecl *, std::set<RecordKey>> GivenWithinBy;
  std::set<RecordKey> Parts; ///< what is taken is in a place around it too, which says more
  /// Given to calls only that do not accept what the file puts there.
  std::map<RecordKey, HolderUse> Misgiven;
  /// Loops take several, and single ones of them are given back; or other elements of an array.
  std::map<RecordKey, HolderUse> GivenInPart;
  /// Of what is GivenInPart: whether \p T is among what nobody gives back.
  bool isLeft(const RecordKey &Key, const RecordTake &T) const;
  /// Nothing gives \p Key back but what puts another one there in the same call.
  bool isOnlyReplaced(const RecordKey &Key) const;
  /// \p F gives \p Key back, other than by calls of \p But and by what puts another one there in
  /// the same call.
  bool leavesEmpty(const clang::FunctionDecl &F, const RecordKey &Key,
                   const clang::FunctionDecl &But) const;
  /// Only functions of the file that are sure to do it give \p Key back, from the object itself.
  bool isGivenInView(const RecordKey &Key) const {
    return isGivenHere(Key) && !GivenWithin.count(Key);
  }
  /// As isGivenInView, or from an object around that one.
  bool isGivenHere(const RecordKey &Key) const {
    return Given.count(Key) && !Believed.count(Key) && !isShared(Key);
  }
  /// Where it may be given back by a function that is not in view.
  llvm::ArrayRef<const clang::Stmt *> believedAt(const RecordKey &Key) const {
    auto It = Believed.find(Key);
    if (It == Believed.end())
      return {};
    return It->second;
  }
  /// Whether what \p Key holds is in another member too.
  bool isShared(const RecordKey &Key) const;
  std::set<RecordKey> FilledOtherwise; ///< with what the file does not take itself, or with null
  /// Members that change places with each other.
  std::vector<std::set<RecordKey>> Rotated;
  std::set<RecordKey> HandedOn;                   ///< somebody else may own what was in it
  std::vector<const clang::FunctionDecl *> Order; ///< they give something, callees first
  std::map<const clang::FunctionDecl *, std::set<RecordKey>> GivenBy;
  std::map<const clang::FunctionDecl *, std::set<const clang::NamedDecl *>> TakenIn; ///< owners
  llvm::DenseSet<const clang::ValueDecl *> NotAllSeen;  ///< used by functions with errors
  std::set<const clang::CXXRecordDecl *> GlobalObjects; ///< classes with a static or global object
  llvm::DenseSet<const clang::ValueDecl *>
      ReachedByOthers; ///< globals that unseen code gets by address
  /// \p F hands to unseen code an object in which, or from which, that may find what \p Key names.
  bool mayReach(const clang::FunctionDecl &F, const RecordKey &Key) const;
  bool isHandedOut(const RecordKey &Key) const;
  /// The method \p F gives its own object to unseen code.
  bool handsItself(const clang::FunctionDecl &F) const;

private:
  void collect(const FunctionResources &F);
  void collectTakes(const FunctionResources &F);
  void addTakenByCallee(const FunctionResources &F, bool InLocals);
  void collectReleases(const FunctionResources &F);
  void addReleaseOf(const FunctionResources &F, const HolderUse &Use);
  void collectRotations(const FunctionResources &F);
  void collectHandedObjects(const FunctionResources &F);
  void addMoved(const FunctionResources &F);
  void handOn(const FunctionResources &F, const HolderUse &Use);
  bool isNamedHere(const FunctionResources &F, const HolderUse &Use);
  void collectNamedCalls();
  bool areTakenTogether(const std::set<RecordKey> &Keys) const;
  void addGiven(const RecordKey &Key);
  void give(const RecordKey &Key, const clang::FunctionDecl *By);
  void believe(const RecordKey &Key, const clang::Stmt *At);
  /// Given, but not by a function in view: where.
  std::map<RecordKey, llvm::SmallVector<const clang::Stmt *, 1>> Believed;
  bool isMisgiven(const RecordKey &Key, const HolderUse &Use) const;
  void settleReleases();
  bool isOwnList(const RecordKey &Key) const;
  void dropElementsOfOthers();
  bool areOthersLeft(const RecordKey &Key) const;
  bool areRoundsLeft(const RecordKey &Key, const RecordTake &T) const;
  bool areRoundsOfCallersLeft(const RecordKey &Key, const RecordTake &T) const;
  bool areRoundsLeft(const RecordKey &Key) const;
  bool isElementLeft(const RecordKey &Key, const RecordTake &T) const;
  /// The function that is called at \p Use has a release of its own.
  bool isCallees(const HolderUse &Use, const RecordKey &Key) const;
  const ResourceUnit &Unit;

  struct Release {
    RecordKey Key;
    const clang::FunctionDecl *By;
    HolderUse Use;
    const FunctionResources *In;
  };
  std::set<RecordKey> HandedToOthers; ///< HandedOn, and not only by a `return`
  /// By what name each function hands whole objects to unseen code; null is `this`.
  std::map<const clang::FunctionDecl *, llvm::DenseSet<const clang::ValueDecl *>> Handed;
  bool replaces(const Release &R) const;
  std::vector<Release> Releases;
  /// Methods that the file calls, canonical: whether each call has a name for the object. None
  /// where some function has errors; computed at the first question.
  std::optional<llvm::DenseMap<const clang::CXXMethodDecl *, bool>> CalledByName;
  std::vector<std::pair<RecordKey, RecordTake>> TakesByCallee; ///< where the call is
  std::map<SiteId, std::vector<RecordKey>> KeysOfSite;         ///< of the function at hand
  std::vector<std::vector<RecordKey>> Shared; ///< members that hold the same resource
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_RECORDUSES_H
