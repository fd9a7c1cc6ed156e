//===-- MemoryMap.h - The writable memory of this process ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory may hold pointers, and whose it is. Read in a copy of the process,
// where no lock may be taken: it neither calls malloc nor asks the loader.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_CORE_MEMORYMAP_H
#define TENSORLEAK_RUNTIME_PROBE_CORE_MEMORYMAP_H

#include "runtime/probe/core/Modules.h"
#include "runtime/probe/core/PagedMemory.h"

namespace tensorleak::probe {

enum class MemoryKind : uint8_t {
  Heap,   ///< anonymous: mappings, arenas and stacks of other threads
  Malloc, ///< the heap proper: nothing but malloc's blocks
  Data,   ///< variables of a loaded file
};

struct MemoryRange {
  uintptr_t Begin = 0, End = 0;
  MemoryKind Kind = MemoryKind::Heap;
  /// Where the mapping ends that it is a part of: behind End lies what is left out.
  uintptr_t MappingEnd = 0;
};

/// A loaded file, judged before the copy was made.
struct MappedFile {
  LoadedModule Module;
  bool IsUser = false;  ///< neither the system's nor LibTorch's, nor the probe
  bool IsProbe = false; ///< its variables are not looked at
  /// It defines malloc, and its variables lead to blocks that are free.
  bool IsAllocator = false;
};
/// Of this process, in the order of their addresses. Takes locks.
std::vector<MappedFile> mappedFiles();

/// The one that \p Address lies in, or null. \p Files are in the order of their addresses.
const MappedFile *fileAt(const std::vector<MappedFile> &Files, uintptr_t Address);

class MemoryMap {
public:
  /// \p Skip (sorted) and the probe's own memory are left out.
  MemoryMap(const std::vector<MappedFile> &Files, const std::vector<AddressRange> &Skip);

  /// Sorted, without overlaps.
  const PageVector<MemoryRange> &ranges() const { return Ranges; }
  /// The anonymous mappings with all that is in them, in the order of their addresses.
  const PageVector<MemoryRange> &mappings() const { return Mappings; }
  /// The range that \p Address lies in, or null.
  const MemoryRange *find(uintptr_t Address) const;
  /// The loaded file that \p Address lies in, or null.
  const MappedFile *fileAt(uintptr_t Address) const { return probe::fileAt(Files, Address); }
  const std::vector<MappedFile> &files() const { return Files; }

private:
  void readLines();
  void addLine(const char *Line);
  void addMapping(AddressRange Whole, bool IsFile, MemoryKind Kind);
  uintptr_t nextFile(AddressRange Whole) const;
  void addWithoutHoles(MemoryRange Range);

  const std::vector<MappedFile> &Files;
  PageVector<AddressRange> Holes; ///< sorted
  PageVector<MemoryRange> Ranges, Mappings;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_CORE_MEMORYMAP_H
