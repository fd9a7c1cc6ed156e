//===-- UnitParser.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/parse/UnitParser.h"

#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/commands/Python.h"
#include "checks/frontend/errors/IncludeFolders.h"
#include "checks/frontend/parse/Compat.h"
#include "checks/source/Paths.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace tensorleak {

/// With other folders, and again with other stand-ins.
static constexpr unsigned MostParses = 5;

static bool lacksHeader(const SourceError &Error) { return !Error.MissingHeader.empty(); }

/// So many declarations name a type that only the build can have defined.
static constexpr unsigned UsesOfBuildType = 3;

static bool lacksTypeOfBuild(llvm::ArrayRef<SourceError> Errors, const UserCode &Code) {
  llvm::StringMap<unsigned> Uses;
  return llvm::any_of(Errors, [&](const SourceError &Error) {
    const auto &Lacks = Error.Lacks;
    return Lacks && Lacks->As == LackedName::Role::Type && Lacks->Scope.empty() &&
           Code.isUserFile(Lacks->File) && ++Uses[Lacks->Name] == UsesOfBuildType;
  });
}

bool UnitParser::lacksHeaders() const { return llvm::any_of(Errors.errors(), lacksHeader); }

bool UnitParser::lacksDeclarations() const {
  return lacksHeaders() || lacksTypeOfBuild(Errors.errors(), Here.Code);
}

void UnitParser::parseAsIs(const Command &Invocation) {
  ++Parses;
  Errors.beginParse();
  Result = UnitResult();
  Invocation->getFrontendOpts().SkipFunctionBodies = true;
  Invocation->getLangOpts().SpellChecking = false; // what it would correct is a guess
  UnitFrontendAction Action(Here.Code, Here.Options, State, Result);
  makeCompiler(Invocation, Here.Containers, Here.Files, Errors)->ExecuteAction(Action);
}

//===-- Preludes ----------------------------------------------------------===//

std::unique_ptr<Prelude> UnitParser::findPrelude(const CompilerInvocation &Invocation) const {
  if (!Here.Options.UseCache)
    return nullptr;
  const std::string &Directory = Here.TheUnit.Directory;
  IncludeContext Context =
      includeContext(Invocation, Here.Code, Here.Files.getVirtualFileSystem(), Directory);
  return Prelude::get({Invocation,
                       heavyIncludes(Here.TheUnit.File, Context),
                       Directory,
                       {Here.Files, Here.Recorder, *Here.Options.States}});
}

/// A foreign header that cannot be included twice would be an error of ours; so would a prelude
/// that the compiler rejects.
bool UnitParser::isPreludeSuspect() const {
  const std::vector<SourceError> &All = Errors.errors();
  return !All.empty() && All.front().MissingHeader.empty() &&
         !Here.Code.isUserFile(All.front().File);
}

void UnitParser::parse(const Command &Invocation) {
  Last = std::make_shared<CompilerInvocation>(*Invocation);
  Start = findPrelude(*Invocation);
  if (Start)
    Start->apply(*Last);
  parseAsIs(Last);
  if (!Start || !isPreludeSuspect())
    return;
  Start = nullptr;
  Last = Invocation;
  parseAsIs(Last);
}

//===-- Folders -----------------------------------------------------------===//

/// Puts \p Ours on the include path, where one of \p Names is missing. False if it is there
/// already.
static bool addOurs(CompilerInvocation &Invocation, llvm::ArrayRef<SourceError> Errors,
                    const std::string &Ours, llvm::ArrayRef<StringRef> Names) {
  auto &Folders = Invocation.getHeaderSearchOpts().UserEntries;
  auto IsOurs = [&](const HeaderSearchOptions::Entry &Each) { return Each.Path == Ours; };
  auto Lacks = [&](const SourceError &Each) {
    return llvm::is_contained(Names, Each.MissingHeader);
  };
  if (llvm::none_of(Errors, Lacks) || llvm::any_of(Folders, IsOurs))
    return false;
  Folders.insert(Folders.begin(), HeaderSearchOptions::Entry(Ours, frontend::Angled,
                                                             /*isFramework=*/false,
                                                             /*ignoreSysRoot=*/true));
  return true;
}

