//===-- HolderSearch.h - Who keeps an object alive -------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an object up the pointers to it, breadth first, until a variable is met:
// one of a loaded file, or one in a frame of the thread that was stopped.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_HOLDERSEARCH_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_HOLDERSEARCH_H

#include "runtime/probe/search/PointerIndex.h"
#include "runtime/probe/search/SearchReport.h"
#include "runtime/probe/tables/NodeClasses.h"

namespace tensorleak::probe {

/// A frame of the stopped thread, or of another.
struct StackFrame {
  uintptr_t Pc = 0;
  uintptr_t StackPointer = 0, End = 0; ///< lowest address, and one past the highest
  bool IsUser = false;
  /// Registers that a call leaves as they were may be all that holds a variable.
  static constexpr unsigned SavedRegisters[] = {3, 6, 12, 13, 14, 15};
  uintptr_t Registers[sizeof(SavedRegisters) / sizeof(unsigned)] = {};
};

/// The thread_local variables of a file, of one thread.
struct ThreadLocalRange {
  AddressRange Memory;
  const MappedFile *File = nullptr;
};

class HolderSearch {
public:
  HolderSearch(const PointerIndex &Pointers, const NodeClasses &Classes,
               const PageVector<StackFrame> &Frames,
               const PageVector<ThreadLocalRange> &ThreadLocals, SearchReport &Report);

  /// What a library keeps behind that pointer for itself, such as what was allocated in a stream's
  /// order, the program does not keep by having the pointer.
  void leaveOutHandle(uintptr_t Handle);

  /// Adds the ways from \p Target to at most MaxRoots variables to the report, the nearest; the
  /// one to a library's if there is no other; one without a root if there is none at all.
  void search(const trace::SearchTarget &Target);

private:
  static constexpr unsigned MaxRoots = 8;
  static constexpr size_t MaxBlocks = 200000;
  /// From the first variable on it is looked among so many more blocks for others. Graphs are
  /// large: to read all of one for each target takes minutes.
  static constexpr uint32_t Farther = 4, AtLeast = 4096;

  /// A block on the way, and the pointer in it that leads down.
  struct Step {
    uintptr_t Begin, At;
    uint32_t Below; ///< the step before; NoStep for the target itself
    uint32_t Index; ///< among the blocks; NoStep for the target, which need not be one
  };
  static constexpr uint32_t NoStep = ~0u;

  /// What is known of a block, in one word: of many blocks each is looked at a few times.
  struct Known {
    uint32_t SeenBy = 0;       ///< the number of the search that met it last
    bool HasVariables = false; ///< a stack or thread_local variables lie in it
    bool IsClassified = false; ///< the next is known
    bool IsControl = false;    ///< a shared_ptr's control block
    bool IsHandle = false;     ///< a library's own object
  };

  void markVariables(uintptr_t Begin, uintptr_t End);
  ReferenceRange referencesTo(const Step &S) const;
  void visit(const Reference &R, uint32_t Below);
  bool isControl(size_t Block);
  void visitRegisters(uintptr_t Block, uint32_t Below);
  void climb(const Reference &R, size_t Block, uint32_t Below);
  void endOutside(const Reference &R, uint32_t Below);
  void foundInFrame(const StackFrame &Frame, uintptr_t At, uint32_t Below,
                    uint32_t RegisterAndOne = 0);
  void foundThreadLocal(const ThreadLocalRange &Range, uintptr_t At, uint32_t Below);
  void foundVariable(trace::RootKind Kind, uintptr_t At, uint32_t Below);
  void foundVariable(const FoundPath &Path, uint32_t Below);
  void emit(FoundPath Path, uint32_t Last);
  const StackFrame *frameAt(uintptr_t Address) const;
  const ThreadLocalRange *threadLocalsAt(uintptr_t Address) const;
  /// Below the innermost frame: left over from calls that have ended.
  bool isDeadStack(uintptr_t Address) const;

  const PointerIndex &Pointers;
  const NodeClasses &Classes;
  const PageVector<StackFrame> &Frames;
  const PageVector<ThreadLocalRange> &ThreadLocals;
  SearchReport &Report;
  trace::SearchTarget Target;
  unsigned Roots = 0;
  uint32_t StopAt = 0; ///< the search ends with this step
  bool HasFallback = false;
  FoundPath Fallback;
  uint32_t FallbackStep = NoStep;
  PageVector<Step> Steps;
  PageVector<Known> OfBlocks;
  uint32_t Number = 0;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_HOLDERSEARCH_H
