//===-- SourceUnit.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/SourceUnit.h"

#include "checks/Convert.h"
#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/errors/StandIns.h"
#include "checks/frontend/parse/Launches.h"
#include "checks/frontend/parse/Outputs.h"
#include "checks/frontend/parse/UnitParser.h"
#include "checks/source/UserCode.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace tensorleak {
namespace {

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
    UnitParser Parser({TheUnit, Options, Code, *Files, Recorder, Containers}, Errors, Result);
    Parser.parse(Invocation);
    Parser.parseWithFolders(*Invocation);
    if (Parser.lacksDeclarations())
      Parser.parseWithStandIns();
    return Errors.errors().empty();
  }

  /// False when the driver rejected the command.
  bool hasStarted() const { return Started; }

private:
  const SourceUnit &TheUnit;
  const UnitOptions &Options;
  RecordingFiles &Recorder;
  ErrorCollector &Errors;
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
