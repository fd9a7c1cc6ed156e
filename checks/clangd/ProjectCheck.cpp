//===-- ProjectCheck.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/clangd/ProjectCheck.h"

#include "checks/frontend/cache/FileStates.h"
#include "checks/frontend/commands/CompileCommands.h"
#include <chrono>
#include <csignal>
#include <sys/resource.h>

using namespace llvm;

namespace tensorleak {
namespace {

/// How often it is looked whether a file was saved.
constexpr unsigned PollMilliseconds = 1000;
/// How often it is looked whether a check has ended.
constexpr unsigned WaitMilliseconds = 50;

/// Of this thread, and of the programs that it starts.
void stepBehindOthers() {
  constexpr int Nice = 10;
  setpriority(PRIO_PROCESS, 0, Nice);
}

sys::ProcessInfo start(const std::string &Tool, const std::string &Database) {
  const StringRef Arguments[] = {Tool,      "check",        "-p",   Database,   "-j",  "1",
                                 "--quiet", "--fail-level", "none", "--format", "json"};
  const std::optional<StringRef> Nothing[] = {StringRef(), StringRef(), StringRef()};
  return sys::ExecuteNoWait(Tool, Arguments, /*Env=*/std::nullopt, Nothing);
}

bool hasEnded(const sys::ProcessInfo &Child) {
  return sys::Wait(Child, /*SecondsToWait=*/0).Pid != 0;
}

void end(const sys::ProcessInfo &Child) {
  kill(Child.Pid, SIGKILL); // the cache is safe under crashes
  sys::Wait(Child, /*SecondsToWait=*/std::nullopt);
}

} // namespace

ProjectCheck::ProjectCheck(std::string Tool, std::string Database)
    : Tool(std::move(Tool)), Database(std::move(Database)), Worker([this] { work(); }) {}

ProjectCheck::~ProjectCheck() {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Stops = true;
  }
  Changed.notify_all();
  Worker.join();
}

void ProjectCheck::opened(StringRef File) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto [It, New] = Files.try_emplace(File.str());
  if (!New)
    return;
  It->second.Database = Database.empty() ? nearestDatabase(File) : Database;
  Changed.notify_all();
}

bool ProjectCheck::stops(unsigned Milliseconds) {
  std::unique_lock<std::mutex> Guard(Lock);
  Changed.wait_for(Guard, std::chrono::milliseconds(Milliseconds));
  return Stops;
}

/// The projects of which an open file is not as it was.
std::set<std::string> ProjectCheck::due() {
  std::set<std::string> Out;
  std::lock_guard<std::mutex> Guard(Lock);
  for (auto &[Path, File] : Files) {
    std::string State = File.Database.empty() ? "" : stateOf(Question::Made, Path);
    if (State != File.State)
      Out.insert(File.Database);
    File.State = std::move(State);
  }
  return Out;
}

void ProjectCheck::check(const std::string &Which) {
  sys::ProcessInfo Child = start(Tool, Which);
  if (Child.Pid == sys::ProcessInfo::InvalidPid)
    return;
  while (!hasEnded(Child))
    if (stops(WaitMilliseconds))
      return end(Child);
}

void ProjectCheck::work() {
  stepBehindOthers();
  while (!stops(PollMilliseconds))
    for (const std::string &Which : due())
      check(Which);
}

} // namespace tensorleak
