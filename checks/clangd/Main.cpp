//===-- Main.cpp - tensorleak-clangd, a clangd that knows the rules -------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stock clangd loads no clang-tidy module (clangd#1458). This is the same clangd, from
// LLVM's static libraries, with our module linked in. LLVM installs no header of
// clangd: its few functions that are called or replaced here are declared by hand, and
// the linker's --wrap (CMakeLists.txt) puts ours in their place.
//
//===----------------------------------------------------------------------===//
#include "checks/clangd/NvccCommands.h"
#include "checks/clangd/ProjectCheck.h"
#include "checks/clangd/RuleLinks.h"
#include "checks/driver/TidyConfig.h"
#include "checks/frontend/commands/Flags.h"
#include "checks/frontend/parse/Launches.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/PrecompiledPreamble.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

using llvm::StringRef;

namespace clang::clangd {

int clangdMain(int Count, char *Arguments[]);

/// Changes the options that clang-tidy's checks get for a file.
#if CLANG_VERSION_MAJOR >= 22
using TidyProvider = llvm::unique_function<void(tidy::ClangTidyOptions &, StringRef) const>;
#else // to a function object that lives as long as the program
using TidyProvider = llvm::function_ref<void(tidy::ClangTidyOptions &, StringRef)>;
#endif

struct PublishDiagnosticsParams;
class CommandMangler;

struct SymbolIndex {
  virtual ~SymbolIndex() = default;
};

namespace remote {
/// Debian's libraries hold a client for index servers that needs gRPC. Without it
/// clangd says that it was built without one.
std::unique_ptr<SymbolIndex> getClient(StringRef, StringRef);
std::unique_ptr<SymbolIndex> getClient(StringRef, StringRef) { return nullptr; }
} // namespace remote

} // namespace clang::clangd

using clang::clangd::TidyProvider;
using clang::tidy::ClangTidyOptions;

#ifdef __clang__ // the names are the linker's; nothing in C calls them
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif

// clang::clangd::isFastTidyCheck: checks that were not measured do not run by default.
#define IS_FAST_TIDY_CHECK(PREFIX) PREFIX##_ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE
extern "C" {
std::optional<bool> IS_FAST_TIDY_CHECK(__real_)(StringRef Check);
std::optional<bool> IS_FAST_TIDY_CHECK(__wrap_)(StringRef Check);
}
std::optional<bool> IS_FAST_TIDY_CHECK(__wrap_)(StringRef Check) {
  return Check.starts_with("tensor-") ? true : IS_FAST_TIDY_CHECK(__real_)(Check);
}

static llvm::cl::opt<bool> ChecksProject(
    "project-check", llvm::cl::init(true),
    llvm::cl::desc("Check the project in the background, when it is opened and when a file is "
                   "saved: what its other files do is known then"));

/// Null until a file is open, and where projects are not to be checked.
static std::unique_ptr<tensorleak::ProjectCheck> TheProjectCheck;

/// clangd's own option, which it keeps to itself.
static std::string databaseFolder() {
  auto &All = llvm::cl::getRegisteredOptions();
  auto Found = All.find("compile-commands-dir");
  return Found == All.end() || Found->second->getNumOccurrences() == 0
             ? ""
             : static_cast<llvm::cl::opt<std::string> *>(Found->second)->getValue();
}

static std::unique_ptr<tensorleak::ProjectCheck> makeProjectCheck() {
  static char Here = 0;
  llvm::SmallString<256> Tool(llvm::sys::fs::getMainExecutable(nullptr, &Here));
  llvm::sys::path::remove_filename(Tool);
  llvm::sys::path::append(Tool, "tensorleak");
  if (!ChecksProject || !llvm::sys::fs::can_execute(Tool))
    return nullptr;
  return std::make_unique<tensorleak::ProjectCheck>(Tool.str().str(), databaseFolder());
}

/// Files are parsed by several threads.
static void noteOpen(StringRef File) {
  static std::once_flag Once;
  std::call_once(Once, [] { TheProjectCheck = makeProjectCheck(); });
  if (TheProjectCheck)
    TheProjectCheck->opened(File);
}

// clang::clangd::provideDefaultChecks: as in `tensorleak check`, the rules are on and
// .clang-tidy may take them away by name; '-*' is about other checks. Messages say what the last
// run said of them.
#define PROVIDE_DEFAULT_CHECKS(PREFIX) PREFIX##_ZN5clang6clangd20provideDefaultChecksEv
extern "C" {
TidyProvider PROVIDE_DEFAULT_CHECKS(__real_)();
TidyProvider PROVIDE_DEFAULT_CHECKS(__wrap_)();
}
TidyProvider PROVIDE_DEFAULT_CHECKS(__wrap_)() {
  static const TidyProvider Real = PROVIDE_DEFAULT_CHECKS(__real_)();
  static const auto Ours = [](ClangTidyOptions &Options, StringRef File) {
    Real(Options, File);
    noteOpen(File);
    Options.Checks =
        Options.Checks.value_or("") + ",tensor-*," + tensorleak::globsOfOurRules(Options);
    Options.CheckOptions.try_emplace("Verdicts", "true");
  };
  return Ours;
}

