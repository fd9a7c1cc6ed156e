//===-- SearchedCopy.h - A search in the memory of a test -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: searches their own memory, which no copy is needed for.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_SEARCH_SEARCHEDCOPY_H
#define TENSORLEAK_RUNTIME_PROBE_SEARCH_SEARCHEDCOPY_H

#include "runtime/probe/search/Snapshot.h"

#include <memory>
#include <sys/mman.h>
#include <vector>

namespace tensorleak::probe::test {

struct Link {
  std::unique_ptr<Link> Next;
  char Room[40];
};

/// A chain of so many links; the last one is the target.
__attribute__((noinline)) inline std::unique_ptr<Link> chain(unsigned Length, uintptr_t &Target) {
  auto First = std::make_unique<Link>();
  Link *Last = First.get();
  for (unsigned I = 1; I < Length; ++I, Last = Last->Next.get())
    Last->Next = std::make_unique<Link>();
  Target = reinterpret_cast<uintptr_t>(Last);
  return First;
}

/// What a search found; the searched address itself is kept where it is not seen.
class SearchedCopy {
public:
  SearchedCopy() {
    void *Shared = mmap(nullptr, SearchReport::Bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    Report = static_cast<SearchReport *>(Shared);
    Request = new (mapPages(sizeof(Snapshot::Request))) Snapshot::Request;
  }
  ~SearchedCopy() { munmap(Report, SearchReport::Bytes); }

  /// \p Hidden is the target's address with all bits turned round.
  __attribute__((noinline)) void run(uintptr_t Hidden) {
    Request->Files = mappedFiles();
    for (MappedFile &F : Request->Files)
      if (F.IsProbe) // this program, which the probe's parts are linked into
        F = {F.Module, /*IsUser=*/true, /*IsProbe=*/false};
    Request->Frames = framesOfThisThread(Request->Files);
    setTarget(Hidden);
    auto *Nodes = new (mapPages(sizeof(NodeLog))) NodeLog;
    auto *Classes = new (mapPages(sizeof(NodeClasses))) NodeClasses;
    searchInCopy(*Request, *Classes, *Nodes, *Report);
    Report->forEach([&](const FoundPath &P, const FoundHop *) { Paths.push_back(P); });
  }

  void leaveOut(AddressRange Memory) { Request->Skip.push_back(Memory); }
  void isHandle(const void *Pointer) {
    Request->Handles.push_back(reinterpret_cast<uintptr_t>(Pointer));
  }

  const FoundPath *with(trace::RootKind Root) const {
    for (const FoundPath &P : Paths)
      if (P.Root == Root)
        return &P;
    return nullptr;
  }

  std::vector<FoundPath> Paths;
  SearchReport *Report;

private:
  /// In a frame of its own, which then is gone with the address in it.
  __attribute__((noinline)) void setTarget(uintptr_t Hidden) {
    Request->Targets.emplace_back();
    Request->Targets.back().Address = ~Hidden;
  }
  Snapshot::Request *Request;
};

/// A link whose address is only known in disguise.
__attribute__((noinline)) inline uintptr_t makeHidden() {
  return ~reinterpret_cast<uintptr_t>(new Link);
}

} // namespace tensorleak::probe::test

#endif // TENSORLEAK_RUNTIME_PROBE_SEARCH_SEARCHEDCOPY_H
