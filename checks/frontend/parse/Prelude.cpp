//===-- Prelude.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/Prelude.h"

#include "checks/frontend/cache/Contents.h"
#include "checks/frontend/cache/PreludeInputs.h"
#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/parse/Compat.h"
#include "checks/frontend/parse/ForeignBodies.h"
#include "checks/source/Paths.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// Changed when preludes are made in another way.
constexpr llvm::StringLiteral FormatVersion = "5";

/// Of what `-include` puts before the file, a prelude begins with CUDA's alone.
void keepCudaPreamble(CompilerInvocation &Invocation) {
  llvm::erase_if(Invocation.getPreprocessorOpts().Includes,
                 [](const std::string &Header) { return !isCudaPreamble(Header); });
}

/// \p Invocation without what differs from file to file but not in meaning.
CompilerInvocation commonPart(const CompilerInvocation &Invocation) {
  CompilerInvocation Out(Invocation);
  Out.getFrontendOpts().Inputs.clear();
  keepCudaPreamble(Out);
  return Out;
}

bool hasRelativeFolder(const CompilerInvocation &Invocation) {
  return any_of(Invocation.getHeaderSearchOpts().UserEntries,
                [](auto &Entry) { return !StringRef(Entry.Path).starts_with("/"); });
}

std::string keyOf(const CompilerInvocation &Invocation, const std::vector<HeavyInclude> &Heavy,
                  const std::string &Directory) {
  std::string Text = getClangFullVersion() + '\0' + FormatVersion.str();
  for (const std::string &Flag : commonPart(Invocation).getCC1CommandLine())
    Text += '\0' + Flag;
  for (const HeavyInclude &H : Heavy)
    Text += '\0' + H.Name + '\0' + H.Path;
  if (hasRelativeFolder(Invocation))
    Text += '\0' + Directory;
  auto Hash = BLAKE3::hash<16>(arrayRefFromStringRef(Text));
  return toHex(Hash, /*LowerCase=*/true);
}

/// A precompiled header of our own would fight with one of the project's.
bool usesPrecompiledHeaders(const CompilerInvocation &Invocation) {
  const PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  return !Options.ImplicitPCHInclude.empty() || !Options.MacroIncludes.empty() ||
         Invocation.getLangOpts().Modules;
}

std::string preludeText(const std::vector<HeavyInclude> &Heavy) {
  std::string Text;
  for (const HeavyInclude &H : Heavy)
    Text += "#include <" + H.Name + ">\n";
  return Text;
}

/// How to compile the prelude's text: the unit's command with other in- and output.
std::shared_ptr<CompilerInvocation> buildInvocation(const CompilerInvocation &Invocation,
                                                    const std::string &Text) {
  auto Out = std::make_shared<CompilerInvocation>(Invocation);
  FrontendOptions &Options = Out->getFrontendOpts();
  InputKind Kind = Options.Inputs.front().getKind();
  Options.Inputs = {FrontendInputFile(Text, Kind.getHeader())};
  Options.OutputFile = "/dev/null"; // see PreludeWriter
  Options.ProgramAction = frontend::GeneratePCH;
  Options.SkipFunctionBodies = true;
  keepCudaPreamble(*Out); // the text names what is heavy of the others
  return Out;
}

/// Writes what the compiler made in one step, when all of it is there: the compiler's own way of
/// writing ends the process where the disk is full.
class PreludeWriter : public PCHContainerWriter {
public:
  explicit PreludeWriter(std::string Path) : Path(std::move(Path)) {}

  StringRef getFormat() const override { return "raw"; }

  std::unique_ptr<ASTConsumer>
  CreatePCHContainerGenerator(CompilerInstance &, const std::string &, const std::string &,
                              std::unique_ptr<raw_pwrite_stream>,
                              std::shared_ptr<PCHBuffer> Buffer) const override {
    return std::make_unique<AtEnd>(Path, std::move(Buffer));
  }

private:
  class AtEnd : public ASTConsumer {
  public:
    AtEnd(std::string Path, std::shared_ptr<PCHBuffer> Buffer)
        : Path(std::move(Path)), Buffer(std::move(Buffer)) {}

