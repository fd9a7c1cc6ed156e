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
#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace tensorleak {
namespace {

/// The parses of a unit with one choice of CUDA's headers.
struct Round {
  UnitResult Result;
  /// Before there were stand-ins.
  size_t PlainErrors = 0;
  /// Whether an error is left that other headers of CUDA might not give.
  bool MayBeOfHeaders = false;
  /// A file of C lacks declarations, and ours are C++.
  bool WantsCxx = false;
};

/// What the user includes and our declarations lack is missing with any headers of CUDA.
bool mayBeOfHeaders(const SourceError &Error, const UserCode &Code) {
  return Error.MissingHeader.empty() || !Code.isUserFile(Error.File) ||
         llvm::sys::fs::exists(joinPath(bundledCudaFolder(), Error.MissingHeader));
}

/// Runs the compiler that the driver chose for one unit.
class UnitRunner : public tooling::ToolAction {
public:
  UnitRunner(const SourceUnit &TheUnit, const UnitOptions &Options, RecordingFiles &Recorder,
             ErrorCollector &Errors, size_t FewerThan, Round &Out)
      : TheUnit(TheUnit), Options(Options), Recorder(Recorder), Errors(Errors),
        FewerThan(FewerThan), Out(Out) {}

  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers,
                     DiagnosticConsumer *) override {
    Started = true;
    dropOutputs(*Invocation);
    UserCode Code(Invocation->getHeaderSearchOpts(), TheUnit.File, TheUnit.Directory,
                  Files->getVirtualFileSystem());
    UnitParser Parser({TheUnit, Options, Code, *Files, Recorder, Containers}, Errors, Out.Result);
    Parser.parse(Invocation);
    Parser.parseWithFolders(*Invocation);
    Out.PlainErrors = Errors.errors().size();
    const bool IsLacking = Out.PlainErrors < FewerThan && Parser.lacksDeclarations();
    Out.WantsCxx = IsLacking && !Invocation->getLangOpts().CPlusPlus;
    if (IsLacking && !Out.WantsCxx)
      Parser.parseWithStandIns();
    Out.MayBeOfHeaders = llvm::any_of(
        Errors.errors(), [&](const SourceError &Each) { return mayBeOfHeaders(Each, Code); });
    Out.Result.Stats.Parses = Parser.parses();
    return Errors.errors().empty();
  }

  /// False when the driver rejected the command.
  bool hasStarted() const { return Started; }

private:
  const SourceUnit &TheUnit;
  const UnitOptions &Options;
  RecordingFiles &Recorder;
  ErrorCollector &Errors;
  const size_t FewerThan;
  Round &Out;
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

/// \p FewerThan: with more errors than that the unit is not parsed with stand-ins.
static Round checkOnce(const SourceUnit &TheUnit, const UnitOptions &Options, FileReads &Read,
                       size_t FewerThan = SIZE_MAX) {
  Round Out;
  ErrorCollector Errors;
  auto Recorder = llvm::makeIntrusiveRefCnt<RecordingFiles>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(
          llvm::vfs::createPhysicalFileSystem().release()),
      Read);
  UnitRunner Runner(TheUnit, Options, *Recorder, Errors, FewerThan, Out);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> System = Recorder;
  System->setCurrentWorkingDirectory(TheUnit.Directory);
  if (isCuda(TheUnit))
    System = withJoinedLaunches(System);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), System);
  tooling::ToolInvocation Invocation(clangCommand(TheUnit), &Runner, Files.get(),
                                     std::make_shared<PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Errors);
  Invocation.run();
  Out.Result.Incomplete = whyIncomplete(TheUnit, Runner, Errors);
  Out.Result.ErrorCount = Errors.errors().size();
  return Out;
}

static Round better(Round First, Round Other, bool IsOther) {
  const unsigned Parses = First.Result.Stats.Parses + Other.Result.Stats.Parses;
  Round Out = std::move(IsOther ? Other : First);
  Out.Result.Stats.Parses = Parses;
  return Out;
}

/// Clang cannot read all of every toolkit, and old programs use what new toolkits
/// have dropped; our declarations have both.
static Round checkWithBestHeaders(const SourceUnit &TheUnit, const UnitOptions &Options,
                                  FileReads &Read) {
  UnitOptions WithToolkit = Options;
  WithToolkit.Toolkit = addedToolkit(TheUnit);
  Round First = checkOnce(TheUnit, WithToolkit, Read);
  if (!First.MayBeOfHeaders || !First.Result.ReadsToolkit)
    return First;
  SourceUnit WithoutToolkit = TheUnit;
  WithoutToolkit.CudaPath = "none";
  Round Other = checkOnce(WithoutToolkit, Options, Read, First.PlainErrors);
  bool IsBetter = Other.Result.ErrorCount < First.Result.ErrorCount;
  if (IsBetter)
    Other.Result.Cuda = CudaHeaders::BundledInstead;
  return better(std::move(First), std::move(Other), IsBetter);
}

/// What C++ does not allow costs fewer functions of C than what is not declared.
static UnitResult checkInBestLanguage(const SourceUnit &TheUnit, const UnitOptions &Options,
                                      FileReads &Read) {
  Round First = checkWithBestHeaders(TheUnit, Options, Read);
  if (!First.WantsCxx)
    return std::move(First.Result);
  SourceUnit InCxx = TheUnit;
  InCxx.ReadAsCxx = true;
  Round Other = checkWithBestHeaders(InCxx, Options, Read);
  Other.Result.Incomplete = First.Result.Incomplete; // not what is wrong in C++ alone
  bool IsBetter = Other.Result.Stats.Skipped.size() < First.Result.Stats.Skipped.size();
  return better(std::move(First), std::move(Other), IsBetter).Result;
}

UnitResult checkUnit(const SourceUnit &TheUnit, const UnitOptions &Options,
                     const ProjectContext &Context) {
  UnitOptions InProject = Options;
  InProject.Analysis.Project = Context.View;
  FileReads Read;
  UnitResult Result = checkInBestLanguage(TheUnit, InProject, Read);
  hashSources(Result);
  Result.Reads = Read.lines();
  return Result;
}

} // namespace tensorleak
