//===-- Refusals.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/resources/losses/Refusals.h"

#include "checks/model/ClassNames.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace tensorleak {

static std::string nameOf(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee ? "'" + Callee->getNameAsString() + "'" : "it";
}

/// "returns true", "returns 0", "succeeds", and of emplace() "finds no such key".
static std::string answerOf(const CallAnswer &A) {
  const QualType Type = A.Call->getType();
  if (isDeviceStatus(Type) && A.IsZero)
    return "succeeds";
  if (Type->isRecordType())
    return "finds no such key";
  if (Type->isBooleanType())
    return A.IsZero ? "returns false" : "returns true";
  return std::string(A.IsZero ? "returns " : "does not return ") +
         (Type->isPointerType() ? "null" : "0");
}

void noteRefusal(const FunctionResources &F, SiteId Site, Diagnosis &D) {
  auto It = llvm::find_if(F.Offered, [&](const OfferedResource &O) { return O.Site == Site; });
  if (It != F.Offered.end())
    D.Notes.push_back({It->When.Call->getBeginLoc(),
                       nameOf(*It->When.Call) + " takes it only where it " + answerOf(It->When)});
}

std::string lostByRefusal(const LostResource &L, llvm::StringRef Release) {
  return " that this call returns is lost where " + nameOf(*cast<CallExpr>(L.At)) +
         " does not take it; call '" + Release.str() + "' there";
}

} // namespace tensorleak
