//===-- Record.cpp - The writer of a trace ---------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Record.h, and runtime/trace/Format.h for the rules of the file.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/core/Record.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace tensorleak::probe {
namespace {
constexpr size_t Chunk = 1 << 20;
constexpr size_t MaxBytes = size_t(4) << 30;
} // namespace

bool Recorder::open(const std::string &Path) {
  if (!File.create(Path))
    return false;
  if (!File.grow(trace::PreludeSize + Chunk)) {
    File.shrink(0); // an empty file says that there was no room
    return false;
  }
  Head = static_cast<trace::Prelude *>(File.map(trace::PreludeSize, 0));
  Records = static_cast<uint8_t *>(File.map(Chunk, trace::PreludeSize));
  if (!Head || !Records)
    return false;
  Capacity = Mapped = Chunk;
  Head->Version = trace::Version;
  Head->Pid = uint32_t(getpid());
  std::memcpy(Head->Magic, trace::Magic, sizeof(trace::Magic));
  return true;
}

bool Recorder::reserve(size_t Bytes) {
  if (Used + Bytes <= Capacity)
    return true;
  size_t Wanted = Capacity + (Capacity > 16 * Chunk ? Capacity / 4 : Chunk);
  Wanted = (Wanted + Bytes + Chunk - 1) & ~(Chunk - 1);
  if (Wanted > MaxBytes || !File.grow(trace::PreludeSize + Wanted))
    return false;
  void *Moved = mremap(Records, Capacity, Wanted, MREMAP_MAYMOVE);
  if (Moved == MAP_FAILED)
    return false;
  Records = static_cast<uint8_t *>(Moved);
  Capacity = Mapped = Wanted;
  return true;
}

void Recorder::append(const trace::Bytes &Bytes) {
  if (Head->Flags & trace::TraceFull)
    return;
  if (!reserve(Bytes.size()))
    return setFlag(trace::TraceFull);
  std::memcpy(Records + Used, Bytes.data(), Bytes.size());
  Used += Bytes.size();
  __atomic_store_n(&Head->Committed, Used, __ATOMIC_RELEASE);
}

void Recorder::trim() {
  std::lock_guard<std::mutex> Lock(Mutex);
  // The pages behind the end stay mapped but are not touched again: Capacity is
  // what reserve() compares with.
  if (File.shrink(trace::PreludeSize + Used))
    Capacity = Used;
}

void Recorder::close() {
  std::lock_guard<std::mutex> Lock(Mutex);
  // Totals are counted without the lock: these stay where they are, but are no file's.
  void *Instead = mmap(Head, trace::PreludeSize, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (Instead == MAP_FAILED)
    return;
  setFlag(trace::TraceFull);
  munmap(Records, Mapped);
  File.close();
}

} // namespace tensorleak::probe
