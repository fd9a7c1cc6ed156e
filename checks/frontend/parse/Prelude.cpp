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
#include "checks/frontend/parse/DefaultedMembers.h"
#include "checks/frontend/parse/ForeignBodies.h"
#include "checks/frontend/prelude/FlagUseRecorder.h"
#include "checks/source/Paths.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace tensorleak {
namespace {

/// Changed when preludes are made in another way.
constexpr llvm::StringLiteral FormatVersion = "9";

/// A project with more sets of flags that its heavy headers read differently has a prelude for
/// each of its lists.
constexpr size_t Slots = 64;

/// Of what `-include` puts before the file, a prelude begins with CUDA's alone.
void keepCudaPreamble(CompilerInvocation &Invocation) {
  llvm::erase_if(Invocation.getPreprocessorOpts().Includes,
                 [](const std::string &Header) { return !isCudaPreamble(Header); });
}

/// \p Invocation without what differs from file to file but not in meaning, what asks for
/// warnings (nobody hears them), and what FlagUse compares.
CompilerInvocation commonPart(const CompilerInvocation &Invocation) {
  CompilerInvocation Out(Invocation);
  Out.getFrontendOpts().Inputs.clear();
  keepCudaPreamble(Out);
  Out.getDiagnosticOpts().Warnings.clear();
  Out.getPreprocessorOpts().Macros.clear();
  Out.getHeaderSearchOpts().UserEntries.clear();
  return Out;
}

/// The command as the compiler itself writes it.
std::string textOf(const CompilerInvocation &Invocation) {
  return join(Invocation.getCC1CommandLine(), StringRef("\0", 1));
}

/// What names the slots, the last of which is for these flags alone.
std::vector<std::string> keysOf(const PreludeRequest &Wanted) {
  std::string Text = getClangFullVersion() + '\0' + FormatVersion.str();
  Text += '\0' + textOf(commonPart(Wanted.Invocation));
  for (const HeavyInclude &H : Wanted.Heavy.Headers)
    Text += '\0' + H.Name + '\0' + H.Path;
  const std::string Common = digestOf(Text);
  std::vector<std::string> Out;
  for (size_t Slot = 0; Slot < Slots; ++Slot)
    Out.push_back(digestOf(Common + utostr(Slot)));
  Out.push_back(digestOf(Common + textOf(Wanted.Invocation) + '\0' + Wanted.Directory));
  return Out;
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

std::string preludeNames(const std::vector<HeavyInclude> &Heavy) {
  std::string Text;
  for (const HeavyInclude &H : Heavy)
    Text += H.Name + '\n';
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

/// At the end of the headers, before they are written: what they asked of the flags.
class FlagUseConsumer : public ASTConsumer {
public:
  FlagUseConsumer(FlagUseRecorder &Recorder, std::optional<FlagUse> &Into)
      : Recorder(Recorder), Into(Into) {}

  void HandleTranslationUnit(ASTContext &) override { Into.emplace(Recorder.finish()); }

private:
  FlagUseRecorder &Recorder;
  std::optional<FlagUse> &Into;
};

/// Hears which of the text's headers do not parse.
class BrokenHeaders : public DiagnosticConsumer {
public:
  explicit BrokenHeaders(const std::vector<HeavyInclude> &All) : All(All) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Level < DiagnosticsEngine::Error || !Info.hasSourceManager())
      return;
    const SourceManager &Sources = Info.getSourceManager();
    SourceLocation Place = Sources.getExpansionLoc(Info.getLocation());
    for (SourceLocation Outer = Place; Outer.isValid();
         Outer = Sources.getIncludeLoc(Sources.getFileID(Outer)))
      Place = Outer;
    if (Place.isInvalid() || !Sources.isInMainFile(Place))
      return;
    // The text has one line for each.
    if (unsigned Line = Sources.getSpellingLineNumber(Place); Line <= All.size())
      Lines.insert(Line - 1);
  }

  std::vector<HeavyInclude> found() const {
    std::vector<HeavyInclude> Out;
    for (unsigned Line : Lines)
      Out.push_back(All[Line]);
    return Out;
  }

private:
  const std::vector<HeavyInclude> &All;
  std::set<unsigned> Lines;
};

/// Makes a precompiled header without the bodies that no one will ask for.
class PreludeAction : public GeneratePCHAction {
public:
  std::optional<FlagUse> Used;

private:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef File) override {
    Preprocessor &PP = Compiler.getPreprocessor();
    auto Recorder = std::make_unique<FlagUseRecorder>(PP);
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    Consumers.push_back(std::make_unique<FlagUseConsumer>(*Recorder, Used));
    PP.addPPCallbacks(std::move(Recorder));
    Consumers.push_back(std::make_unique<DefaultedMembers>());
    Consumers.push_back(GeneratePCHAction::CreateASTConsumer(Compiler, File));
    Consumers.push_back(std::make_unique<ForeignBodySkipper>());
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }
};

