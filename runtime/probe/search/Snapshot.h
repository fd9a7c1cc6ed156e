//===-- Snapshot.h - A search in a copy of the process ---------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who keeps what, and which graphs refer to themselves, takes a while to find out.
// A copy of the process does it: the program stands still only while the copy is
// made, and what the copy found is taken in at a later step.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_SNAPSHOT_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_SNAPSHOT_H

#include "runtime/probe/core/Record.h"
#include "runtime/probe/search/HolderSearch.h"
#include "runtime/probe/tables/LiveTable.h"
#include "runtime/probe/tables/NodeLog.h"
#include "runtime/probe/tables/Sites.h"

#include <sys/types.h>

namespace tensorleak::probe {

class Snapshot {
public:
  Snapshot(Recorder &Trace, LiveTable &Live, SiteTable &Sites, NodeLog &Nodes, NodeClasses &Classes)
      : Trace(Trace), Live(Live), Sites(Sites), Nodes(Nodes), Classes(Classes) {}

  /// Begins a search unless one is running or nothing looks as if it piled up. What was born
  /// before generation \p Since is from before the loop. Memory has to pile up, or, where these
  /// suffice, autograd nodes.
  void take(uint32_t Tick, uint32_t Generation, uint32_t Since, bool NodesSuffice);
  /// The same of sites of which so many objects are alive and nobody has looked for a holder: what
  /// began to pile up late does so for a few generations only.
  void takeUnsearched(uint32_t Tick, uint32_t Generation, uint32_t Since, uint64_t Alive);
  /// A search was due, and there was none: the one before went on, or its copy was ended from
  /// outside. It is to be made at the next step.
  bool isOwed() const { return Owed; }
  bool goesOn() const { return Copy != 0; }
  /// Writes what a search found that has ended; \p Wait for one that has not.
  void collect(bool Wait);

  /// What the copy works on; made by the process before.
  struct Request {
    /// In pages of their own, or the search would find them.
    PageVector<trace::SearchTarget> Targets;
    std::vector<AddressRange> Skip; ///< large storages, sorted
    PageVector<uintptr_t> Handles;  ///< of CUDA's own objects
    std::vector<MappedFile> Files;
    std::vector<StackFrame> Frames;
    bool HasPython = false;
  };

private:
  /// Objects of so many generations must be alive at a site.
  static constexpr unsigned MinGenerations = 4, TargetsPerSite = 3, MaxTargets = 96;

  void chooseTargets(uint32_t Generation, uint32_t Since);
  void search(uint32_t Tick, uint32_t Generation);
  void rememberSearched();
  bool isUnsearched(uint32_t Site, uint64_t Alive) const;
  void chooseUnsearched(uint32_t Since);
  void clearRequest();
  void addKnown(const LiveObject &O);
  void sortSkipped();
  void addTarget(const LiveObject &O);
  void addSome(const LiveObject *const *First, size_t Count);
  void addTargetsOf(const LiveObject *First, const LiveObject *Last);
  bool isMadeLarger(const LiveObject &O) const;
  void addNewest(PageVector<LiveObject> &All);
  bool nodesPileUp();
  bool hasGraphs() const;
  const char *whyNot() const;
  bool copyProcess();
  void collectWithin(unsigned Milliseconds);
  bool endsWithin(unsigned Milliseconds);
  bool hasEnded();
  std::string whyUnfinished();
  void takeIn();
  void writeOutcome(const std::string &Failure);
  void writePaths();
  void writeCycles();
  trace::HolderHop nameHop(const FoundHop &Hop) const;

  Recorder &Trace;
  LiveTable &Live;
  SiteTable &Sites;
  NodeLog &Nodes;
  NodeClasses &Classes;
  Request Now;
  SearchReport *Report = nullptr;
  pid_t Copy = 0;
  int HowEnded = 0; ///< the last copy, as waitpid() has it
  bool Owed = false;
  unsigned Repeats = 0; ///< searches that were made again for a copy that was ended
  uint32_t Tick = 0, Generation = 0;
  uint64_t PauseMicroseconds = 0;
  uint64_t NodesAlive = 0;      ///< at the last look
  PageVector<uint8_t> Searched; ///< by site
};

/// Searches this process, which is a copy. Only for Snapshot, and for tests.
void searchInCopy(const Snapshot::Request &Wanted, const NodeClasses &Classes, NodeLog &Nodes,
                  SearchReport &Report);

/// The frames of this thread, the caller's first.
std::vector<StackFrame> framesOfThisThread(const std::vector<MappedFile> &Files);

/// Adds those frames of other threads in which code of the user's goes on: as far as their
/// stacks still are what they were at the last allocation. Only in a copy of the process.
void addFramesOfOtherThreads(const MemoryMap &Map, PageVector<StackFrame> &Frames);

/// Adds where this thread and the others have their thread_local variables. The others' are only
/// known of files that were loaded when the program began.
void addThreadLocals(const std::vector<MappedFile> &Files, PageVector<ThreadLocalRange> &Out);

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_SNAPSHOT_H
