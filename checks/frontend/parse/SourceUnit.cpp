//===-- SourceUnit.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/SourceUnit.h"

#include "checks/Convert.h"
#include "checks/dump/Dump.h"
#include "checks/frontend/cache/PreludeInputs.h"
#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/parse/BrokenCode.h"
#include "checks/frontend/parse/Compat.h"
#include "checks/frontend/parse/Errors.h"
#include "checks/frontend/parse/ForeignBodies.h"
#include "checks/frontend/parse/Instantiation.h"
#include "checks/frontend/parse/Launches.h"
#include "checks/frontend/parse/Outputs.h"
#include "checks/frontend/parse/Prelude.h"
#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace tensorleak {
namespace {

/// Whether a header of CUDA is our stand-in.
bool readsBundledCuda(const SourceManager &Sources, const std::string &Prelude) {
  const std::string Folder = bundledCudaFolder();
  if (!Prelude.empty() && preludeReads(Prelude, joinPath(Folder, "cuda_runtime_api.h")))
    return true;
  return std::any_of(Sources.fileinfo_begin(), Sources.fileinfo_end(), [&](auto &File) {
    return isBelow(File.first.getName(), Folder) && !File.first.getName().contains("/shim/");
  });
}

/// Whether the unit, or the prelude it starts from, reads any header of \p Toolkit.
bool readsToolkit(const SourceManager &Sources, const std::string &Prelude,
                  const std::string &Toolkit) {
  if (Toolkit.empty())
    return false;
  if (!Prelude.empty() && preludeReadsBelow(Prelude, Toolkit))
    return true;
  return std::any_of(Sources.fileinfo_begin(), Sources.fileinfo_end(),
                     [&](auto &File) { return isBelow(File.first.getName(), Toolkit); });
}

/// Collects the user's declarations and, at the end of the file, analyses them.
class UnitConsumer : public SemaConsumer {
public:
  UnitConsumer(CompilerInstance &Compiler, const UserCode &Code, const UnitOptions &Options,
               ErrorCollector &Errors, UnitResult &Result)
      : User(Code, Compiler.getSourceManager()),
        Prelude(Compiler.getPreprocessorOpts().ImplicitPCHInclude), Options(Options),
        Errors(Errors), Result(Result) {}

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
    if (readsBundledCuda(Context.getSourceManager(), Prelude))
      Result.Cuda = CudaHeaders::Bundled;
    Result.ReadsToolkit = readsToolkit(Context.getSourceManager(), Prelude, Options.Toolkit);
    if (Context.getDiagnostics().hasFatalErrorOccurred())
      return; // Clang stopped: what is whole is not known
    std::vector<Diagnosis> Diagnoses = analyzeWhatIsWhole(Context);
    Result.Findings = toFindings(Diagnoses, Context, Decls);
  }

private:
  std::vector<Diagnosis> analyzeWhatIsWhole(ASTContext &Context) {
    std::vector<SourceLocation> Places;
    for (const SourceError &Error : Errors.errors())
      Places.push_back(Error.Loc);
    BrokenCode Broken(Places, Decls, Context.getSourceManager());
    Errors.forget([&](const SourceError &Error) { return Broken.isInDeviceCode(Error.Loc); });
    AnalyzerOptions Analysis = Options.Analysis;
    if (Analysis.Project)
      Analysis.Exports = &Result.Facts;
    Analysis.HasErrors = [&](const FunctionDecl &F) { return Broken.contains(F); };
    if (Options.Dump.isWanted())
      Result.Dump = dump(Context, Decls, Analysis, Options.Dump);
    return analyze(Context, Decls, Analysis, &Result.Stats);
  }

  Sema *TheSema = nullptr;
  UserLocations User;
  std::string Prelude; ///< the precompiled header that the unit starts from
  const UnitOptions &Options;
  ErrorCollector &Errors;
  UnitResult &Result;
  std::vector<Decl *> Decls;
};

class UnitFrontendAction : public ASTFrontendAction {
public:
  UnitFrontendAction(const UserCode &Code, const UnitOptions &Options, ErrorCollector &Errors,
                     UnitResult &Result)
      : Code(Code), Options(Options), Errors(Errors), Result(Result) {}

  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    Errors.goOnAfterFatalErrors(Compiler.getDiagnostics());
    return std::make_unique<UnitConsumer>(Compiler, Code, Options, Errors, Result);
  }

private:
  const UserCode &Code;
  const UnitOptions &Options;
  ErrorCollector &Errors;
  UnitResult &Result;
};

/// Runs the compiler that the driver chose for one unit.
class UnitRunner : public tooling::ToolAction {
public:
  UnitRunner(const SourceUnit &TheUnit, const UnitOptions &Options, RecordingFiles &Recorder,
             ErrorCollector &Errors, UnitResult &Result)
      : TheUnit(TheUnit), Options(Options), Recorder(Recorder), Errors(Errors), Result(Result) {}

  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers,
                     DiagnosticConsumer *) override {
    Started = true;
    dropOutputs(*Invocation);
    UserCode Code(Invocation->getHeaderSearchOpts(), TheUnit.File, TheUnit.Directory,
                  Files->getVirtualFileSystem());
    std::unique_ptr<Prelude> Start = findPrelude(*Invocation, Code, *Files);
    auto WithPrelude = std::make_shared<CompilerInvocation>(*Invocation);
    if (Start)
      Start->apply(*WithPrelude);
    parse(WithPrelude, Code, *Files, Containers);
    if (Start && isPreludeSuspect(Code))
      parse(Invocation, Code, *Files, Containers);
    return Errors.errors().empty();
  }

  /// False when the driver rejected the command.
  bool hasStarted() const { return Started; }

