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
#include <set>
#include <string>

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
/// initialize; and the names of all variables.
class RecoveryFinder : public RecursiveASTVisitor<RecoveryFinder> {
public:
  bool VisitRecoveryExpr(RecoveryExpr *R) {
    Found.push_back(R->getSourceRange());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    Names.insert(V->getName().str());
    if (V->getInit() && isa<RecoveryExpr>(V->getInit()->IgnoreImplicit()))
      Found.push_back(V->getSourceRange());
    return true;
  }
  std::vector<SourceRange> Found;
  std::set<std::string> Names;
};

} // namespace

BrokenCode::BrokenCode(llvm::ArrayRef<SourceError> AllErrors, llvm::ArrayRef<Decl *> Decls,
                       const SourceManager &Sources)
    : Sources(Sources) {
  llvm::copy_if(AllErrors, std::back_inserter(Errors),
                [](const SourceError &Error) { return Error.Loc.isValid(); });
  if (Errors.empty())
    return;
  LacksHeader =
      llvm::any_of(Errors, [](const SourceError &Error) { return !Error.MissingHeader.empty(); });
  for (unsigned I = 0; I < Errors.size(); ++I)
    addPlaces(I);
  for (auto &[File, InIt] : Places)
    llvm::sort(InIt);
  DeviceCodeFinder Finder;
  for (Decl *D : Decls)
    Finder.TraverseDecl(D);
  DeviceCode = std::move(Finder.Found);
}

/// In its own file, and in each that includes that.
void BrokenCode::addPlaces(unsigned Error) {
  for (SourceLocation Loc = Errors[Error].Loc; Loc.isValid();) {
    auto [File, Offset] = Sources.getDecomposedExpansionLoc(Loc);
    Places[File].push_back({Offset, Error});
    Loc = Sources.getIncludeLoc(File);
  }
}

std::vector<SourceError> BrokenCode::errorsIn(SourceRange Range) const {
  std::vector<SourceError> Out;
  Range = Sources.getExpansionRange(Range).getAsRange();
  if (Range.isInvalid())
    return Out;
  auto [File, Begin] = Sources.getDecomposedLoc(Range.getBegin());
  auto [Last, End] = Sources.getDecomposedLoc(Range.getEnd());
  if (File != Last) { // it begins or ends in a file that the other one includes
    llvm::copy_if(Errors, std::back_inserter(Out),
                  [&](const SourceError &Error) { return isIn(Error.Loc, Range); });
    return Out;
  }
  auto InFile = Places.find(File);
  if (InFile == Places.end())
    return Out;
  auto It = llvm::lower_bound(InFile->second, Place(Begin, 0));
  for (; It != InFile->second.end() && It->first <= End; ++It)
    Out.push_back(Errors[It->second]);
  return Out;
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

/// The parser makes up the end of a body that the file ends in.
bool BrokenCode::isClosed(const FunctionDecl &Function) const {
  const Stmt *Body = Function.getBody();
  SourceLocation End = Body ? Sources.getSpellingLoc(Body->getEndLoc()) : SourceLocation();
  return End.isInvalid() || *Sources.getCharacterData(End) == '}';
}

/// A member of its class may be missing, or be taken for something else.
bool BrokenCode::hasBrokenClass(const FunctionDecl &Function) const {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  if (!Method)
    return false;
  const CXXRecordDecl *Class = Method->getParent();
  auto IsInMethod = [&](const SourceError &Error) {
    return llvm::any_of(Class->methods(), [&](const CXXMethodDecl *Other) {
      return Other->doesThisDeclarationHaveABody() && isIn(Error.Loc, Other->getSourceRange());
    });
  };
  return llvm::any_of(errorsIn(Class->getSourceRange()), [&](const SourceError &Error) {
    return Error.IsSyntax && !IsInMethod(Error);
  });
}

bool BrokenCode::contains(const FunctionDecl &Function) const {
  if (Errors.empty())
    return false;
  if (!isClosed(Function) || hasBrokenClass(Function))
    return true;
  std::vector<SourceError> Inside = errorsIn(Function.getSourceRange());
  if (Inside.empty())
    return false;
  RecoveryFinder Kept;
  Kept.TraverseDecl(const_cast<FunctionDecl *>(&Function));
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function))
    for (const FieldDecl *Field : Method->getParent()->fields())
      Kept.Names.insert(Field->getName().str());
  return llvm::any_of(Inside, [&](const SourceError &Error) {
    // What is no member but a variable begins a statement, before which one has no end.
    const std::string &Name = Error.MissingMember;
    bool IsVariable = !Name.empty() && Kept.Names.count(Name);
    return Error.IsSyntax || IsVariable || !isInAny(Error.Loc, Kept.Found);
  });
}

bool BrokenCode::lacksNamesOf(const FunctionDecl &Function) const {
  return !Errors.empty() && !LacksHeader &&
         llvm::any_of(errorsIn(Function.getSourceRange()), [](const SourceError &Error) {
           return !Error.MissingMember.empty() ||
                  (Error.Lacks && Error.Lacks->As == LackedName::Role::Unsaid);
         });
}

bool BrokenCode::isHalfTyped() const {
  FileID Main = Sources.getMainFileID();
  llvm::StringRef Text = Sources.getBufferData(Main);
  return llvm::any_of(Errors, [&](const SourceError &Error) {
    auto [File, Offset] = Sources.getDecomposedExpansionLoc(Error.Loc);
    if (!Error.IsSyntax || File != Main || isInDeviceCode(Error.Loc))
      return false;
    // Where a header is missing a macro of it may be what has no form.
    return !LacksHeader || Text.drop_front(Offset).trim().empty();
  });
}

bool BrokenCode::isInDeviceCode(SourceLocation Error) const { return isInAny(Error, DeviceCode); }

} // namespace tensorleak
