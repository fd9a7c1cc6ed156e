//===-- Flags.cpp ---------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/Flags.h"

#include "checks/frontend/Paths.h"
#include "clang/Basic/Version.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace llvm;

namespace tensorleak {
namespace {

/// Flags of gcc and nvcc that change nothing in what is parsed.
constexpr StringLiteral IgnoredFlags[] = {"--expt-relaxed-constexpr",
                                          "-expt-relaxed-constexpr",
                                          "--expt-extended-lambda",
                                          "-expt-extended-lambda",
                                          "--extended-lambda",
                                          "-extended-lambda",
                                          "-forward-unknown-to-host-compiler",
                                          "--forward-unknown-to-host-compiler",
                                          "-use_fast_math",
                                          "--use_fast_math",
                                          "-lineinfo",
                                          "--generate-line-info",
                                          "-G",
                                          "-fno-canonical-system-headers",
                                          "-fno-fat-lto-objects",
                                          "-ffat-lto-objects",
                                          "-mno-fma4"};

/// Flags of nvcc that take what follows as their value.
constexpr StringLiteral IgnoredPairs[] = {
    "-gencode", "--generate-code",   "-arch",   "-code",    "--gpu-architecture", "--gpu-code",
    "-ccbin",   "--compiler-bindir", "-Xptxas", "-Xcudafe", "--diag_suppress",    "-maxrregcount",
    "-rdc"};

/// The same flags when the value is joined with '='.
bool isIgnoredWithValue(StringRef Flag) {
  return any_of(IgnoredPairs, [&](StringRef Pair) {
    return Flag.starts_with(Pair) && Flag.substr(Pair.size()).starts_with("=");
  });
}

/// Which driver, so that the language's default headers are the same.
std::string driverFor(StringRef Compiler) {
  StringRef Name = sys::path::filename(Compiler);
  bool C = !Name.contains("++") && !Name.contains("nvcc") && Name != "CC";
  return C ? "clang" : "clang++";
}

/// What nvcc passes on to the host compiler, comma-separated: `-Xcompiler=-a,-b`.
void appendHostFlags(StringRef Value, CommandLine &Out) {
  SmallVector<StringRef> Parts;
  Value.trim("\"'").split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts)
    Out.push_back(Part.str());
}

std::optional<StringRef> joinedHostFlags(StringRef Flag) {
  for (StringRef Name : {"-Xcompiler=", "--compiler-options="})
    if (Flag.consume_front(Name))
      return Flag;
  return std::nullopt;
}

/// Flags that Clang's driver would reject, translated or dropped.
CommandLine translate(const CommandLine &Command, StringRef) {
  CommandLine Out;
  for (size_t I = 0; I < Command.size(); ++I) {
    StringRef Flag = Command[I];
    bool HasNext = I + 1 < Command.size();
    if (auto Host = joinedHostFlags(Flag))
      appendHostFlags(*Host, Out);
    else if ((Flag == "-Xcompiler" || Flag == "--compiler-options") && HasNext)
      appendHostFlags(Command[++I], Out);
    else if (is_contained(IgnoredPairs, Flag))
      ++I;
    else if (!is_contained(IgnoredFlags, Flag) && !isIgnoredWithValue(Flag))
      Out.push_back(Command[I]);
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

CommandLine clangCommand(const CommandLine &Command, StringRef File) {
  using namespace clang::tooling;
  ArgumentsAdjuster Adjust = combineAdjusters(
      combineAdjusters(getClangStripOutputAdjuster(), getClangStripDependencyFileAdjuster()),
      combineAdjusters(translate, getClangSyntaxOnlyAdjuster()));
  CommandLine Out = Adjust(Command, File);
  if (Out.empty())
    return Out;
  Out.front() = driverFor(Out.front());
  // The project's own compiler reports its warnings; gcc also accepts what
  // Clang makes an error by default.
  CommandLine Extra = {"-w", "-Wno-everything", "-ferror-limit=0"};
  if (File.ends_with(".cu"))
    Extra.push_back("--cuda-host-only");
  auto End = find(Out, "--"); // the file follows
  Out.insert(End, Extra.begin(), Extra.end());
  Out.insert(Out.begin() + 1, "-resource-dir=" + resourceDirectory());
  return Out;
}

} // namespace tensorleak