private:
  std::unique_ptr<Prelude> findPrelude(const CompilerInvocation &Invocation, const UserCode &Code,
                                       FileManager &Files) const {
    if (!Options.UseCache)
      return nullptr;
    std::vector<std::string> Forced = Invocation.getPreprocessorOpts().Includes;
    llvm::erase_if(Forced, isCudaPreamble); // the prelude has it too
    IncludeContext Context{Invocation.getHeaderSearchOpts(), Code, Files.getVirtualFileSystem(),
                           TheUnit.Directory, std::move(Forced)};
    return Prelude::get({Invocation,
                         heavyIncludes(TheUnit.File, Context),
                         TheUnit.Directory,
                         {Files, Recorder, *Options.States}});
  }

  /// A foreign header that cannot be included twice would be an error of ours; so
  /// would a prelude that the compiler rejects.
  bool isPreludeSuspect(const UserCode &Code) const {
    const std::vector<SourceError> &All = Errors.errors();
    return !All.empty() && !All.front().MissingHeader && !Code.isUserFile(All.front().File);
  }

  void parse(const std::shared_ptr<CompilerInvocation> &Invocation, const UserCode &Code,
             FileManager &Files, const std::shared_ptr<PCHContainerOperations> &Containers) {
    Errors.beginParse();
    Result = UnitResult();
    Invocation->getFrontendOpts().SkipFunctionBodies = true;
    UnitFrontendAction Action(Code, Options, Errors, Result);
    makeCompiler(Invocation, Containers, Files, Errors)->ExecuteAction(Action);
  }

  const SourceUnit &TheUnit;
  const UnitOptions &Options;
  RecordingFiles &Recorder;
  ErrorCollector &Errors;
  UnitResult &Result;
  bool Started = false;
};

std::string whyIncomplete(const SourceUnit &TheUnit, const UnitRunner &Runner,
                          const ErrorCollector &Errors) {
  const std::string &Command = Errors.commandError();
  if (!Runner.hasStarted())
    return TheUnit.File + ": its compile command cannot be used: " +
           (Command.empty() ? "it compiles nothing" : Command);
  if (!Errors.errors().empty()) {
    const SourceError &First = Errors.errors().front();
    return First.Text + (First.MissingHeader
                             ? "; give the include path of the build with -p BUILD or after --"
                             : "");
  }
  if (Command.empty())
    return "";
  return TheUnit.File + ": its compile command is not understood: " + Command;
}

void hashSources(UnitResult &Result) {
  for (const std::string &File : filesOf(Result.Findings))
    if (auto Hash = hashFile(File))
      Result.SourceHashes[File] = *Hash;
}

} // namespace

static UnitResult checkOnce(const SourceUnit &TheUnit, const UnitOptions &Options,
                            FileReads &Read) {
  UnitResult Result;
  ErrorCollector Errors;
  auto Recorder = llvm::makeIntrusiveRefCnt<RecordingFiles>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(
          llvm::vfs::createPhysicalFileSystem().release()),
      Read);
  UnitRunner Runner(TheUnit, Options, *Recorder, Errors, Result);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> System = Recorder;
  System->setCurrentWorkingDirectory(TheUnit.Directory);
  if (isCuda(TheUnit))
    System = withJoinedLaunches(System);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), System);
  tooling::ToolInvocation Invocation(clangCommand(TheUnit), &Runner, Files.get(),
                                     std::make_shared<PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Errors);
  Invocation.run();
  Result.Incomplete = whyIncomplete(TheUnit, Runner, Errors);
  Result.ErrorCount = Errors.errors().size();
  return Result;
}

/// Clang cannot read all of every toolkit, and old programs use what new toolkits
/// have dropped; our declarations have both.
static UnitResult checkWithBestHeaders(const SourceUnit &TheUnit, const UnitOptions &Options,
                                       FileReads &Read) {
  UnitOptions WithToolkit = Options;
  WithToolkit.Toolkit = addedToolkit(TheUnit);
  UnitResult Result = checkOnce(TheUnit, WithToolkit, Read);
  if (Result.ErrorCount == 0 || !Result.ReadsToolkit)
    return Result;
  SourceUnit WithoutToolkit = TheUnit;
  WithoutToolkit.CudaPath = "none";
  UnitResult Other = checkOnce(WithoutToolkit, Options, Read);
  if (Other.ErrorCount >= Result.ErrorCount)
    return Result;
  Other.Cuda = CudaHeaders::BundledInstead;
  return Other;
}

UnitResult checkUnit(const SourceUnit &TheUnit, const UnitOptions &Options,
                     const ProjectContext &Context) {
  UnitOptions InProject = Options;
  InProject.Analysis.Project = Context.View;
  FileReads Read;
  UnitResult Result = checkWithBestHeaders(TheUnit, InProject, Read);
  hashSources(Result);
  Result.Reads = Read.lines();
  return Result;
}

} // namespace tensorleak
