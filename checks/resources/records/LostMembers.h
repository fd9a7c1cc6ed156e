//===-- LostMembers.h - Objects in members that nothing deletes -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A tensor, module or optimizer that a method makes for a member of its
// own object that is a plain pointer.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_LOSTMEMBERS_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_LOSTMEMBERS_H

#include "checks/resources/FileAnalyses.h"

namespace tensorleak {

struct LostMember {
  enum Reason : uint8_t {
    NeverDeleted, ///< all methods of the class are seen, and none deletes it
    SetUpAgain,   ///< a second call for one object would lose what the first has made
    Overwritten,  ///< the destructor deletes the last one; the one before it is lost
  };
  Reason Why;
  const FunctionResources *In; ///< the method that makes the object
  SiteId Site;
  const clang::FieldDecl *Member;
  const clang::Stmt *CalledAgain = nullptr; ///< Overwritten: a call after the constructor's
};

/// In the order of the code.
std::vector<LostMember> findLostMembers(FileAnalyses &File);

/// An assignment operator overwrites a member that every object fills and the destructor
/// releases: what the object assigned to held is lost.
struct AssignedOver {
  const FunctionResources *In;
  const clang::Stmt *At;
  const clang::FieldDecl *Member;
  llvm::ArrayRef<RecordTake> Takes; ///< what the member may have held
};
std::vector<AssignedOver> findAssignedOver(FileAnalyses &File);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_LOSTMEMBERS_H
