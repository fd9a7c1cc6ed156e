//===-- SavedProject.cpp ---------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/SavedProject.h"

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/FileStates.h"
#include "checks/frontend/cache/JsonFile.h"
#include "checks/source/Paths.h"
#include "checks/source/UserCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <limits>
#include <mutex>

using namespace llvm;
using json = nlohmann::json;

namespace tensorleak {
namespace {

/// Raised when the meaning of a fact changes: the plugin and the tool that saved
/// the project may be of different builds.
constexpr int FactsFormat = 15;

std::string projectKey(const std::string &Database) { return digestOf("project " + Database); }

//===-- The files of one project --------------------------------------------===//

// {"format": FactsFormat, "files": {PATH: [FACTS, ...]}}
using FilesByPath = std::map<std::string, std::vector<FileFacts>>;

FilesByPath readFiles(const std::string &Path) try {
  json J = readJson(Path);
  if (!J.is_object() || J.value("format", 0) != FactsFormat)
    return {};
  return J.at("files").get<FilesByPath>();
} catch (const json::exception &) {
  return {}; // a file that is broken is as good as none
}

void dropMissing(FilesByPath &Files) {
  for (auto It = Files.begin(); It != Files.end();)
    It = sys::fs::exists(It->first) ? std::next(It) : Files.erase(It);
}

/// Writes only what changed.
void replaceFiles(const std::string &Path, const std::vector<SavedFile> &New) {
  FilesByPath Files = readFiles(Path);
  const FilesByPath Before = Files;
  for (const SavedFile &F : New)
    Files[F.Path].clear();
  for (const SavedFile &F : New)
    Files[F.Path].push_back(F.Facts);
  dropMissing(Files);
  if (Files != Before)
    writeJson(Path, {{"format", FactsFormat}, {"files", Files}});
}

//===-- Which project a file belongs to -------------------------------------===//

// "projects.json" in the cache: {FILE: DATABASE}.
constexpr const char *ProjectsKey = "projects";

void saveDatabaseOf(const std::string &Folder, const std::string &Database,
                    const std::vector<SavedFile> &Files) {
  CacheEntry Entry(Folder, ProjectsKey);
  if (!Entry.lockExclusive())
    return;
  json Projects = readJson(Entry.file(".json"));
  if (!Projects.is_object())
    Projects = json::object();
  const json Before = Projects;
  for (const SavedFile &F : Files)
    Projects[F.Path] = Database;
  if (Projects != Before)
    writeJson(Entry.file(".json"), Projects);
}

/// No check compiles a header by itself. It belongs to what was checked of the project's folder,
/// if that was one database.
std::string databaseAround(const json &Projects, const std::string &File) {
  std::optional<std::string> Root = projectRoot(File, *vfs::getRealFileSystem());
  std::set<std::string> Found;
  for (const auto &[Path, Database] : Projects.items())
    if (Root && Database.is_string() && isBelow(Path, *Root))
      Found.insert(Database.get<std::string>());
  return Found.size() == 1 ? *Found.begin() : "";
}

std::string databaseOf(const std::string &Folder, const std::string &File, bool IsHeader) {
  CacheEntry Entry(Folder, ProjectsKey);
  json Projects = Entry.lockShared() ? readJson(Entry.file(".json")) : json();
  if (!Projects.is_object())
    return "";
  auto Found = Projects.find(File);
  if (Found == Projects.end())
    return IsHeader ? databaseAround(Projects, File) : "";
  return Found->is_string() ? Found->get<std::string>() : "";
}

//===-- One project in memory -----------------------------------------------===//

constexpr size_t NoUnit = std::numeric_limits<size_t>::max();

/// What a function does may be known from the file's own parse of a header's body, which an
/// editor's server leaves out. All else a file knows better by itself.
bool isOfFunction(StringRef Key) {
  return Key.starts_with(FunctionFact) || Key.starts_with(ResourcesFact);
}

/// What one state of a project's file holds, ready to be asked.
struct LoadedProject {
  std::string State;
  ProjectIndex Index;
  std::map<std::string, size_t> Units;

  LoadedProject(std::string State, const FilesByPath &Files) : State(std::move(State)) {
    for (const auto &[Path, Runs] : Files) {
      size_t Unit = Units.size();
      Units[Path] = Unit;
      for (const FileFacts &Facts : Runs)
        Index.add(Unit, Facts);
    }
  }
};

/// An editor asks at every keystroke: what was read is kept while the file is unchanged.
std::shared_ptr<const LoadedProject> load(const std::string &Folder, const std::string &Database) {
  static std::mutex Lock;
  static std::map<std::string, std::shared_ptr<const LoadedProject>> Loaded;
  CacheEntry Entry(Folder, projectKey(Database));
  if (!Entry.lockShared())
    return nullptr;
  const std::string Path = Entry.file(".project"), State = stateOf(Question::Made, Path);
  std::lock_guard<std::mutex> Guard(Lock);
  std::shared_ptr<const LoadedProject> &Slot = Loaded[Path];
  if (!Slot || Slot->State != State)
    Slot = std::make_shared<LoadedProject>(State, readFiles(Path));
  return Slot;
}

class SavedView : public ProjectView {
public:
  SavedView(std::shared_ptr<const LoadedProject> Project, size_t Unit)
      : Project(std::move(Project)), Unit(Unit) {}
  json ask(const std::string &Key) override {
    return Project->Index.askFor(isOfFunction(Key) ? NoUnit : Unit, Key);
  }

private:
  std::shared_ptr<const LoadedProject> Project;
  size_t Unit;
};

} // namespace

void saveProject(const std::string &Database, const std::vector<SavedFile> &Files) {
  const std::string Folder = cacheDirectory();
  if (Folder.empty())
    return;
  CacheEntry Entry(Folder, projectKey(Database));
  if (!Entry.lockExclusive())
    return;
  replaceFiles(Entry.file(".project"), Files);
  // Each of the two may be trimmed from the cache without the other.
  saveDatabaseOf(Folder, Database, Files);
}

std::vector<FileFacts> savedFactsBeside(const std::string &Database,
                                        const std::set<std::string> &Known) {
  std::vector<FileFacts> Out;
  const std::string Folder = cacheDirectory();
  CacheEntry Entry(Folder, projectKey(Database));
  if (Folder.empty() || !Entry.lockShared())
    return Out;
  for (auto &[Path, Runs] : readFiles(Entry.file(".project")))
    if (!Known.count(Path))
      append_range(Out, Runs);
  return Out;
}

std::unique_ptr<ProjectView> savedViewFor(const std::string &File, bool IsHeader) {
  const std::string Folder = cacheDirectory();
  const std::string Database = Folder.empty() ? "" : databaseOf(Folder, File, IsHeader);
  std::shared_ptr<const LoadedProject> Project =
      Database.empty() ? nullptr : load(Folder, Database);
  if (!Project)
    return nullptr;
  auto Unit = Project->Units.find(File);
  return std::make_unique<SavedView>(Project, Unit == Project->Units.end() ? NoUnit : Unit->second);
}

} // namespace tensorleak
