//===-- UnitAction.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/UnitAction.h"

#include "checks/Convert.h"
#include "checks/dump/Dump.h"
#include "checks/frontend/cache/PreludeInputs.h"
#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/commands/Python.h"
#include "checks/frontend/errors/BrokenCode.h"
#include "checks/frontend/parse/ForeignBodies.h"
#include "checks/frontend/parse/templates/Instantiation.h"
#include "checks/frontend/parse/templates/UnusedTemplates.h"
#include "checks/source/Paths.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Whether a header of CUDA is our stand-in.
bool readsBundledCuda(const SourceManager &Sources, const std::string &Prelude) {
  const std::string Folder = bundledCudaFolder();
  if (!Prelude.empty() && preludeReads(Prelude, joinPath(Folder, "cuda_runtime_api.h")))
    return true;
  const std::string Shim = joinPath(Folder, "shim"), OfTorch = bundledTorchCudaFolder();
  return std::any_of(Sources.fileinfo_begin(), Sources.fileinfo_end(), [&](auto &File) {
    StringRef Name = File.first.getName();
    return isBelow(Name, Folder) && !isBelow(Name, Shim) && !isBelow(Name, OfTorch);
  });
}

/// Whether the unit, or the prelude it starts from, reads any header below \p Folder.
bool readsBelow(const SourceManager &Sources, const std::string &Prelude,
                const std::string &Folder) {
  if (Folder.empty())
    return false;
  if (!Prelude.empty() && preludeReadsBelow(Prelude, Folder))
    return true;
  return std::any_of(Sources.fileinfo_begin(), Sources.fileinfo_end(),
                     [&](auto &File) { return isBelow(File.first.getName(), Folder); });
}

/// Collects the user's declarations and, at the end of the file, analyses them.
class UnitConsumer : public SemaConsumer {
public:
  UnitConsumer(CompilerInstance &Compiler, const UserCode &Code, const UnitOptions &Options,
               ParseState &State, UnitResult &Result)
      : User(Code, Compiler.getSourceManager()),
        Prelude(Compiler.getPreprocessorOpts().ImplicitPCHInclude), Options(Options), State(State),
        Result(Result) {}

  void InitializeSema(Sema &S) override { TheSema = &S; }
  void ForgetSema() override { TheSema = nullptr; }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (User.contains(D->getLocation()))
        Decls.push_back(D);
    return true;
  }

  /// What a precompiled prelude brings along is foreign.
  void HandleInterestingDecl(DeclGroupRef) override {}

  bool shouldSkipFunctionBody(Decl *D) override {
    return !User.contains(D->getLocation()) && canSkipForeignBody(D);
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    instantiateUserTemplates(*TheSema, User);
    InPart = instantiateUnusedTemplates(*TheSema, Decls, User);
    const SourceManager &Sources = Context.getSourceManager();
    if (readsBundledCuda(Sources, Prelude))
      Result.Cuda = CudaHeaders::Bundled;
    Result.ReadsToolkit = readsBelow(Sources, Prelude, Options.Toolkit);
    Result.LacksPython = readsBelow(Sources, Prelude, bundledPythonFolder());
    if (Context.getDiagnostics().hasFatalErrorOccurred())
      return; // Clang stopped: what is whole is not known
    std::vector<Diagnosis> Diagnoses = analyzeWhatIsWhole(Context);
    Result.Findings = toFindings(Diagnoses, Context, Decls);
  }

private:
  std::vector<Diagnosis> analyzeWhatIsWhole(ASTContext &Context) {
    const SourceManager &Sources = Context.getSourceManager();
    BrokenCode Broken(State.Errors.errors(), Decls, Sources);
    State.Errors.forget([&](const SourceError &Error) { return Broken.isInDeviceCode(Error.Loc); });
    AnalyzerOptions Analysis = Options.Analysis;
    if (Analysis.Project)
      Analysis.Exports = &Result.Facts;
    Analysis.Understood = [&](const FunctionDecl &F) {
      Understanding Alone =
          State.Functions.understandingOf(F, Broken.contains(F), Broken.lacksNamesOf(F), Sources);
      return Broken.isHalfTyped() || InPart.contains(&F)
                 ? std::max(Alone, Understanding::WithStandIns)
                 : Alone;
    };
    if (Options.Dump.isWanted())
      Result.Dump = dump(Context, Decls, Analysis, Options.Dump);
    return analyze(Context, Decls, Analysis, &Result.Stats);
  }

  Sema *TheSema = nullptr;
  UserLocations User;
  std::string Prelude; ///< the precompiled header that the unit starts from
  const UnitOptions &Options;
  ParseState &State;
  UnitResult &Result;
  std::vector<Decl *> Decls;
  llvm::DenseSet<const FunctionDecl *> InPart; ///< made of templates, for types made up
};

} // namespace

std::unique_ptr<ASTConsumer> UnitFrontendAction::CreateASTConsumer(CompilerInstance &Compiler,
                                                                   StringRef) {
  State.Errors.goOnAfterFatalErrors(Compiler.getDiagnostics());
  return std::make_unique<UnitConsumer>(Compiler, Code, Options, State, Result);
}

} // namespace tensorleak
