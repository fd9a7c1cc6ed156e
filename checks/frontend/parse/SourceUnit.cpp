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
#include "checks/frontend/standins/StandIns.h"
#include "checks/frontend/standins/UnderstoodFunctions.h"
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

/// What the parses of one unit know of each other.
struct ParseState {
  ErrorCollector &Errors;
  UnderstoodFunctions Functions;
};

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
    for (const SourceError &Error : State.Errors.errors())
      Places.push_back(Error.Loc);
    const SourceManager &Sources = Context.getSourceManager();
    BrokenCode Broken(Places, Decls, Sources);
    State.Errors.forget([&](const SourceError &Error) { return Broken.isInDeviceCode(Error.Loc); });
    AnalyzerOptions Analysis = Options.Analysis;
    if (Analysis.Project)
      Analysis.Exports = &Result.Facts;
    Analysis.Understood = [&](const FunctionDecl &F) {
      return State.Functions.understandingOf(F, Broken.contains(F), Sources);
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
};

class UnitFrontendAction : public ASTFrontendAction {
public:
  UnitFrontendAction(const UserCode &Code, const UnitOptions &Options, ParseState &State,
                     UnitResult &Result)
      : Code(Code), Options(Options), State(State), Result(Result) {}

  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    State.Errors.goOnAfterFatalErrors(Compiler.getDiagnostics());
    return std::make_unique<UnitConsumer>(Compiler, Code, Options, State, Result);
  }

private:
  const UserCode &Code;
  const UnitOptions &Options;
  ParseState &State;
  UnitResult &Result;
};

/// Runs the compiler that the driver chose for one unit.
class UnitRunner : public tooling::ToolAction {
public:
  UnitRunner(const SourceUnit &TheUnit, const UnitOptions &Options, RecordingFiles &Recorder,
             ErrorCollector &Errors, UnitResult &Result)
      : TheUnit(TheUnit), Options(Options), Recorder(Recorder), Errors(Errors), State{Errors, {}},
        Result(Result) {}

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
    if (Start && isPreludeSuspect(Code)) {
      WithPrelude = Invocation;
      parse(Invocation, Code, *Files, Containers);
    }
    if (llvm::any_of(Errors.errors(),
                     [](const SourceError &E) { return !E.MissingHeader.empty(); }))
      parseWithStandIns(*WithPrelude, Code, *Files, Containers);
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
    return !All.empty() && All.front().MissingHeader.empty() && !Code.isUserFile(All.front().File);
  }

  /// Whether the last parse lacked names that no stand-in was known for.
  bool learn(StandIns &Names, const UserCode &Code, FileManager &Files) const {
    auto Read = [&](const std::string &File) -> std::optional<std::string> {
      auto Text = Files.getBufferForFile(File);
      return Text ? std::optional((*Text)->getBuffer().str()) : std::nullopt;
    };
    bool IsNew = false;
    for (const SourceError &Error : Errors.errors())
      if (Error.Lacks && Code.isUserFile(Error.Lacks->File))
        IsNew |= Names.learn(*Error.Lacks, Read);
    // Last: what other headers of the library declare is known one parse later.
    for (const SourceError &Error : Errors.errors())
      IsNew |= !Error.MissingHeader.empty() && Names.learnHeader(Error.MissingHeader);
    return IsNew;
  }

  /// Parses again, with stand-ins for the names that missing headers would declare, and keeps
  /// what left the fewest errors. Names that errors hid show up one parse later.
  void parseWithStandIns(const CompilerInvocation &Invocation, const UserCode &Code,
                         FileManager &Files,
                         const std::shared_ptr<PCHContainerOperations> &Containers) {
    constexpr unsigned MostParses = 5;
    StandIns Names;
    State.Functions.endFirstParse();
    UnitResult Best = std::move(Result);
    std::vector<SourceError> Fewest = Errors.errors();
    for (unsigned I = 0; I < MostParses && learn(Names, Code, Files); ++I) {
      auto WithNames = std::make_shared<CompilerInvocation>(Invocation);
      addFile(*WithNames, StandInFile, Names.declarations());
      parse(WithNames, Code, Files, Containers);
      if (Errors.errors().size() >= Fewest.size())
        continue;
      Best = std::move(Result);
      Fewest = Errors.errors();
    }
    Result = std::move(Best);
    Errors.restore(std::move(Fewest));
  }

  /// Lets the source begin with \p Text.
  static void addFile(CompilerInvocation &Invocation, llvm::StringRef Path,
                      const std::string &Text) {
    PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
    Options.Includes.push_back(Path.str());
    Options.addRemappedFile(Path, llvm::MemoryBuffer::getMemBufferCopy(Text, Path).release());
  }

  void parse(const std::shared_ptr<CompilerInvocation> &Invocation, const UserCode &Code,
             FileManager &Files, const std::shared_ptr<PCHContainerOperations> &Containers) {
    Errors.beginParse();
    Result = UnitResult();
    Invocation->getFrontendOpts().SkipFunctionBodies = true;
    Invocation->getLangOpts().SpellChecking = false; // what it would correct is a guess
    UnitFrontendAction Action(Code, Options, State, Result);
    makeCompiler(Invocation, Containers, Files, Errors)->ExecuteAction(Action);
  }

  const SourceUnit &TheUnit;
  const UnitOptions &Options;
  RecordingFiles &Recorder;
  ErrorCollector &Errors;
  ParseState State;
  UnitResult &Result;
  bool Started = false;
};

/// The first that is in a file of the user's: stand-ins may clash with what is declared there.
const SourceError &firstError(const ErrorCollector &Errors) {
  auto It = llvm::find_if(Errors.errors(),
                          [](const SourceError &Each) { return Each.File != StandInFile; });
  return It == Errors.errors().end() ? Errors.errors().front() : *It;
}

std::string whyIncomplete(const SourceUnit &TheUnit, const UnitRunner &Runner,
                          const ErrorCollector &Errors) {
  const std::string &Command = Errors.commandError();
  if (!Runner.hasStarted())
    return TheUnit.File + ": its compile command cannot be used: " +
           (Command.empty() ? "it compiles nothing" : Command);
  if (!Errors.errors().empty()) {
    const SourceError &First = firstError(Errors);
    return First.Text + (First.MissingHeader.empty()
                             ? ""
                             : "; give the include path of the build with -p BUILD or after --");
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
