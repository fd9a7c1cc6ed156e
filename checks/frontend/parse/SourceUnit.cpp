//===-- SourceUnit.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/SourceUnit.h"

#include "checks/Convert.h"
#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/errors/IncludeFolders.h"
#include "checks/frontend/errors/StandIns.h"
#include "checks/frontend/parse/Compat.h"
#include "checks/frontend/parse/Launches.h"
#include "checks/frontend/parse/Outputs.h"
#include "checks/frontend/parse/Prelude.h"
#include "checks/frontend/parse/UnitAction.h"
#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace tensorleak {
namespace {

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
    const Setting Here{Code, *Files, Containers};
    ParseInputs Last = parseFast(Invocation, Here);
    parseWithFolders(Invocation, Last, Here);
    if (llvm::any_of(Errors.errors(), lacksHeader))
      parseWithStandIns(*Last.Invocation, Here);
    return Errors.errors().empty();
  }

  /// False when the driver rejected the command.
  bool hasStarted() const { return Started; }

private:
  /// What all parses of the unit have in common.
  struct Setting {
    const UserCode &Code;
    FileManager &Files;
    const std::shared_ptr<PCHContainerOperations> &Containers;
  };

  /// What a parse was given.
  struct ParseInputs {
    std::shared_ptr<CompilerInvocation> Invocation;
    std::unique_ptr<Prelude> Start; ///< that it begins with; stays locked for as long
  };

  /// Parses with a prelude where that can be had.
  ParseInputs parseFast(const std::shared_ptr<CompilerInvocation> &Invocation,
                        const Setting &Here) {
    ParseInputs Given{std::make_shared<CompilerInvocation>(*Invocation),
                      findPrelude(*Invocation, Here.Code, Here.Files)};
    if (Given.Start)
      Given.Start->apply(*Given.Invocation);
    parse(Given.Invocation, Here);
    if (Given.Start && isPreludeSuspect(Here.Code)) {
      Given = {std::make_shared<CompilerInvocation>(*Invocation), nullptr};
      parse(Given.Invocation, Here);
    }
    return Given;
  }

  std::unique_ptr<Prelude> findPrelude(const CompilerInvocation &Invocation, const UserCode &Code,
                                       FileManager &Files) const {
    if (!Options.UseCache)
      return nullptr;
    IncludeContext Context =
        includeContext(Invocation, Code, Files.getVirtualFileSystem(), TheUnit.Directory);
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

  /// With other folders, and again with other stand-ins.
  static constexpr unsigned MostParses = 5;

  static bool lacksHeader(const SourceError &Error) { return !Error.MissingHeader.empty(); }

  /// Adds the folders of the project that have headers which the last parse lacked. False if none
  /// has.
  bool addFolders(CompilerInvocation &Invocation, const Setting &Here) const {
    llvm::vfs::FileSystem &Files = Here.Files.getVirtualFileSystem();
    std::optional<std::string> Root = projectRoot(TheUnit.File, Files);
    llvm::StringSet<> Added;
    for (const SourceError &Error : Errors.errors()) {
      std::string Includer = normalPath(Error.File, TheUnit.Directory);
      if (!Root || !lacksHeader(Error) || !Here.Code.isUserFile(Includer))
        continue;
      auto Folder = includeFolderOf(Error.MissingHeader, Includer, *Root, Files);
      if (Folder && Added.insert(*Folder).second)
        Invocation.getHeaderSearchOpts().AddPath(*Folder, frontend::Angled, /*IsFramework=*/false,
                                                 /*IgnoreSysRoot=*/true);
    }
    return !Added.empty();
  }

  /// Parses \p Invocation again with such folders, for as long as that finds a header. What was
  /// given to the last parse is in \p Last.
  void parseWithFolders(const std::shared_ptr<CompilerInvocation> &Invocation, ParseInputs &Last,
                        const Setting &Here) {
    auto Wider = std::make_shared<CompilerInvocation>(*Invocation);
    for (unsigned I = 0; I < MostParses && addFolders(*Wider, Here); ++I)
      Last = parseFast(Wider, Here);
  }

  /// Whether the last parse lacked names that no stand-in was known for.
  bool learn(StandIns &Names, const Setting &Here) const {
    auto Read = [&](const std::string &File) -> std::optional<std::string> {
      auto Text = Here.Files.getBufferForFile(File);
      return Text ? std::optional((*Text)->getBuffer().str()) : std::nullopt;
    };
    bool IsNew = false;
    for (const SourceError &Error : Errors.errors())
      if (Error.Lacks && Here.Code.isUserFile(Error.Lacks->File))
        IsNew |= Names.learn(*Error.Lacks, Read);
    // Last: what other headers of the library declare is known one parse later.
    for (const SourceError &Error : Errors.errors())
      IsNew |= lacksHeader(Error) && Names.learnHeader(Error.MissingHeader);
    return IsNew;
  }

  /// Parses again, with stand-ins for the names that missing headers would declare, and keeps
  /// what left the fewest errors. Names that errors hid show up one parse later.
  void parseWithStandIns(const CompilerInvocation &Invocation, const Setting &Here) {
    StandIns Names;
    State.Functions.endFirstParse();
    UnitResult Best = std::move(Result);
    std::vector<SourceError> Fewest = Errors.errors();
    for (unsigned I = 0; I < MostParses && learn(Names, Here); ++I) {
      auto WithNames = std::make_shared<CompilerInvocation>(Invocation);
      addFile(*WithNames, StandInFile, Names.declarations());
      parse(WithNames, Here);
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

  void parse(const std::shared_ptr<CompilerInvocation> &Invocation, const Setting &Here) {
    Errors.beginParse();
    Result = UnitResult();
    Invocation->getFrontendOpts().SkipFunctionBodies = true;
    Invocation->getLangOpts().SpellChecking = false; // what it would correct is a guess
    UnitFrontendAction Action(Here.Code, Options, State, Result);
    makeCompiler(Invocation, Here.Containers, Here.Files, Errors)->ExecuteAction(Action);
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
