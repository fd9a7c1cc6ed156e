//===-- Machine.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

std::vector<std::string> split(const char *List) {
  std::vector<std::string> Out;
  std::istringstream In(List ? List : "");
  for (std::string Part; std::getline(In, Part, ':');)
    if (!Part.empty())
      Out.push_back(Part);
  return Out;
}

std::string firstLineOf(const std::string &Command) {
  std::unique_ptr<FILE, int (*)(FILE *)> Pipe(popen(Command.c_str(), "r"), pclose);
  char Line[4096];
  if (!Pipe || !std::fgets(Line, sizeof Line, Pipe.get()))
    return "";
  std::string Out = Line;
  Out.erase(Out.find_last_not_of('\n') + 1);
  return Out;
}

/// Where python3's torch lies; found without importing it, which takes seconds. With -c, Python
/// looks into the working folder first, whose files are not ours to execute.
std::string pythonTorchFolder() {
  std::string Package =
      firstLineOf("python3 -c 'import sys; sys.path[:] = [p for p in sys.path if p]; "
                  "import importlib.util as u; s = u.find_spec(\"torch\"); "
                  "print(s.submodule_search_locations[0] if s else \"\")' 2>/dev/null");
  return Package.empty() ? "" : Package + "/lib";
}

/// The text between the first pair of quotes on the line that starts so.
std::string quotedAfter(const fs::path &File, const std::string &Start) {
  std::ifstream In(File);
  for (std::string Line; std::getline(In, Line);) {
    if (Line.compare(0, Start.size(), Start) != 0)
      continue;
    size_t Open = Line.find_first_of("'\""), Close = Line.find_last_of("'\"");
    if (Open != std::string::npos && Close > Open)
      return Line.substr(Open + 1, Close - Open - 1);
  }
  return "";
}

/// From the wheel's version.py, the zip's build-version, or Debian's file name.
std::string versionOf(const fs::path &Folder) {
  std::string Version = quotedAfter(Folder / ".." / "version.py", "__version__");
  if (!Version.empty())
    return Version;
  if (std::ifstream In(Folder / ".." / "build-version"); In >> Version)
    return Version;
  std::error_code Error;
  std::string Real = fs::canonical(Folder / "libtorch_cpu.so", Error).filename();
  size_t Suffix = Real.find(".so.");
  return Suffix == std::string::npos ? "" : Real.substr(Suffix + 4);
}

void addFolder(const std::string &Folder, const char *Origin, std::vector<TorchLibrary> &Out) {
  std::error_code Error;
  if (Folder.empty() || !fs::exists(fs::path(Folder) / "libtorch_cpu.so", Error))
    return;
  auto SameFolder = [&](const TorchLibrary &T) { return T.Folder == Folder; };
  if (std::any_of(Out.begin(), Out.end(), SameFolder))
    return;
  bool HasCuda = fs::exists(fs::path(Folder) / "libtorch_cuda.so", Error);
  Out.push_back({Folder, versionOf(Folder), HasCuda, Origin});
}

} // namespace

std::vector<TorchLibrary> findTorchLibraries() {
  std::vector<TorchLibrary> Out;
  for (const std::string &Folder : split(getenv("LD_LIBRARY_PATH")))
    addFolder(Folder, "LD_LIBRARY_PATH", Out);
  for (const char *Folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib",
                             "/usr/local/lib", "/opt/libtorch/lib", "/usr/local/libtorch/lib"})
    addFolder(Folder, "system", Out);
  addFolder(pythonTorchFolder(), "python3", Out);
  return Out;
}

std::optional<std::string> findTool(const std::string &Name) {
  std::vector<std::string> Folders = split(getenv("PATH"));
  Folders.push_back("/usr/local/cuda/bin");
  for (const std::string &Folder : Folders)
    if (std::string Path = Folder + "/" + Name; access(Path.c_str(), X_OK) == 0)
      return Path;
  return std::nullopt;
}

std::optional<std::string> nvidiaDriver() {
  std::ifstream In("/proc/driver/nvidia/version");
  std::string Line;
  if (!std::getline(In, Line))
    return std::nullopt;
  std::istringstream Words(Line);
  for (std::string Word; Words >> Word;)
    if (Word.find_first_not_of("0123456789.") == std::string::npos)
      return Word;
  return Line;
}

bool canPatchCode() {
  size_t Size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *Page = mmap(nullptr, Size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Page == MAP_FAILED)
    return false;
  bool Allowed = mprotect(Page, Size, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
  munmap(Page, Size);
  return Allowed;
}

} // namespace tensorleak
