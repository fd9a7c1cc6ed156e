//===-- NodeLog.cpp - Which site made which autograd node ------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NodeLog.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/tables/NodeLog.h"
#include "runtime/probe/core/PagedMemory.h"

#include <cstring>

namespace tensorleak::probe {

uint64_t NodeLog::keyOf(uint64_t TorchThread, uint64_t Number) {
  return TorchThread << 40 | Number >> NodeChunk::Bits;
}

NodeChunk *NodeLog::chunkOf(uint64_t Key, bool Create) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (auto At = Chunks.find(Key); At != Chunks.end())
    return At->second;
  if (!Create)
    return nullptr;
  NodeChunk *Chunk;
  if (Oldest.size() == MaxChunks) {
    // A thread that still uses the old chunk sees that its key changed.
    Chunk = Chunks[Oldest.front()];
    Chunks.erase(Oldest.front());
    Oldest.pop_front();
    Forgot = true;
    std::memset(Chunk->Births, 0, sizeof(Chunk->Births));
  } else {
    Chunk = static_cast<NodeChunk *>(mapPages(sizeof(NodeChunk)));
  }
  Chunk->Key = Key;
  Chunks[Key] = Chunk;
  Oldest.push_back(Key);
  return Chunk;
}

void NodeLog::made(ThreadState &Thread, uint64_t TorchThread, uint64_t Number, uint32_t SiteId,
                   uint32_t Tick) {
  uint64_t Key = keyOf(TorchThread, Number);
  if (!Thread.MadeIn || Thread.MadeIn->Key != Key)
    Thread.MadeIn = chunkOf(Key, /*Create=*/true);
  Thread.MadeIn->Births[Number % (1 << NodeChunk::Bits)] = {SiteId + 1, Tick};
}

NodeBirth *NodeLog::find(uint64_t TorchThread, uint64_t Number) {
  NodeChunk *Chunk = chunkOf(keyOf(TorchThread, Number), /*Create=*/false);
  if (!Chunk)
    return nullptr;
  NodeBirth &Birth = Chunk->Births[Number % (1 << NodeChunk::Bits)];
  return Birth.SiteAndOne ? &Birth : nullptr;
}

const NodeBirth *NodeLog::findUnlocked(uint64_t TorchThread, uint64_t Number) const {
  auto At = Chunks.find(keyOf(TorchThread, Number));
  if (At == Chunks.end())
    return nullptr;
  const NodeBirth &Birth = At->second->Births[Number % (1 << NodeChunk::Bits)];
  return Birth.SiteAndOne ? &Birth : nullptr;
}

uint32_t NodeLog::siteOfRunning(ThreadState &Thread, const NodeHead &Node) {
  bool LayoutHolds = mismatches() <= matches();
  if (!LayoutHolds || Node.SequenceNumber == Unnumbered)
    return 0;
  uint64_t Key = keyOf(Node.ThreadId, Node.SequenceNumber);
  if (!Thread.RunIn || Thread.RunIn->Key != Key)
    Thread.RunIn = chunkOf(Key, /*Create=*/false);
  return Thread.RunIn
             ? Thread.RunIn->Births[Node.SequenceNumber % (1 << NodeChunk::Bits)].SiteAndOne
             : 0;
}

const NodeBirth *NodeLog::freed(ThreadState &Thread, const NodeHead &Node) {
  if (Node.SequenceNumber == Unnumbered)
    return nullptr;
  uint64_t Key = keyOf(Node.ThreadId, Node.SequenceNumber);
  if (!Thread.FreedIn || Thread.FreedIn->Key != Key)
    Thread.FreedIn = chunkOf(Key, /*Create=*/false);
  NodeBirth *Birth = Thread.FreedIn
                         ? &Thread.FreedIn->Births[Node.SequenceNumber % (1 << NodeChunk::Bits)]
                         : nullptr;
  if (!Birth || !Birth->SiteAndOne) {
    if (!Forgot)
      bump(Mismatches);
    return nullptr;
  }
  // A number is freed once: were this another field, it would soon repeat.
  bump(Birth->freed() ? Mismatches : Matches);
  Birth->TickAndFlag |= NodeBirth::Freed;
  return Birth;
}

} // namespace tensorleak::probe