/// Beside the folder of LibTorch's headers, the one below it in which those of its C++ API are: a
/// build that asks CMake for TORCH_INCLUDE_DIRS gets both. False if no header was lacked for it.
static bool addTorchApi(CompilerInvocation &Invocation, llvm::ArrayRef<SourceError> Errors,
                        llvm::vfs::FileSystem &Files) {
  auto &Folders = Invocation.getHeaderSearchOpts().UserEntries;
  for (const SourceError &Error : Errors)
    for (HeaderSearchOptions::Entry Each : Folders) {
      Each.Path += "/torch/csrc/api/include";
      if (!StringRef(Error.MissingHeader).starts_with("torch/") ||
          !Files.exists(Each.Path + "/" + Error.MissingHeader))
        continue;
      Folders.push_back(Each);
      return true;
    }
  return false;
}

/// False if no folder has a header that the last parse lacked.
bool UnitParser::addFolders(CompilerInvocation &Invocation) const {
  bool HasMore = addOurs(Invocation, Errors.errors(), bundledPythonFolder(), {"Python.h"});
  HasMore |= addOurs(Invocation, Errors.errors(), bundledTorchCudaFolder(),
                     {"ATen/cuda/CUDAConfig.h", "c10/cuda/impl/cuda_cmake_macros.h"});
  llvm::vfs::FileSystem &Files = Here.Files.getVirtualFileSystem();
  HasMore |= addTorchApi(Invocation, Errors.errors(), Files);
  std::optional<std::string> Root = projectRoot(Here.TheUnit.File, Files);
  llvm::StringSet<> Added;
  for (const SourceError &Error : Errors.errors()) {
    std::string Includer = normalPath(Error.File, Here.TheUnit.Directory);
    if (!Root || !lacksHeader(Error) || !Here.Code.isUserFile(Includer))
      continue;
    auto Folder = includeFolderOf(Error.MissingHeader, Includer, *Root, Files);
    if (Folder && Added.insert(*Folder).second)
      Invocation.getHeaderSearchOpts().AddPath(*Folder, frontend::Angled, /*IsFramework=*/false,
                                               /*IgnoreSysRoot=*/true);
  }
  return HasMore || !Added.empty();
}

void UnitParser::parseWithFolders(const CompilerInvocation &Invocation) {
  auto Wider = std::make_shared<CompilerInvocation>(Invocation);
  for (unsigned I = 0; I < MostParses && addFolders(*Wider); ++I)
    parse(Wider);
}

//===-- Stand-ins ---------------------------------------------------------===//

/// Whether the last parse lacked names that no stand-in was known for.
bool UnitParser::learn(StandIns &Names) const {
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

/// Lets the source begin with \p Text.
static void addFile(CompilerInvocation &Invocation, llvm::StringRef Path, const std::string &Text) {
  PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  Options.Includes.push_back(Path.str());
  Options.addRemappedFile(Path, llvm::MemoryBuffer::getMemBufferCopy(Text, Path).release());
}

/// The first of \p Errors that says what the build must have defined: it stays, for the command
/// lacks something although the file is whole with a stand-in.
static std::optional<SourceError> lackOfBuild(llvm::ArrayRef<SourceError> Errors) {
  auto It = llvm::find_if(Errors, [](const SourceError &Error) {
    return Error.Lacks && Error.Lacks->As == LackedName::Role::Type;
  });
  return It == Errors.end() ? std::nullopt : std::optional(*It);
}

void UnitParser::parseWithStandIns() {
  const bool OfBuild = !lacksHeaders();
  StandIns Names(OfBuild ? StandIns::Origin::Build : StandIns::Origin::Header);
  State.Functions.endFirstParse();
  UnitResult Best = std::move(Result);
  std::vector<SourceError> Fewest = Errors.errors();
  const std::optional<SourceError> Lack = OfBuild ? lackOfBuild(Fewest) : std::nullopt;
  for (unsigned I = 0; I < MostParses && learn(Names); ++I) {
    auto WithNames = std::make_shared<CompilerInvocation>(*Last);
    addFile(*WithNames, StandInFile, Names.declarations());
    parseAsIs(WithNames);
    if (Errors.errors().size() >= Fewest.size())
      continue;
    Best = std::move(Result);
    Fewest = Errors.errors();
  }
  if (Lack && Fewest.empty())
    Fewest.push_back(*Lack);
  Result = std::move(Best);
  Errors.restore(std::move(Fewest));
}

} // namespace tensorleak