std::string partThatMatters(const FlagUse &Used, const PreludeRequest &Wanted, FileReads &Asked) {
  return Used.partThatMatters(Wanted.Invocation.getPreprocessorOpts().Macros,
                              Wanted.Invocation.getHeaderSearchOpts(), Wanted.Directory,
                              Wanted.Files.States, Asked);
}

} // namespace

bool Prelude::isThere() const { return sys::fs::exists(file(".inputs")); }

bool Prelude::isValid(FileStates &States) const {
  return inputsAreUnchanged(file(".inputs"), file(".pch"), States);
}

/// Of a valid prelude: whether the headers would read the same under these flags.
bool Prelude::fits(const PreludeRequest &Wanted) {
  Used = FlagUse::read(Entry);
  auto Flags = MemoryBuffer::getFile(file(".flags"));
  if (!Used || !Flags)
    return false;
  Asked = FileReads();
  return (*Flags)->getBuffer() == partThatMatters(*Used, Wanted, Asked);
}

/// Whether the headers may be read before the user's code defines \p Macros, instead of after.
bool Prelude::readsTheSameAfter(const std::vector<std::string> &Macros) const {
  return none_of(Macros, [&](const std::string &Name) { return Used->mentions(Name); });
}

/// What its headers asked of the flags, also where \p Broken ones kept it from being written.
std::optional<FlagUse> Prelude::compile(const PreludeRequest &Wanted,
                                        std::vector<HeavyInclude> &Broken) const {
  auto Containers = std::make_shared<PCHContainerOperations>();
  Containers->registerWriter(std::make_unique<PreludeWriter>(file(".pch")));
  // Of its own: what this unit has asked already, others have not.
  auto Manager = makeIntrusiveRefCnt<FileManager>(FileSystemOptions(),
                                                  Wanted.Files.Manager.getVirtualFileSystemPtr());
  BrokenHeaders Errors(Wanted.Heavy.Headers);
  auto Compiler =
      makeCompiler(buildInvocation(Wanted.Invocation, file(".h")), Containers, *Manager, Errors);
  Compiler->getDiagnostics().setFatalsAsError(true); // all that are broken, in one go
  PreludeAction Action;
  bool IsWhole = Compiler->ExecuteAction(Action) && !Compiler->getDiagnostics().hasErrorOccurred();
  Broken = Errors.found();
  return IsWhole || !Broken.empty() ? std::move(Action.Used) : std::nullopt;
}

/// The names of the headers that kept it from being made.
std::vector<std::string> Prelude::broken() const {
  std::vector<std::string> Out;
  if (auto Text = MemoryBuffer::getFile(file(".broken")))
    for (StringRef Name : split((*Text)->getBuffer(), '\n'))
      if (!Name.empty())
        Out.push_back(Name.str());
  return Out;
}

/// Writes what stands beside the prelude.
bool Prelude::describe(const PreludeRequest &Wanted, const FlagUse &Used,
                       const FileReads &Read) const {
  FileReads AskedNow; // others ask again
  const std::string Flags = partThatMatters(Used, Wanted, AskedNow), Pch = file(".pch");
  return Used.write(Entry) && writeToCache(file(".flags"), Flags) &&
         writeToCache(file(".inputs"), describeInputs(Read, sys::path::parent_path(Pch),
                                                      {Pch, file(".names"), file(".includes"),
                                                       file(".flags"), file(".broken")}));
}