// clang::clangd::toJSON(const PublishDiagnosticsParams &): what the editor is told of a file.
#define PUBLISHED(PREFIX) PREFIX##_ZN5clang6clangd6toJSONERKNS0_24PublishDiagnosticsParamsE
extern "C" {
llvm::json::Value PUBLISHED(__real_)(const clang::clangd::PublishDiagnosticsParams &);
llvm::json::Value PUBLISHED(__wrap_)(const clang::clangd::PublishDiagnosticsParams &);
}
llvm::json::Value PUBLISHED(__wrap_)(const clang::clangd::PublishDiagnosticsParams &Of) {
  llvm::json::Value Out = PUBLISHED(__real_)(Of);
  tensorleak::linkRules(Out);
  return Out;
}

// clang::clangd::CommandMangler::operator(): makes of a compile command one of clangd's.
#define MANGLE_COMMAND(PREFIX)                                                                     \
  PREFIX##_ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE
extern "C" {
void MANGLE_COMMAND(__real_)(const clang::clangd::CommandMangler *,
                             clang::tooling::CompileCommand &, StringRef);
void MANGLE_COMMAND(__wrap_)(const clang::clangd::CommandMangler *,
                             clang::tooling::CompileCommand &, StringRef);
}
void MANGLE_COMMAND(__wrap_)(const clang::clangd::CommandMangler *This,
                             clang::tooling::CompileCommand &Command, StringRef File) {
  tensorleak::translateForClangd(Command, File);
  MANGLE_COMMAND(__real_)(This, Command, File);
}

// clang::clangd::prepareCompilerInstance: what a file is parsed by, with its text as the editor
// has it.
#define PREPARE_INSTANCE(PREFIX)                                                                   \
  PREFIX##_ZN5clang6clangd23prepareCompilerInstanceESt10unique_ptrINS_18CompilerInvocationESt14default_deleteIS2_EEPKNS_19PrecompiledPreambleES1_IN4llvm12MemoryBufferES3_ISA_EENS9_18IntrusiveRefCntPtrINS9_3vfs10FileSystemEEERNS_18DiagnosticConsumerE
extern "C" {
std::unique_ptr<clang::CompilerInstance> PREPARE_INSTANCE(__real_)(
    std::unique_ptr<clang::CompilerInvocation>, const clang::PrecompiledPreamble *,
    std::unique_ptr<llvm::MemoryBuffer>, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>,
    clang::DiagnosticConsumer &);
std::unique_ptr<clang::CompilerInstance> PREPARE_INSTANCE(__wrap_)(
    std::unique_ptr<clang::CompilerInvocation>, const clang::PrecompiledPreamble *,
    std::unique_ptr<llvm::MemoryBuffer>, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>,
    clang::DiagnosticConsumer &);
}
std::unique_ptr<clang::CompilerInstance> PREPARE_INSTANCE(__wrap_)(
    std::unique_ptr<clang::CompilerInvocation> Invocation,
    const clang::PrecompiledPreamble *Preamble, std::unique_ptr<llvm::MemoryBuffer> MainFile,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files, clang::DiagnosticConsumer &Diagnostics) {
  if (MainFile && Invocation->getLangOpts().CUDA)
    MainFile = tensorleak::withJoinedLaunches(std::move(MainFile));
  return PREPARE_INSTANCE(__real_)(std::move(Invocation), Preamble, std::move(MainFile),
                                   std::move(Files), Diagnostics);
}

/// clangd looks for Clang's own headers beside itself, where they are not.
static bool namesResourceDirectory(int Count, char *Arguments[]) {
  for (int I = 1; I < Count; ++I)
    if (StringRef(Arguments[I]).ltrim('-').starts_with("resource-dir"))
      return true;
  return false;
}

int main(int Count, char *Arguments[]) {
  std::string ResourceDirectory = "--resource-dir=" + tensorleak::resourceDirectory();
  std::vector<char *> All(Arguments, Arguments + Count);
  if (!namesResourceDirectory(Count, Arguments))
    All.push_back(ResourceDirectory.data());
  All.push_back(nullptr);
  int Exit = clang::clangd::clangdMain(static_cast<int>(All.size()) - 1, All.data());
  TheProjectCheck.reset();
  return Exit;
}
