//===-- GoneRecords.h - Deleted with what they hold -----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. `delete node;` or `free(node);`, where nothing gives back what a member of
// the record holds, and the record has no destructor that could.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_GONERECORDS_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_GONERECORDS_H

#include "checks/resources/records/RecordOwnership.h"

namespace tensorleak {

/// Whether what \p Out speaks of goes with the record around it; fills in the rest of it.
bool goesWithRecord(const ResourceUnit &U, const RecordUses &Uses, ForgottenResource &Out);

/// A variable of this file of which each thread has one; null is none.
bool isOfThread(const clang::Decl *Variable);

/// Whether each thread that ends leaves it behind in a variable of its own; fills in the rest.
bool goesWithThread(const RecordUses &Uses, ForgottenResource &Out);

/// The member or variable that a path ends with, or an element of which it is; null for `this`.
const clang::ValueDecl *lastOf(const PathTable &Paths, PathId P);

/// The record to which what \p At, a `delete` or a call such as `free(p)`, gives back points; null
/// where it is none.
const clang::RecordDecl *recordGivenAt(const clang::Stmt &At);

/// Somebody wrote a destructor for it, or only other files know whether.
bool hasOwnDestructor(const clang::RecordDecl &Record);

/// A method gives the object to a function of another file, which may be a friend.
bool handsItself(const clang::CXXRecordDecl &Class);

/// It is the class of the member object that gives back, or forgets.
bool isOfCleaningMember(const RecordKey &Key);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_GONERECORDS_H
