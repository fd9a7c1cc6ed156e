//===-- RecordOwnership.h - Members and globals across the file -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage resources. A resource in a member outlives the function that takes it.
// Here all functions of the file are looked at together, and what is known of other
// files': which members are ever filled, which are ever given back, and by which
// destructor or free function.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RESOURCES_RECORDS_RECORDOWNERSHIP_H
#define TENSORLEAK_CHECKS_RESOURCES_RECORDS_RECORDOWNERSHIP_H

#include "checks/project/Imports.h"
#include "checks/resources/records/RecordUses.h"

namespace tensorleak {

struct ForgottenResource {
  enum WhyKind : uint8_t {
    FreeFunction, ///< Where gives back other members, not this one
    NoDestructor, ///< a class whose methods take it and never give it back
    Global,       ///< a global that nothing gives back
    Misgiven,     ///< At gives it to a call of another family
    InPart,       ///< a loop takes several, and At gives back a single one
    WithRecord,   ///< At gives back the record, and not what is in it
    WithThread,   ///< a thread_local variable, of which only what is replaced is given back
  } Why;
  RecordKey Key;
  const FunctionResources *In; ///< the function that takes it
  SiteId Site;
  PathId Holder;
  const clang::FunctionDecl *Where = nullptr; ///< when it is in this file
  std::string WhereName;
  std::vector<std::string> Siblings; ///< what Where does give back
  bool Sure = false;
  bool EachCall = false;   ///< Global: each call of In takes it anew
  bool EachThread = false; ///< Global: each thread has one of its own, and leaves it behind
  const clang::Stmt *At = nullptr;
};

/// In the order of the code.
std::vector<ForgottenResource> findForgotten(const ResourceUnit &U, const RecordUses &Uses,
                                             Imports &Others);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RESOURCES_RECORDS_RECORDOWNERSHIP_H
