//===-- GraphCycles.cpp - Autograd graphs that refer to themselves --------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GraphCycles.h. Which pointers do not own: those of a node to itself, of a
// shared_ptr's control block to its object, and of a leaf tensor's metadata to its
// AccumulateGrad.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/GraphCycles.h"
#include "runtime/probe/search/ObjectClass.h"

#include <algorithm>
#include <cstring>

namespace tensorleak::probe {
namespace {

const NodeHead &headAt(uintptr_t Address) { return *reinterpret_cast<const NodeHead *>(Address); }

constexpr const char *AccumulateGrad = "N5torch8autograd14AccumulateGradE";
constexpr const char *AutogradMeta = "N5torch8autograd12AutogradMetaE";
constexpr const char *ViewMeta = "N5torch8autograd22DifferentiableViewMetaE";

} // namespace

GraphCycles::GraphCycles(const PointerIndex &Pointers, const NodeClasses &Classes, NodeLog &Nodes,
                         SearchReport &Report)
    : Pointers(Pointers), Classes(Classes), Log(Nodes), Report(Report) {
  size_t Blocks = Pointers.blocks().size() + 1;
  Order.resize(Blocks, NotYet);
  Low.resize(Blocks);
  Component.resize(Blocks, NotYet);
  Roles.resize(Blocks);
  RoleKnown.resize(Blocks);
  findNodes();
}

/// A node holds its own address (its weak pointer to itself), so stale copies do not count.
bool GraphCycles::isNode(uint32_t Block) const {
  const probe::Block &B = Pointers.blocks()[Block];
  if (B.End - B.Begin < sizeof(NodeHead))
    return false;
  const NodeHead &Head = headAt(B.Begin);
  if (Head.Self != B.Begin)
    return false;
  return Classes.contains(Head.Vtable) ||
         isCustomNode(classOfWord(Head.Vtable, Pointers.memory().files()));
}

const NodeBirth *GraphCycles::birthOf(uint32_t Block) const {
  const NodeHead &Head = headAt(Pointers.blocks()[Block].Begin);
  return Head.SequenceNumber == NodeLog::Unnumbered
             ? nullptr
             : Log.findUnlocked(Head.ThreadId, Head.SequenceNumber);
}

void GraphCycles::findNodes() {
  for (uint32_t I = 0; I < Pointers.blocks().size(); ++I) {
    if (!isNode(I))
      continue;
    const NodeBirth *Birth = birthOf(I);
    if (!Birth || !Birth->freed())
      LiveNodes.push_back(I);
  }
  Report.LiveNodes = LiveNodes.size();
}

GraphCycles::Role GraphCycles::roleOf(uint32_t Block) {
  if (RoleKnown[Block])
    return Roles[Block];
  RoleKnown[Block] = 1;
  const char *Class =
      classOfWord(wordAt(Pointers.blocks()[Block].Begin), Pointers.memory().files());
  Role R = Role::Plain;
  if (isControlBlock(Class))
    R = Role::ControlBlock;
  else if (Class && (!std::strcmp(Class, AutogradMeta) || !std::strcmp(Class, ViewMeta)))
    R = Role::AutogradMeta;
  else if (Class && std::strstr(Class, "TensorImplE"))
    R = Role::Tensor;
  else if (isNode(Block))
    R = Role::Node;
  return Roles[Block] = R;
}

uint64_t GraphCycles::wordsOf(uint32_t Block) const {
  const probe::Block &B = Pointers.blocks()[Block];
  uint64_t Words = (B.End - B.Begin) / sizeof(uintptr_t);
  return Words > MaxWords ? 0 : Words;
}

/// A list of edges: {node, its control block, number}, ...
bool GraphCycles::isEdgeList(uint32_t Block) {
  const uint32_t None = uint32_t(Pointers.blocks().size());
  uintptr_t Begin = Pointers.blocks()[Block].Begin;
  if (wordsOf(Block) < 3)
    return false;
  size_t Node = Pointers.blockAround(wordAt(Begin));
  size_t Control = Pointers.blockAt(wordAt(Begin + sizeof(uintptr_t)));
  bool IsNode = Node != None && (roleOf(uint32_t(Node)) == Role::Node || Node == Control);
  return IsNode && Control != None;
}

/// A std::vector: where its elements begin, end, and where its room ends.
bool GraphCycles::isVectorAt(uint32_t Block, uint64_t Word, uint32_t Elements) const {
  if (Word + 2 >= wordsOf(Block))
    return false;
  uintptr_t At = Pointers.blocks()[Block].Begin + Word * sizeof(uintptr_t);
  uintptr_t End = wordAt(At + sizeof(uintptr_t)), Room = wordAt(At + 2 * sizeof(uintptr_t));
  const probe::Block &Of = Pointers.blocks()[Elements];
  return Of.Begin < End && End <= Room && Room <= Of.End;
}

/// Members that were never set hold what was there before, so a pointer must also look
/// like the owner that it would be: nodes are shared (the control block follows),
/// metadata belongs to tensors, and lists of edges are vectors.
bool GraphCycles::mayOwn(uint32_t From, uint64_t Word, uint32_t To) {
  Role Owner = roleOf(From), Owned = roleOf(To);
  if (Owned == Role::AutogradMeta)
    return Owner == Role::Tensor;
  if (Owned == Role::Plain && Owner == Role::Node && isEdgeList(To))
    return isVectorAt(From, Word, To);
  if (Owned != Role::Node)
    return true;
  if (Owner == Role::AutogradMeta && isAccumulateGrad(To))
    return false;
  uint64_t Next = Word + 1;
  uintptr_t Begin = Pointers.blocks()[From].Begin;
  size_t Control = Next < wordsOf(From) ? Pointers.blockAt(wordAt(Begin + Next * sizeof(uintptr_t)))
                                        : Pointers.blocks().size();
  return Control != Pointers.blocks().size() && roleOf(uint32_t(Control)) == Role::ControlBlock;
}

bool GraphCycles::isAccumulateGrad(uint32_t Block) const {
  const char *Class =
      classOfWord(wordAt(Pointers.blocks()[Block].Begin), Pointers.memory().files());
  return Class && !std::strcmp(Class, AccumulateGrad);
}

uint32_t GraphCycles::ownedBy(uint32_t Block, uint64_t Word) {
  const uint32_t None = uint32_t(Pointers.blocks().size());
  if (roleOf(Block) == Role::ControlBlock)
    return None;
  uintptr_t Begin = Pointers.blocks()[Block].Begin;
  uint32_t To = uint32_t(Pointers.blockAt(wordAt(Begin + Word * sizeof(uintptr_t))));
  return To == None || To == Block || !mayOwn(Block, Word, To) ? None : To;
}

void GraphCycles::enter(uint32_t Block) {
  Order[Block] = Low[Block] = Counter++;
  Stack.push_back(Block);
  Open.push_back({Block, 0});
}

/// Tarjan's algorithm with a stack of its own: graphs are thousands of nodes deep.
void GraphCycles::connect(uint32_t Root) {
  const uint32_t None = uint32_t(Pointers.blocks().size());
  enter(Root);
  while (!Open.empty()) {
    Visit &At = Open.back();
    uint32_t Block = At.Block;
    if (At.NextWord == wordsOf(Block)) {
      Open.pop_back();
      leave(Block);
      continue;
    }
    uint32_t To = ownedBy(Block, At.NextWord++);
    if (To == None)
      continue;
    if (Order[To] == NotYet)
      enter(To);
    else if (Component[To] == NotYet)
      Low[Block] = std::min(Low[Block], Order[To]);
  }
}

void GraphCycles::leave(uint32_t Block) {
  if (!Open.empty())
    Low[Open.back().Block] = std::min(Low[Open.back().Block], Low[Block]);
  if (Low[Block] == Order[Block])
    takeComponent(Block);
}

/// Ticks are the same in every run; so are the numbers that LibTorch gives the nodes of a
/// thread.
bool GraphCycles::Start::isYoungerThan(const Start &Other) const {
  if (Tick != Other.Tick)
    return Tick > Other.Tick;
  return Thread != Other.Thread ? Thread < Other.Thread : Number > Other.Number;
}

void GraphCycles::Example::consider(const Start &S) {
  uint32_t At = Count;
  for (; At && S.isYoungerThan(Starts[At - 1]); --At)
    if (At < Max)
      Starts[At] = Starts[At - 1];
  if (At < Max)
    Starts[At] = S;
  Count = std::min(Count + 1, uint32_t(Max));
}

/// The young nodes are the best examples: old ones have the longest way to go round.
GraphCycles::Example GraphCycles::exampleOf(const uint32_t *First, const uint32_t *End) {
  Example Out;
  PageVector<uint32_t> Ticks;
  for (const uint32_t *At = First; At != End; ++At) {
    const NodeBirth *Birth = roleOf(*At) == Role::Node ? birthOf(*At) : nullptr;
    if (!Birth)
      continue;
    const NodeHead &Head = headAt(Pointers.blocks()[*At].Begin);
    Out.consider({*At, Birth->site(), Birth->tick(), Head.ThreadId, Head.SequenceNumber});
    Ticks.push_back(Birth->tick());
  }
  std::sort(Ticks.begin(), Ticks.end());
  Out.Ticks = uint32_t(std::unique(Ticks.begin(), Ticks.end()) - Ticks.begin());
  return Out;
}

void GraphCycles::takeComponent(uint32_t Root) {
  auto First = std::find(Stack.rbegin(), Stack.rend(), Root).base() - 1;
  bool IsCycle = Stack.end() - First > 1;
  for (auto At = First; At != Stack.end(); ++At) {
    Component[*At] = Components;
    if (IsCycle && roleOf(*At) == Role::Node)
      countNode(*At);
  }
  if (IsCycle)
    if (Example Found = exampleOf(&*First, &*First + (Stack.end() - First)); Found.Count)
      Examples.push_back(Found);
  ++Components;
  Stack.erase(First, Stack.end());
}

void GraphCycles::countNode(uint32_t Block) {
  ++Report.CycleNodes;
  if (const NodeBirth *Birth = birthOf(Block))
    Cyclic.push_back(uint64_t(Birth->site()) << 32 | Birth->tick());
}

void GraphCycles::writeCounts() {
  std::sort(Cyclic.begin(), Cyclic.end());
  FoundCycleNodes *Now = nullptr;
  for (uint64_t Entry : Cyclic) {
    uint32_t Site = uint32_t(Entry >> 32), Tick = uint32_t(Entry);
    if (!Now || Now->SiteId != Site) {
      if (Report.CycleSites == SearchReport::MaxCycleSites)
        return;
      Now = &Report.CyclesBySite[Report.CycleSites++];
      *Now = {Site, 0, 0, Tick, Tick};
    }
    ++Now->Nodes;
    Now->Ticks += Now->Ticks == 0 || Now->LastTick != Tick;
    Now->LastTick = Tick;
  }
}

void GraphCycles::search() {
  for (uint32_t Node : LiveNodes)
    if (Order[Node] == NotYet)
      connect(Node);
  Report.CyclesSearched = true;
  writeCounts();
  for (auto *PerBlock : {&Parent, &ParentWord, &Distance, &SeenBy})
    PerBlock->resize(2 * (Pointers.blocks().size() + 1));
  addSamples();
}

/// A few of each place, so that a rare cycle is reported beside a frequent one.
void GraphCycles::addSamples() {
  std::sort(Examples.begin(), Examples.end(), [](const Example &A, const Example &B) {
    return A.site() != B.site() ? A.site() < B.site() : A.Starts[0].isYoungerThan(B.Starts[0]);
  });
  unsigned Taken = 0;
  for (const Example *At = Examples.data(), *End = At + Examples.size(); At != End;) {
    const Example *Next =
        std::find_if(At, End, [&](const Example &E) { return E.site() != At->site(); });
    uint32_t Ticks = 0;
    for (const Example *E = At; E != Next; ++E)
      Ticks += E->Ticks;
    for (unsigned I = 0; I < SamplesPerSite && At + I < Next && Taken < MaxSamples; ++I, ++Taken)
      addSample(At[I], Ticks);
    At = Next;
  }
}

/// Nodes alone close no cycle: one that passes no tensor is made of members that were
/// never set. So each block counts twice, before the way has met a tensor and after.
uint32_t GraphCycles::closeCycle(uint32_t Node, uint32_t Limit) {
  const uint32_t None = uint32_t(Pointers.blocks().size());
  ++Ways;
  Distance[before(Node)] = 0;
  SeenBy[before(Node)] = Ways;
  PageVector<uint32_t> Queue;
  Queue.push_back(before(Node));
  for (size_t I = 0; I < Queue.size() && Distance[Queue[I]] + 1 < Limit; ++I)
    for (uint64_t Word = 0, End = wordsOf(Queue[I] / 2); Word < End; ++Word) {
      uint32_t From = Queue[I], To = ownedBy(From / 2, Word);
      if (To == None || Component[To] != Component[Node])
        continue;
      uint32_t Next =
          From == after(From / 2) || roleOf(To) == Role::Tensor ? after(To) : before(To);
      if (SeenBy[Next] == Ways)
        continue;
      SeenBy[Next] = Ways;
      Parent[Next] = From;
      ParentWord[Next] = uint32_t(Word);
      if (Next == after(Node))
        return Distance[From] + 1;
      Distance[Next] = Distance[From] + 1;
      Queue.push_back(Next);
    }
  return 0;
}

void GraphCycles::addSample(const Example &Of, uint32_t Ticks) {
  uint32_t Shortest = NotYet, From = NotYet;
  for (uint32_t I = 0; I < Of.Count; ++I)
    if (uint32_t Length = closeCycle(Of.Starts[I].Block, Shortest)) {
      Shortest = Length;
      From = Of.Starts[I].Block;
    }
  if (From != NotYet && closeCycle(From, NotYet))
    report(From, Ticks);
}

/// Parent has the way from \p Node back to it.
void GraphCycles::report(uint32_t Node, uint32_t Ticks) {
  FoundPath Path;
  Path.Kind = FoundPath::Cycle;
  Path.Ticks = Ticks;
  FoundHop Hops[FoundPath::MaxHops];
  uint32_t Below = after(Node);
  do {
    uint32_t Holder = Parent[Below] / 2;
    uintptr_t Vtable = wordAt(Pointers.blocks()[Holder].Begin);
    bool HasClass = classOfWord(Vtable, Pointers.memory().files());
    const NodeBirth *Birth = roleOf(Holder) == Role::Node ? birthOf(Holder) : nullptr;
    if (Path.Stored < FoundPath::MaxHops)
      Hops[Path.Stored++] = {HasClass ? Vtable : 0, ParentWord[Below] * sizeof(uintptr_t),
                             Birth ? Birth->site() + 1 : 0, Birth ? Birth->tick() : 0};
    ++Path.Length;
    Path.Nodes += roleOf(Holder) == Role::Node;
    Below = Parent[Below];
  } while (Below != before(Node));
  Report.add(Path, Hops);
}

} // namespace tensorleak::probe
