//===-- Cuda.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/Cuda.h"

#include "checks/frontend/commands/Bundled.h"
#include "checks/frontend/commands/Nvcc.h"
#include "checks/source/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <optional>

using namespace llvm;

namespace tensorleak {
namespace {

/// "/opt/cuda" for /opt/cuda/bin/nvcc, through symbolic links.
std::string toolkitOfNvcc(StringRef Nvcc) {
  SmallString<256> Real;
  if (sys::fs::real_path(Nvcc, Real))
    return "";
  return sys::path::parent_path(sys::path::parent_path(Real)).str();
}

std::string environment(const char *Name) { return sys::Process::GetEnv(Name).value_or(""); }

/// In the order in which they are tried: what the build uses, what the user's
/// shell says, and where toolkits are installed.
std::vector<std::string> toolkitCandidates(const SourceUnit &TheUnit) {
  std::vector<std::string> Out;
  if (!TheUnit.Command.empty() && isNvcc(TheUnit.Command.front()))
    Out.push_back(toolkitOfNvcc(TheUnit.Command.front()));
  for (const char *Name : {"CUDA_HOME", "CUDA_PATH"})
    Out.push_back(environment(Name));
  if (auto Nvcc = sys::findProgramByName("nvcc"))
    Out.push_back(toolkitOfNvcc(*Nvcc));
  Out.insert(Out.end(), {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"});
  return Out;
}

/// The language that `-x` gives, if it does.
std::optional<StringRef> wantedLanguage(const CommandLine &Command) {
  std::optional<StringRef> Out;
  for (size_t I = 1; I < Command.size(); ++I)
    if (Command[I - 1] == "-x")
      Out = Command[I];
    else if (Command[I] != "-x" && StringRef(Command[I]).starts_with("-x"))
      Out = StringRef(Command[I]).drop_front(2);
  return Out;
}

bool isCuda(const SourceUnit &TheUnit, const CommandLine &Command) {
  std::optional<StringRef> Language = wantedLanguage(Command);
  return Language ? *Language == "cuda" : hasCudaName(TheUnit.File);
}

/// The toolkit that the command itself names, for a build with Clang.
std::optional<std::string> namedToolkit(const SourceUnit &TheUnit, const CommandLine &Command) {
  for (StringRef Flag : Command)
    if (Flag.consume_front("--cuda-path="))
      return normalPath(Flag, TheUnit.Directory);
  return std::nullopt;
}

/// "" when there is none.
std::string findToolkit(const SourceUnit &TheUnit, const CommandLine &Command) {
  if (TheUnit.CudaPath == "none")
    return "";
  if (auto Named = namedToolkit(TheUnit, Command))
    return *Named;
  if (!TheUnit.CudaPath.empty())
    return TheUnit.CudaPath;
  std::vector<std::string> Candidates = toolkitCandidates(TheUnit);
  auto Found = find_if(Candidates, isCudaToolkit);
  return Found == Candidates.end() ? "" : *Found;
}

/// What is searched after the command's own folders: the rest of the toolkit, our
/// declarations for all that is still missing, and headers of gcc or of older
/// toolkits that Clang lacks.
void addLastFolders(const std::string &Toolkit, StringRef Text, CommandLine &Out) {
  auto Add = [&Out](const std::string &Folder) {
    if (sys::fs::is_directory(Folder))
      Out.insert(Out.end(), {"-idirafter", Folder});
  };
  if (!Toolkit.empty()) {
    Add(joinPath(Toolkit, "include"));
    Add(joinPath(Toolkit, "include/cccl")); // thrust and cub since CUDA 13
  }
  Add(bundledCudaFolder());
  Add(joinPath(bundledCudaFolder(), "shim"));
  if (mentionsAny(Text, {"ATen/cuda", "c10/cuda", "torch/extension.h"}))
    Add(bundledTorchCudaFolder());
}

/// Our declarations instead of a toolkit. First on the include path: a stray header
/// of a toolkit that Clang cannot use would declare everything once more.
void addBundled(CommandLine &Out) {
  std::string Folder = bundledCudaFolder();
  Out.insert(Out.end(),
             {"-nocudainc", "-I" + Folder, "-include", joinPath(Folder, "cuda_runtime.h")});
}

/// The toolkit, and what nvcc declares beyond what Clang makes of it.
void addToolkit(const std::string &Toolkit, CommandLine &Out) {
  Out.insert(Out.end(), {"--cuda-path=" + Toolkit, "-include",
                         joinPath(bundledCudaFolder(), "shim/nvcc_host.h")});
}

/// "13000": what the toolkit, or without one our declarations, call themselves.
unsigned cudaVersion(const std::string &Toolkit) {
  constexpr unsigned Bundled = 12040;
  constexpr StringLiteral Name = "#define CUDART_VERSION";
  auto Header = MemoryBuffer::getFile(joinPath(Toolkit, "include/cuda_runtime_api.h"));
  StringRef Text = !Toolkit.empty() && Header ? (*Header)->getBuffer() : "";
  unsigned Version = 0;
  const size_t At = Text.find(Name);
  bool IsKnown =
      At != StringRef::npos && !Text.substr(At + Name.size()).ltrim().consumeInteger(10, Version);
  return IsKnown ? Version : Bundled;
}

/// A build with nvcc, as far as the command tells: sources of CUDA are compiled by it unless a
/// flag of Clang's says otherwise.
bool isOfNvcc(const SourceUnit &TheUnit, const CommandLine &Command) {
  auto IsClangs = [](StringRef Flag) {
    return Flag.starts_with("--cuda-") || Flag.starts_with("--offload-");
  };
  if (!TheUnit.Command.empty() && isNvcc(TheUnit.Command.front()))
    return true;
  return hasCudaName(TheUnit.File) && !wantedLanguage(Command) && none_of(Command, IsClangs);
}

/// What nvcc defines for each source, of C and C++ too. Headers choose by it who compiles them:
/// where it is missing, the device's half of a project is not there.
void addNvccMacros(const std::string &Toolkit, CommandLine &Out) {
  const unsigned Version = cudaVersion(Toolkit);
  Out.insert(Out.end(),
             {"-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=" + utostr(Version / 1000),
              "-D__CUDACC_VER_MINOR__=" + utostr(Version % 1000 / 10), "-D__CUDACC_VER_BUILD__=0"});
}

} // namespace

bool isCudaToolkit(const std::string &Folder) {
  return sys::fs::is_directory(joinPath(Folder, "bin")) &&
         sys::fs::exists(joinPath(Folder, "include/cuda.h")) &&
         sys::fs::exists(joinPath(Folder, "include/cuda_runtime.h"));
}

CommandLine cudaFlags(const SourceUnit &TheUnit, const CommandLine &Command, StringRef Text) {
  CommandLine Out;
  const bool IsCuda = isCuda(TheUnit, Command);
  if (IsCuda && !wantedLanguage(Command))
    Out.insert(Out.end(), {"-x", "cuda"});
  if (IsCuda) // printf is variadic, and Clang 19.1.1 (Ubuntu's) requires the flag
    Out.insert(Out.end(),
               {"--cuda-host-only", "-nocudalib", "-Xclang", "-fcuda-allow-variadic-functions"});
  if (is_contained(Command, "-nocudainc")) // the command brings its own headers
    return Out;
  const std::string Toolkit = findToolkit(TheUnit, Command);
  if (IsCuda && Toolkit.empty())
    addBundled(Out);
  else if (IsCuda)
    addToolkit(Toolkit, Out);
  if (isOfNvcc(TheUnit, Command))
    addNvccMacros(Toolkit, Out);
  addLastFolders(Toolkit, Text, Out);
  return Out;
}

bool isCuda(const SourceUnit &TheUnit) { return isCuda(TheUnit, hostCommand(TheUnit)); }

std::string addedToolkit(const SourceUnit &TheUnit) {
  const CommandLine Command = hostCommand(TheUnit);
  return is_contained(Command, "-nocudainc") ? "" : findToolkit(TheUnit, Command);
}

bool isCudaPreamble(StringRef Header) {
  return Header == "__clang_cuda_runtime_wrapper.h" || isBelow(Header, bundledCudaFolder());
}

std::string bundledTorchCudaFolder() { return joinPath(bundledCudaFolder(), "torch"); }

std::string bundledCudaFolder() {
  return bundledFolder(TENSORLEAK_CUDA_INSTALLED, TENSORLEAK_CUDA_SOURCES);
}

} // namespace tensorleak
