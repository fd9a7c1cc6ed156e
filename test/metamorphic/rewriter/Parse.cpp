//===-- Parse.cpp - The compiler that reads one file --------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/metamorphic/rewriter/Parse.h"

#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/commands/Flags.h"
#include "checks/frontend/errors/Errors.h"
#include "checks/frontend/parse/Compat.h"
#include "checks/frontend/parse/ForeignBodies.h"
#include "checks/frontend/parse/Launches.h"
#include "checks/frontend/parse/Prelude.h"
#include "checks/source/UserCode.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace tensorleak::rewriter {
namespace {

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &Compiler, const UserCode &Code, const Parsed &Use)
      : Sources(Compiler.getSourceManager()), User(Code, Sources), Use(Use) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (Sources.isInMainFile(Sources.getExpansionLoc(D->getLocation())))
        Decls.push_back(D);
    return true;
  }

  void HandleInterestingDecl(DeclGroupRef) override {}

  bool shouldSkipFunctionBody(Decl *D) override {
    return !User.contains(D->getLocation()) && canSkipForeignBody(D);
  }

  void HandleTranslationUnit(ASTContext &Context) override { Use(Context, Decls); }

private:
  const SourceManager &Sources;
  UserLocations User;
  const Parsed &Use;
  std::vector<Decl *> Decls;
};

class Action : public ASTFrontendAction {
public:
  Action(const UserCode &Code, const Parsed &Use) : Code(Code), Use(Use) {}
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    Compiler.getDiagnostics().setFatalsAsError(true);
    return std::make_unique<Consumer>(Compiler, Code, Use);
  }

private:
  const UserCode &Code;
  const Parsed &Use;
};

class Runner : public tooling::ToolAction {
public:
  Runner(const SourceUnit &TheUnit, RecordingFiles &Recorder, ErrorCollector &Errors,
         const Parsed &Use)
      : TheUnit(TheUnit), Recorder(Recorder), Errors(Errors), Use(Use) {}

  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers,
                     DiagnosticConsumer *) override {
    UserCode Code(Invocation->getHeaderSearchOpts(), TheUnit.File, TheUnit.Directory,
                  Files->getVirtualFileSystem());
    auto Start = prelude(*Invocation, Code, *Files);
    if (Start)
      Start->apply(*Invocation);
    Errors.beginParse();
    Invocation->getFrontendOpts().SkipFunctionBodies = true;
    Action TheAction(Code, Use);
    return makeCompiler(Invocation, Containers, *Files, Errors)->ExecuteAction(TheAction);
  }

private:
  std::unique_ptr<Prelude> prelude(const CompilerInvocation &Invocation, const UserCode &Code,
                                   FileManager &Files) {
    IncludeContext Context =
        includeContext(Invocation, Code, Files.getVirtualFileSystem(), TheUnit.Directory);
    return Prelude::get({Invocation,
                         heavyIncludes(TheUnit.File, Context),
                         TheUnit.Directory,
                         {Files, Recorder, States}});
  }

  const SourceUnit &TheUnit;
  RecordingFiles &Recorder;
  FileStates States{cacheDirectory()};
  ErrorCollector &Errors;
  const Parsed &Use;
};

SourceUnit unitOf(const ParseRequest &Request) {
  llvm::SmallString<256> Here;
  llvm::sys::fs::current_path(Here);
  SourceUnit Out{Request.File, Here.str().str(), {"clang++"}, Request.CudaPath};
  Out.Command.insert(Out.Command.end(), Request.Flags.begin(), Request.Flags.end());
  Out.Command.push_back(Request.File);
  return Out;
}

} // namespace

std::string parse(const ParseRequest &Request, const Parsed &Use) {
  const SourceUnit TheUnit = unitOf(Request);
  ErrorCollector Errors;
  FileReads Read;
  auto Recorder = llvm::makeIntrusiveRefCnt<RecordingFiles>(llvm::vfs::getRealFileSystem(), Read);
  Runner TheRunner(TheUnit, *Recorder, Errors, Use);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> System = Recorder;
  if (isCuda(TheUnit))
    System = withJoinedLaunches(System);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), System);
  tooling::ToolInvocation Invocation(clangCommand(TheUnit), &TheRunner, Files.get(),
                                     std::make_shared<PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Errors);
  Invocation.run();
  if (!Errors.errors().empty())
    return Errors.errors().front().Text;
  return Errors.commandError();
}

} // namespace tensorleak::rewriter