    void HandleTranslationUnit(ASTContext &) override {
      if (Buffer->IsComplete)
        writeToCache(Path, {Buffer->Data.data(), Buffer->Data.size()});
      Buffer->Data = {};
    }

  private:
    std::string Path;
    std::shared_ptr<PCHBuffer> Buffer;
  };

  std::string Path;
};

/// Makes a precompiled header without the bodies that no one will ask for.
class PreludeAction : public GeneratePCHAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef File) override {
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    Consumers.push_back(GeneratePCHAction::CreateASTConsumer(Compiler, File));
    Consumers.push_back(std::make_unique<ForeignBodySkipper>());
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }
};

} // namespace

bool Prelude::isValid(FileStates &States) const {
  return inputsAreUnchanged(Entry.file(".inputs"), Entry.file(".pch"), States);
}

bool Prelude::compile(const CompilerInvocation &Invocation, const SeenFiles &Files) const {
  auto Containers = std::make_shared<PCHContainerOperations>();
  Containers->registerWriter(std::make_unique<PreludeWriter>(Entry.file(".pch")));
  // Of its own: what this unit has asked already, others have not.
  auto Manager = makeIntrusiveRefCnt<FileManager>(FileSystemOptions(),
                                                  Files.Manager.getVirtualFileSystemPtr());
  IgnoringDiagConsumer Silent;
  auto Compiler =
      makeCompiler(buildInvocation(Invocation, Entry.file(".h")), Containers, *Manager, Silent);
  PreludeAction Action;
  return Compiler->ExecuteAction(Action) && !Compiler->getDiagnostics().hasErrorOccurred();
}

bool Prelude::build(const CompilerInvocation &Invocation, const std::vector<HeavyInclude> &Heavy,
                    const SeenFiles &Files) const {
  for (StringRef Ending : {".inputs", ".pch"})
    sys::fs::remove(Entry.file(Ending));
  if (!writeToCache(Entry.file(".h"), preludeText(Heavy)))
    return false;
  FileReads Read;
  Read.ignore(Entry.file(""));
  RecordingFiles::Redirect ToPrelude(Files.Recorder, Read);
  if (!compile(Invocation, Files) || !sys::fs::exists(Entry.file(".pch")))
    return false;
  Files.States.forget(); // its headers are those of now
  const std::string Pch = Entry.file(".pch");
  return writeToCache(Entry.file(".inputs"),
                      describeInputs(Read, sys::path::parent_path(Pch), Pch));
}

bool Prelude::prepare(const CompilerInvocation &Invocation, const std::vector<HeavyInclude> &Heavy,
                      const SeenFiles &Files) {
  if (!Entry.lockShared())
    return false;
  if (isValid(Files.States))
    return true;
  // Another process may have made it while we waited.
  if (!Entry.lockExclusive() || (!isValid(Files.States) && !build(Invocation, Heavy, Files)))
    return false;
  trimCache(sys::path::parent_path(Entry.file("")), cacheLimit());
  return Entry.lockShared();
}

std::unique_ptr<Prelude> Prelude::get(const CompilerInvocation &Invocation,
                                      const std::vector<HeavyInclude> &Heavy,
                                      const std::string &Directory, const SeenFiles &Files) {
  std::string Folder = cacheDirectory();
  if (Heavy.empty() || Folder.empty() || usesPrecompiledHeaders(Invocation))
    return nullptr;
  std::unique_ptr<Prelude> Out(new Prelude(Folder, keyOf(Invocation, Heavy, Directory)));
  if (!Out->prepare(Invocation, Heavy, Files))
    return nullptr;
  markUsed(Out->Entry.file(".inputs"));
  addInputs(Out->Entry.file(".inputs"), Files.Recorder.reads());
  Files.Recorder.reads().ignore(Out->Entry.file(""));
  return Out;
}

void Prelude::apply(CompilerInvocation &Invocation) const {
  PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  Options.ImplicitPCHInclude = Entry.file(".pch");
  // The key and the check of the inputs have made sure of it.
  Options.DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH;
}

} // namespace tensorleak
