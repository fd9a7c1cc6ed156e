//===-- UnitAnalysis.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/tidy/UnitAnalysis.h"

#include "checks/Convert.h"
#include "checks/driver/SavedProject.h"
#include "checks/source/Paths.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "findings/lastrun/LastRun.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <algorithm>
#include <map>
#include <mutex>

using namespace clang;
using clang::tidy::ClangTidyContext;

namespace tensorleak {

std::shared_ptr<UnitAnalysis> UnitAnalysis::of(ClangTidyContext &Context) {
  static std::mutex Lock;
  static std::map<ClangTidyContext *, std::weak_ptr<UnitAnalysis>> Running;
  std::lock_guard<std::mutex> Guard(Lock);
  std::weak_ptr<UnitAnalysis> &Slot = Running[&Context];
  std::shared_ptr<UnitAnalysis> Out = Slot.lock();
  if (!Out)
    Slot = Out = std::make_shared<UnitAnalysis>(Context);
  return Out;
}

void UnitAnalysis::setPreprocessor(const Preprocessor &P) {
  if (Code)
    return;
  const SourceManager &Sources = P.getSourceManager();
  llvm::vfs::FileSystem &Files = Sources.getFileManager().getVirtualFileSystem();
  OptionalFileEntryRef Main = Sources.getFileEntryRefForID(Sources.getMainFileID());
  auto Directory = Files.getCurrentWorkingDirectory();
  if (!Main || !Directory)
    return;
  MainFile = absolutePath(*Main, Sources.getFileManager());
  Code.emplace(P.getHeaderSearchInfo().getHeaderSearchOpts(), MainFile, *Directory, Files);
}

/// The traversal scope is the whole unit under clang-tidy, and the declarations
/// of the main file under clangd.
std::vector<Decl *> UnitAnalysis::userDecls(ASTContext &Unit) const {
  std::vector<Decl *> Out;
  if (!Code)
    return Out;
  UserLocations User(*Code, Unit.getSourceManager());
  auto Add = [&](Decl *D) {
    if (User.contains(D->getLocation()))
      Out.push_back(D);
  };
  for (Decl *Scope : Unit.getTraversalScope()) {
    auto *Whole = dyn_cast<TranslationUnitDecl>(Scope);
    if (!Whole)
      Add(Scope);
    else
      std::for_each(Whole->decls_begin(), Whole->decls_end(), Add);
  }
  return Out;
}

const std::vector<Diagnosis> &UnitAnalysis::diagnoses(ASTContext &Unit) {
  if (Diagnoses)
    return *Diagnoses;
  AnalyzerOptions Options;
  Options.IsEnabled = [this](llvm::StringRef Rule) { return Tidy.isCheckEnabled(Rule); };
  Options.MinBytes = MinBytes;
  // Which functions the errors are in is not known here.
  if (Unit.getDiagnostics().hasUncompilableErrorOccurred())
    Options.Understood = [](const FunctionDecl &) { return Understanding::WithStandIns; };
  std::unique_ptr<ProjectView> Project = savedViewFor(MainFile, Unit.getLangOpts().IsHeaderFile);
  Options.Project = Project.get();
  return Diagnoses.emplace(analyze(Unit, userDecls(Unit), Options));
}

/// An editor's text is not yet what is in the file.
const std::vector<std::string> &UnitAnalysis::remarks(ASTContext &Unit) {
  if (Remarks)
    return *Remarks;
  const std::vector<Diagnosis> &All = diagnoses(Unit);
  std::shared_ptr<const LastRun> Run = LastRun::around(MainFile);
  if (!Run)
    return Remarks.emplace(All.size());
  const SourceManager &Sources = Unit.getSourceManager();
  llvm::StringRef Text = Sources.getBufferData(Sources.getMainFileID());
  return Remarks.emplace(
      Run->remarks(toFindings(All, Unit, userDecls(Unit)), {{MainFile, hashText(Text)}}));
}

} // namespace tensorleak
