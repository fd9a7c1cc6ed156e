//===-- Progress.cpp ------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "live/Progress.h"
#include "live/QuietThread.h"
#include "live/StatusArea.h"
#include "runtime/report/LiveReport.h"

#include <algorithm>
#include <chrono>
#include <memory>

namespace tensorleak {
namespace {

using Clock = std::chrono::steady_clock;

/// One trace, followed.
class Watched {
public:
  explicit Watched(const std::string &Path) : Trace(Path) {}

  /// False if there is nothing to be said.
  bool update() {
    if (!Trace.update() || Trace.now().LiveMemory.empty())
      return false;
    updateNumbers(Trace.now(), State);
    if (Clock::now() >= NextLook)
      lookAtPlaces();
    return true;
  }
  const LiveState &state() const { return State; }

private:
  /// Takes at most a twentieth of the time of one processor.
  void lookAtPlaces() {
    constexpr int Share = 20;
    auto Begin = Clock::now();
    if (!Symbols || Trace.now().Modules.size() != Modules) {
      Modules = Trace.now().Modules.size();
      Symbols = std::make_unique<Symbolizer>(Trace.now(), Files);
    }
    updatePlaces(Trace.now(), *Symbols, State);
    NextLook = Clock::now() + Share * (Clock::now() - Begin);
  }

  FollowedRecording Trace;
  DebugFiles Files;
  std::unique_ptr<Symbolizer> Symbols;
  size_t Modules = 0;
  LiveState State;
  Clock::time_point NextLook;
};

std::vector<std::string> linesOf(const LiveState &State, bool AsTable) {
  constexpr size_t MaxLines = 16;
  if (!AsTable)
    return {progressLine(State)};
  size_t Lines = std::min(MaxLines, StatusArea::room());
  std::vector<std::string> Table = liveTable(State, Lines);
  Table.resize(Lines); // so that the program's lines do not move with each place
  return Table;
}

} // namespace

Progress::Progress(TraceToShow Trace, bool AsTable) : Trace(std::move(Trace)), AsTable(AsTable) {
  if (!StatusArea::isPossible())
    return;
  Thread = quietThread([this] { run(); });
}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    Ended = true;
  }
  End.notify_all();
  if (Thread.joinable())
    Thread.join();
}

bool Progress::sleep() {
  std::unique_lock<std::mutex> Lock(Mutex);
  return !End.wait_for(Lock, std::chrono::seconds(1), [this] { return Ended; });
}

void Progress::run() {
  StatusArea Area;
  std::string Path;
  std::unique_ptr<Watched> Now;
  while (sleep()) {
    // What is shown is no reason to end a run.
    try {
      if (std::string Busiest = Trace(); Busiest != Path || !Now) {
        Path = Busiest;
        Now = Path.empty() ? nullptr : std::make_unique<Watched>(Path);
      }
      if (Now && Now->update())
        Area.show(linesOf(Now->state(), AsTable));
    } catch (const std::exception &) {
      return;
    }
  }
}

} // namespace tensorleak