bool Prelude::build(const PreludeRequest &Wanted) const {
  for (StringRef Ending : {".inputs", ".pch"})
    sys::fs::remove(file(Ending));
  if (!writeToCache(file(".h"), preludeText(Wanted.Heavy.Headers)))
    return false;
  FileReads Read;
  Read.ignore(file(""));
  RecordingFiles::Redirect ToPrelude(Wanted.Files.Recorder, Read);
  std::vector<HeavyInclude> Broken;
  std::optional<FlagUse> Used = compile(Wanted, Broken);
  // What cannot be made is kept too, as an empty one: others need not try.
  if (!Used || !writeToCache(file(".broken"), preludeNames(Broken)) ||
      (!Broken.empty() && !writeToCache(file(".pch"), "")) || !sys::fs::exists(file(".pch")))
    return false;
  Wanted.Files.States.forget(); // its headers are those of now
  return describe(Wanted, *Used, Read);
}

/// The first that fits.
std::unique_ptr<Prelude> Prelude::find(const PreludeRequest &Wanted, const PreludeSlots &In) {
  for (const std::string &Key : In.Keys) {
    std::unique_ptr<Prelude> Each(new Prelude(In.Folder, Key));
    if (Each->isThere() && Each->Entry.lockShared() && Each->isValid(Wanted.Files.States) &&
        Each->fits(Wanted))
      return Each;
  }
  return nullptr;
}

/// Whether this slot is taken by a prelude for other flags. Waits for who makes one.
bool Prelude::keepsOther(const PreludeRequest &Wanted) {
  return isValid(Wanted.Files.States) && !fits(Wanted);
}

/// In the first slot that is free, where another process may have made it while we waited.
std::unique_ptr<Prelude> Prelude::make(const PreludeRequest &Wanted, const PreludeSlots &In) {
  for (const std::string &Key : In.Keys) {
    std::unique_ptr<Prelude> Each(new Prelude(In.Folder, Key));
    if (!Each->Entry.lockShared())
      return nullptr;
    if (Each->keepsOther(Wanted))
      continue;
    if (!Each->Entry.lockExclusive())
      return nullptr;
    if (Each->keepsOther(Wanted))
      continue;
    bool IsNew = !Each->isValid(Wanted.Files.States);
    if (IsNew && !Each->build(Wanted))
      return nullptr;
    if (IsNew)
      trimCache(In.Folder, cacheLimit());
    return Each->Entry.lockShared() && Each->fits(Wanted) ? std::move(Each) : nullptr;
  }
  return nullptr;
}

std::unique_ptr<Prelude> Prelude::get(const PreludeRequest &Wanted) {
  const std::string Folder = cacheDirectory();
  if (Wanted.Heavy.Headers.empty() || Folder.empty() || usesPrecompiledHeaders(Wanted.Invocation))
    return nullptr;
  const PreludeSlots In{Folder, keysOf(Wanted)};
  std::unique_ptr<Prelude> Out = find(Wanted, In);
  if (!Out)
    Out = make(Wanted, In);
  if (!Out || !Out->readsTheSameAfter(Wanted.Heavy.DefinedBefore))
    return nullptr;
  if (const std::vector<std::string> Broken = Out->broken(); !Broken.empty()) {
    HeavyIncludes Fewer = Wanted.Heavy;
    erase_if(Fewer.Headers, [&](const HeavyInclude &H) { return is_contained(Broken, H.Name); });
    return get({Wanted.Invocation, Fewer, Wanted.Directory, Wanted.Files});
  }
  FileReads &Reads = Wanted.Files.Recorder.reads();
  markUsed(Out->file(".inputs"));
  addInputs(Out->file(".inputs"), Reads);
  if (const std::string Lines = Out->Asked.lines(); !Lines.empty())
    Reads.add(Question::Others, "", keepLines(Folder, Lines));
  Reads.ignore(Out->file(""));
  return Out;
}

void Prelude::apply(CompilerInvocation &Invocation) const {
  PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  Options.ImplicitPCHInclude = file(".pch");
  // The key and the check of the inputs and flags have made sure of it.
  Options.DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH;
  // What its headers asked for is as they left it.
  Options.Macros = Used->split(Options.Macros).second;
}

} // namespace tensorleak
