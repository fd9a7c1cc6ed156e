//===-- CompileCommands.cpp -----------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/commands/CompileCommands.h"

#include "checks/frontend/commands/Cuda.h"
#include "checks/frontend/commands/Includers.h"
#include "checks/source/Paths.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang::tooling;
using namespace llvm;

namespace tensorleak {
namespace {

constexpr StringLiteral DatabaseName = "compile_commands.json";
constexpr const char *HowToMake =
    "make one with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON or with bear -- make, "
    "or give the compiler's flags after --";

std::string currentDirectory() {
  SmallString<256> Directory;
  if (std::error_code Error = sys::fs::current_path(Directory))
    throw RequestError("the current folder cannot be read: " + Error.message());
  return Directory.str().str();
}

std::string existingPath(const std::string &Path, const std::string &Directory) {
  std::string Absolute = normalPath(Path, Directory);
  if (!sys::fs::exists(Absolute))
    throw RequestError("'" + Path + "' does not exist; give a file or a folder that does");
  return Absolute;
}

//===-- Units from flags ---------------------------------------------------===//

/// The flags are for all files that are named. Those for C++ do not make a file of C one of C++.
CommandLine commandFromFlags(const std::string &File, const CommandLine &Flags) {
  auto IsOfCxx = [](StringRef Flag) {
    return Flag.starts_with("-std=c++") || Flag.starts_with("-std=gnu++");
  };
  auto NamesLanguage = [](StringRef Flag) { return Flag.starts_with("-x"); };
  const bool IsC = StringRef(File).ends_with(".c") && none_of(Flags, NamesLanguage);
  CommandLine Out{IsC ? "clang" : "clang++"};
  copy_if(Flags, std::back_inserter(Out), [&](StringRef Flag) { return !IsC || !IsOfCxx(Flag); });
  Out.push_back(File);
  return Out;
}

SourceUnit unitFromFlags(const std::string &Path, const CheckRequest &Request,
                         const std::string &Directory) {
  std::string File = existingPath(Path, Directory);
  if (sys::fs::is_directory(File))
    throw RequestError("'" + Path + "' is a folder; name its files when the flags follow --");
  return {File, Directory, commandFromFlags(File, *Request.Flags), ""};
}

std::vector<SourceUnit> unitsFromFlags(const CheckRequest &Request) {
  if (Request.Paths.empty())
    throw RequestError("no file to check; name one before --");
  std::string Directory = currentDirectory();
  std::vector<SourceUnit> Out;
  for (const std::string &Path : Request.Paths)
    Out.push_back(unitFromFlags(Path, Request, Directory));
  return Out;
}

//===-- The compile database -----------------------------------------------===//

/// The database of \p Folder, or the one in its folder `build`.
std::string databaseIn(StringRef Folder) {
  for (const std::string &Candidate : {Folder.str(), joinPath(Folder, "build")})
    if (std::string File = joinPath(Candidate, DatabaseName); sys::fs::exists(File))
      return File;
  return "";
}

std::string databaseAbove(StringRef Path) {
  if (std::string File = nearestDatabase(Path); !File.empty())
    return File;
  throw RequestError("no " + DatabaseName.str() + " in '" + Path.str() +
                     "' or a folder above it; " + HowToMake);
}

std::string databaseFile(const CheckRequest &Request, const std::string &Directory) {
  if (Request.BuildDirectory.empty())
    return databaseAbove(Request.Paths.empty() ? Directory
                                               : existingPath(Request.Paths.front(), Directory));
  std::string Build = existingPath(Request.BuildDirectory, Directory);
  std::string File = sys::fs::is_directory(Build) ? joinPath(Build, DatabaseName) : Build;
  if (!sys::fs::exists(File))
    throw RequestError("no " + DatabaseName.str() + " in '" + Request.BuildDirectory + "'; " +
                       HowToMake);
  return File;
}

std::unique_ptr<CompilationDatabase> loadDatabase(const std::string &File) {
  std::string Error;
  std::unique_ptr<CompilationDatabase> Database =
      JSONCompilationDatabase::loadFromFile(File, Error, JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    throw RequestError(File + " cannot be read: " + StringRef(Error).trim().rtrim('.').str() +
                       "; make it again with the build system");
  return expandResponseFiles(std::move(Database), vfs::getRealFileSystem());
}

/// All units of the database. The same command is often listed once per target.
std::vector<SourceUnit> unitsOf(const CompilationDatabase &Database) {
  std::vector<SourceUnit> Out;
  for (CompileCommand &C : Database.getAllCompileCommands())
    Out.push_back({normalPath(C.Filename, C.Directory), C.Directory, std::move(C.CommandLine)});
  return Out;
}

std::string nearestHint(StringRef File, ArrayRef<SourceUnit> All) {
  for (const SourceUnit &U : All)
    if (sys::path::filename(U.File) == sys::path::filename(File))
      return " (did you mean '" + U.File + "'?)";
  return "";
}

/// "a.cpp, b.cpp and 7 more".
std::string listed(ArrayRef<SourceUnit> Units) {
  constexpr size_t Most = 5;
  std::string Out;
  for (const SourceUnit &U : Units.take_front(Most))
    Out += (Out.empty() ? "" : ", ") + sys::path::filename(U.File).str();
  return Units.size() > Most ? Out + " and " + std::to_string(Units.size() - Most) + " more" : Out;
}

/// What the paths of a request stand for.
class Selection {
public:
  Selection(const CheckRequest &Request, std::string Directory, std::string Database,
            ArrayRef<SourceUnit> All)
      : Request(Request), Directory(std::move(Directory)), Database(std::move(Database)), All(All) {
  }

  std::vector<SourceUnit> unitsOf(const std::string &Path);

private:
  std::vector<SourceUnit> includersOf(const std::string &Path, const std::string &Wanted);

  const CheckRequest &Request;
  std::string Directory, Database;
  ArrayRef<SourceUnit> All;
  IncludeGraph Graph;
};

/// A header, or a folder of headers alone, is checked in the sources that include it.
std::vector<SourceUnit> Selection::includersOf(const std::string &Path, const std::string &Wanted) {
  std::vector<SourceUnit> Out = Graph.includersOf(Wanted, All);
  if (Out.empty() && sys::fs::is_directory(Wanted))
    throw RequestError(Database + " has no file below '" + Path + "', and none that includes one" +
                       "; build it first, or name a file and give its flags after --");
  if (Out.empty())
    throw RequestError("'" + Path + "' is not in " + Database + ", and no file there includes it" +
                       nearestHint(Wanted, All) +
                       "; add it to the build, or give its flags after --");
  if (Request.Notice)
    Request.Notice("for '" + Path + "', what includes it is checked: " + listed(Out));
  return Out;
}

std::vector<SourceUnit> Selection::unitsOf(const std::string &Path) {
  std::string Wanted = existingPath(Path, Directory);
  std::vector<SourceUnit> Out;
  copy_if(All, std::back_inserter(Out),
          [&](const SourceUnit &U) { return U.File == Wanted || isBelow(U.File, Wanted); });
  return Out.empty() ? includersOf(Path, Wanted) : Out;
}

/// The command without what names the output: two targets that compile a file
/// with the same flags need one analysis.
std::string commandKey(const SourceUnit &U) {
  std::string Out = U.File + '\0' + U.Directory;
  for (const std::string &Flag : clangCommand(U))
    Out += '\0' + Flag;
  return Out;
}

void sortAndDeduplicate(std::vector<SourceUnit> &Units) {
  std::vector<std::pair<std::string, SourceUnit>> Keyed;
  for (SourceUnit &U : Units) {
    std::string Key = commandKey(U);
    Keyed.emplace_back(std::move(Key), std::move(U));
  }
  sort(Keyed, [](auto &A, auto &B) { return A.first < B.first; });
  Keyed.erase(
      std::unique(Keyed.begin(), Keyed.end(), [](auto &A, auto &B) { return A.first == B.first; }),
      Keyed.end());
  Units.clear();
  for (auto &[Key, U] : Keyed)
    Units.push_back(std::move(U));
}

std::vector<SourceUnit> unitsFromDatabase(const CheckRequest &Request) {
  std::string Directory = currentDirectory();
  std::string File = databaseFile(Request, Directory);
  std::vector<SourceUnit> All = unitsOf(*loadDatabase(File)), Out;
  if (Request.Paths.empty())
    Out = All;
  Selection Chosen(Request, Directory, File, All);
  for (const std::string &Path : Request.Paths)
    append_range(Out, Chosen.unitsOf(Path));
  if (Out.empty())
    throw RequestError(File + " lists no file; build the project first");
  for (SourceUnit &U : Out)
    U.Database = File;
  return Out;
}

} // namespace

/// A toolkit that the user named must be one: with another the files look broken.
static std::string wantedToolkit(const CheckRequest &Request) {
  if (Request.CudaPath.empty() || Request.CudaPath == "none")
    return Request.CudaPath;
  std::string Folder = existingPath(Request.CudaPath, currentDirectory());
  if (!isCudaToolkit(Folder))
    throw RequestError("'" + Request.CudaPath + "' is no CUDA toolkit (no bin, no " +
                       "include/cuda_runtime.h); give its folder, or none");
  return Folder;
}

std::string nearestDatabase(StringRef Path) {
  for (StringRef Folder = Path; !Folder.empty(); Folder = sys::path::parent_path(Folder))
    if (std::string File = databaseIn(Folder); !File.empty())
      return File;
  return "";
}

std::vector<SourceUnit> unitsOf(const CheckRequest &Request) {
  const std::string CudaPath = wantedToolkit(Request);
  std::vector<SourceUnit> Units =
      Request.Flags ? unitsFromFlags(Request) : unitsFromDatabase(Request);
  for (SourceUnit &U : Units)
    U.CudaPath = CudaPath;
  sortAndDeduplicate(Units);
  return Units;
}

} // namespace tensorleak
