//===-- Target.cpp --------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/Target.h"
#include "Command.h"
#include "run/ProgramFile.h"
#include "runtime/trace/UserCode.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tensorleak {
namespace {

bool isExecutableFile(const fs::path &Path) {
  std::error_code Error;
  return fs::is_regular_file(Path, Error) && access(Path.c_str(), X_OK) == 0;
}

std::string searchPath(const std::string &Name) {
  const char *Path = getenv("PATH");
  std::istringstream Folders(Path ? Path : "/usr/bin:/bin");
  for (std::string Folder; std::getline(Folders, Folder, ':');)
    if (fs::path File = fs::path(Folder) / Name; isExecutableFile(File))
      return File;
  throw UsageError("cannot run '" + Name + "': no such program in PATH; a program of this folder " +
                   "is written './" + Name + "'");
}

void checkFile(const std::string &Name) {
  std::error_code Error;
  if (!fs::exists(Name, Error))
    throw UsageError("cannot run '" + Name + "': no such file");
  if (fs::is_directory(Name, Error))
    throw UsageError("cannot run '" + Name + "': it is a folder");
  if (!isExecutableFile(Name))
    throw UsageError("cannot run '" + Name + "': it is not executable; try 'chmod +x " + Name +
                     "'");
}

std::string quotedForShell(const std::string &Text) {
  std::string Out = "'";
  for (char C : Text)
    Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Out + "'";
}

/// "\tlibmodel.so => /home/me/libmodel.so (0x7f...)" names /home/me/libmodel.so.
std::string resolvedLibrary(const std::string &Line) {
  size_t Arrow = Line.find("=> "), End = Line.rfind(" (");
  if (Arrow == std::string::npos || End == std::string::npos || End < Arrow + 3)
    return "";
  return Line.substr(Arrow + 3, End - Arrow - 3);
}

void refuse(const std::string &Program, const std::string &Why) {
  if (!Why.empty())
    throw UsageError("cannot watch '" + Program + "': " + Why);
}

} // namespace

std::string resolveProgram(const std::string &Name) {
  std::string Path = Name.find('/') == std::string::npos ? searchPath(Name) : Name;
  checkFile(Path);
  refuse(Name, whyNoProbe(readProgramFile(Path)));
  return Path;
}

/// The paths of the libraries that its loader would load with it. The loader is asked, and not
/// the program, so that no other loader than glibc's ever starts it for that.
static std::vector<std::string> askForLibraries(const std::string &Program) {
  std::vector<std::string> Out;
  ProgramFile File = readProgramFile(Program);
  if (File.Interpreter.empty())
    return Out;
  std::string Command = quotedForShell(File.Interpreter) + " --list " +
                        quotedForShell(fs::absolute(Program)) + " 2>/dev/null";
  std::unique_ptr<FILE, int (*)(FILE *)> Pipe(popen(Command.c_str(), "r"), pclose);
  char Line[4096 + 64];
  while (Pipe && std::fgets(Line, sizeof Line, Pipe.get()))
    if (std::string Library = resolvedLibrary(Line); !Library.empty())
      Out.push_back(Library);
  return Out;
}

/// Several questions are asked about each program; its loader is asked once.
static const std::vector<std::string> &loadedLibraries(const std::string &Program) {
  static std::map<std::string, std::vector<std::string>> Known;
  auto [Entry, IsNew] = Known.try_emplace(Program);
  if (IsNew)
    Entry->second = askForLibraries(Program);
  return Entry->second;
}

static bool isProgram(const std::string &Path) {
  return Path.find('/') != std::string::npos && isExecutableFile(Path) &&
         isUserModule(fs::absolute(Path).string()) && readProgramFile(Path).IsElf;
}

/// The words of a shell's command: `exec build/train "$data"`.
static std::vector<std::string> wordsOf(std::string Command) {
  for (char &C : Command)
    if (std::string_view("'\"`;&|<>(){}=").find(C) != std::string_view::npos)
      C = ' ';
  std::istringstream Words(Command);
  return {std::istream_iterator<std::string>(Words), std::istream_iterator<std::string>()};
}

/// The first of what begins with `#!`; "" of other files.
static std::string textOfScript(const std::string &Path) {
  constexpr size_t Most = 64 << 10;
  std::ifstream File(Path, std::ios::binary);
  std::string Text(Most, '\0');
  File.read(Text.data(), std::streamsize(Text.size()));
  Text.resize(size_t(File.gcount()));
  return Text.rfind("#!", 0) == 0 ? Text : "";
}

/// What \p Command names, as it stands there or, behind a variable such as `$HERE/`, in \p Folder.
static void addProgramsIn(const std::string &Command, const fs::path &Folder,
                          std::vector<std::string> &Out) {
  for (const std::string &Word : wordsOf(Command)) {
    const size_t Slash = Word[0] == '$' ? Word.find('/') : std::string::npos;
    std::string Path =
        Slash == std::string::npos ? Word : (Folder / Word.substr(Slash + 1)).string();
    if (isProgram(Path) && std::find(Out.begin(), Out.end(), Path) == Out.end())
      Out.push_back(std::move(Path));
  }
}

std::vector<std::string> programsAmong(const std::vector<std::string> &Arguments) {
  std::vector<std::string> Out;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    const std::string &Each = Arguments[I];
    const bool IsFile = Each.find('/') != std::string::npos && isExecutableFile(Each);
    if (IsFile)
      addProgramsIn(textOfScript(Each), fs::path(Each).parent_path(), Out);
    if (I > 0 && isProgram(Each))
      Out.push_back(Each);
    else if (I > 0 && !IsFile && Each.find(' ') != std::string::npos)
      addProgramsIn(Each, "", Out);
  }
  return Out;
}

bool linksLibrary(const std::string &Program, const std::vector<std::string> &Names) {
  for (const std::string &Library : loadedLibraries(Program))
    for (const std::string &Name : Names)
      if (fileNameOf(Library).substr(0, Name.size()) == Name)
        return true;
  return false;
}

std::vector<std::string> userModules(const std::string &Program) {
  std::error_code Error;
  std::vector<std::string> Out{fs::canonical(Program, Error).string()};
  for (const std::string &Library : loadedLibraries(Program)) {
    if (std::string Sanitizer = sanitizerOfLibrary(Library); !Sanitizer.empty())
      refuse(Program, whyNoProbeBeside(Sanitizer));
    if (isUserModule(Library))
      Out.push_back(fs::canonical(Library, Error).string());
  }
  return Out;
}

} // namespace tensorleak
