//===-- BrokenCode.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/errors/BrokenCode.h"

#include "checks/source/Functions.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Templates too: an error in one is an error in each use.
class DeviceCodeFinder : public RecursiveASTVisitor<DeviceCodeFinder> {
public:
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (isDeviceCode(*F))
      Found.push_back(F->getSourceRange());
    return true;
  }
  std::vector<SourceRange> Found;
};

/// Wrong expressions of which the parts are kept, and the variables that they
/// initialize.
class RecoveryFinder : public RecursiveASTVisitor<RecoveryFinder> {
public:
  bool VisitRecoveryExpr(RecoveryExpr *R) {
    Found.push_back(R->getSourceRange());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->getInit() && isa<RecoveryExpr>(V->getInit()->IgnoreImplicit()))
      Found.push_back(V->getSourceRange());
    return true;
  }
  std::vector<SourceRange> Found;
};

} // namespace

BrokenCode::BrokenCode(llvm::ArrayRef<SourceLocation> AllErrors, llvm::ArrayRef<Decl *> Decls,
                       const SourceManager &Sources)
    : Sources(Sources) {
  llvm::copy_if(AllErrors, std::back_inserter(Errors),
                [](SourceLocation Error) { return Error.isValid(); });
  if (Errors.empty())
    return;
  DeviceCodeFinder Finder;
  for (Decl *D : Decls)
    Finder.TraverseDecl(D);
  DeviceCode = std::move(Finder.Found);
}

bool BrokenCode::isIn(SourceLocation Error, SourceRange Range) const {
  Range = Sources.getExpansionRange(Range).getAsRange();
  if (Range.isInvalid())
    return false;
  Error = Sources.getExpansionLoc(Error);
  return !Sources.isBeforeInTranslationUnit(Error, Range.getBegin()) &&
         !Sources.isBeforeInTranslationUnit(Range.getEnd(), Error);
}

bool BrokenCode::isInAny(SourceLocation Error, llvm::ArrayRef<SourceRange> Ranges) const {
  return llvm::any_of(Ranges, [&](SourceRange Range) { return isIn(Error, Range); });
}

bool BrokenCode::contains(const FunctionDecl &Function) const {
  std::vector<SourceLocation> Inside;
  llvm::copy_if(Errors, std::back_inserter(Inside),
                [&](SourceLocation Error) { return isIn(Error, Function.getSourceRange()); });
  if (Inside.empty())
    return false;
  RecoveryFinder Kept;
  Kept.TraverseDecl(const_cast<FunctionDecl *>(&Function));
  return llvm::any_of(Inside, [&](SourceLocation Error) { return !isInAny(Error, Kept.Found); });
}

bool BrokenCode::isInDeviceCode(SourceLocation Error) const { return isInAny(Error, DeviceCode); }

} // namespace tensorleak
