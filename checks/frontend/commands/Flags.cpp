//===-- Flags.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Flags.h"

#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/commands/Nvcc.h"
#include "checks/frontend/commands/Python.h"
#include "checks/source/Paths.h"
#include "clang/Basic/Version.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace llvm;

namespace tensorleak {
namespace {

/// Flags of gcc that change nothing in what is parsed.
constexpr StringLiteral IgnoredFlags[] = {"-fno-canonical-system-headers", "-fno-fat-lto-objects",
                                          "-ffat-lto-objects", "-mno-fma4"};

/// Which driver, so that the language's default headers are the same. To nvcc, a file's name says
/// what it is.
std::string driverFor(StringRef Compiler, StringRef File) {
  StringRef Name = sys::path::filename(Compiler);
  if (Name.contains("nvcc"))
    return File.ends_with(".c") ? "clang" : "clang++";
  return !Name.contains("++") && Name != "CC" ? "clang" : "clang++";
}

/// Flags that Clang's driver would reject are dropped.
CommandLine withoutForeignFlags(const CommandLine &Command, StringRef) {
  CommandLine Out;
  copy_if(Command, std::back_inserter(Out),
          [](const std::string &Flag) { return !is_contained(IgnoredFlags, Flag); });
  return Out;
}

/// C++ in place of the language that the command chose.
CommandLine asCxx(const CommandLine &Command, StringRef) {
  CommandLine Out{"clang++", "-x", "c++"};
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef Flag = Command[I];
    if (Flag == "-x")
      ++I; // and the language
    else if (!Flag.starts_with("-x") && !Flag.starts_with("-std="))
      Out.push_back(Command[I]);
  }
  return Out;
}

/// How many arguments name the file that diagnostics would go to: 0 for other arguments. Clang
/// opens that file before anybody can take it from the invocation (Outputs.h).
size_t diagnosticsFileAt(ArrayRef<std::string> Rest) {
  StringRef Flag = Rest.front();
  if (Flag == "--serialize-diagnostics" || Flag == "-serialize-diagnostics")
    return 2;
  constexpr StringLiteral Internal[] = {"-serialize-diagnostic-file", "-diagnostic-log-file"};
  bool Passed = Flag == "-Xclang" && Rest.size() > 1 && is_contained(Internal, Rest[1]);
  return Passed ? 4 : 0;
}

CommandLine withoutDiagnosticsFiles(const CommandLine &Command, StringRef) {
  CommandLine Out;
  ArrayRef<std::string> Rest(Command);
  while (!Rest.empty()) {
    size_t Dropped = diagnosticsFileAt(Rest);
    if (!Dropped)
      Out.push_back(Rest.front());
    Rest = Rest.drop_front(std::min(std::max<size_t>(Dropped, 1), Rest.size()));
  }
  return Out;
}

/// The libraries that we run with bring their own headers along.
std::string resourceDirectoryOfLibrary() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&clang::tooling::getClangSyntaxOnlyAdjuster), &Info))
    return "";
  SmallString<256> Library;
  if (sys::fs::real_path(Info.dli_fname, Library))
    return "";
  StringRef Folder = sys::path::parent_path(Library);
  return joinPath(joinPath(Folder, "clang"), CLANG_VERSION_MAJOR_STRING);
}

} // namespace

std::string resourceDirectory() {
  std::string BuiltIn = TENSORLEAK_CLANG_RESOURCE_DIR;
  return sys::fs::is_directory(BuiltIn) ? BuiltIn : resourceDirectoryOfLibrary();
}

CommandLine clangCommand(const SourceUnit &TheUnit) {
  using namespace clang::tooling;
  ArgumentsAdjuster Adjust = combineAdjusters(
      combineAdjusters(getClangStripOutputAdjuster(), getClangStripDependencyFileAdjuster()),
      combineAdjusters(combineAdjusters(withoutForeignFlags, withoutDiagnosticsFiles),
                       getClangSyntaxOnlyAdjuster()));
  if (TheUnit.ReadAsCxx)
    Adjust = combineAdjusters(Adjust, asCxx);
  CommandLine Out = Adjust(hostCommand(TheUnit), TheUnit.File);
  if (Out.empty())
    return Out;
  Out.front() = driverFor(Out.front(), TheUnit.File);
  // The project's own compiler reports its warnings; gcc also accepts what
  // Clang makes an error by default.
  constexpr const char *Extra[] = {"-w", "-Wno-everything", "-ferror-limit=0"};
  auto End = find(Out, "--"); // the file follows
  Out.insert(End, std::begin(Extra), std::end(Extra));
  // The language must be known before the file is named.
  auto Source = MemoryBuffer::getFile(TheUnit.File, /*IsText=*/true);
  const StringRef Text = Source ? (*Source)->getBuffer() : ""; // the parse says why, if not
  CommandLine Front = cudaFlags(TheUnit, Out, Text);
  const CommandLine Python = pythonFlags(TheUnit, Out, Text);
  Front.insert(Front.end(), Python.begin(), Python.end());
  Front.push_back("-resource-dir=" + resourceDirectory());
  Out.insert(Out.begin() + 1, Front.begin(), Front.end());
  return Out;
}

} // namespace tensorleak
