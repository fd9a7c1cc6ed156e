//===-- HolderSearch.cpp - Who keeps an object alive ----------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HolderSearch.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/search/HolderSearch.h"
#include "runtime/probe/search/ObjectClass.h"
#include "runtime/probe/search/containers/SpareRoom.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tensorleak::probe {

using trace::RootKind;

/// Below the innermost frame, in bytes.
static constexpr uintptr_t DeadStack = 256 << 10;

HolderSearch::HolderSearch(const PointerIndex &Pointers, const NodeClasses &Classes,
                           const PageVector<StackFrame> &Frames,
                           const PageVector<ThreadLocalRange> &ThreadLocals, SearchReport &Report)
    : Pointers(Pointers), Classes(Classes), Frames(Frames), ThreadLocals(ThreadLocals),
      Report(Report), OfBlocks(Pointers.blocks().size()) {
  Steps.reserve(MaxBlocks);
  for (const StackFrame &F : Frames)
    markVariables(F.StackPointer, F.End);
  for (const ThreadLocalRange &R : ThreadLocals)
    markVariables(R.Memory.Begin, R.Memory.End);
  if (!Frames.empty())
    markVariables(Frames.front().StackPointer - DeadStack, Frames.front().StackPointer);
}

/// A fiber's stack may have been taken from malloc, as a library's thread_local variables are.
void HolderSearch::markVariables(uintptr_t Begin, uintptr_t End) {
  const PageVector<Block> &Blocks = Pointers.blocks();
  auto Touches = std::partition_point(Blocks.begin(), Blocks.end(),
                                      [&](const Block &B) { return B.End <= Begin; });
  for (; Touches != Blocks.end() && Touches->Begin < End; ++Touches)
    OfBlocks[size_t(Touches - Blocks.begin())].HasVariables = true;
}

void HolderSearch::leaveOutHandle(uintptr_t Handle) {
  if (size_t Block = Pointers.blockAround(Handle); Block != Pointers.blocks().size())
    OfBlocks[Block].IsHandle = true;
}

const StackFrame *HolderSearch::frameAt(uintptr_t Address) const {
  for (const StackFrame &F : Frames)
    if (Address >= F.StackPointer && Address < F.End)
      return &F;
  return nullptr;
}

const ThreadLocalRange *HolderSearch::threadLocalsAt(uintptr_t Address) const {
  for (const ThreadLocalRange &R : ThreadLocals)
    if (Address >= R.Memory.Begin && Address < R.Memory.End)
      return &R;
  return nullptr;
}

bool HolderSearch::isDeadStack(uintptr_t Address) const {
  return !Frames.empty() && Address < Frames.front().StackPointer &&
         Address >= Frames.front().StackPointer - DeadStack;
}

ReferenceRange HolderSearch::referencesTo(const Step &S) const {
  return S.Index == NoStep ? Pointers.referencesTo(S.Begin)
                           : Pointers.referencesTo(Pointers.blocks()[S.Index]);
}

void HolderSearch::search(const trace::SearchTarget &Wanted) {
  Target = Wanted;
  Roots = 0;
  HasFallback = false;
  Steps.clear();
  ++Number;
  Steps.push_back({uintptr_t(Wanted.Address), 0, NoStep, NoStep});
  StopAt = MaxBlocks;
  for (uint32_t I = 0; I < Steps.size() && I < StopAt && Roots < MaxRoots; ++I) {
    visitRegisters(Steps[I].Begin, I);
    for (const Reference &R : referencesTo(Steps[I]))
      if (Roots < MaxRoots)
        visit(R, I);
  }
  Report.Partial |= Steps.size() == MaxBlocks;
  if (Roots)
    return;
  if (HasFallback)
    return emit(Fallback, FallbackStep);
  emit(FoundPath(), uint32_t(Steps.size() - 1));
}

/// References in LibTorch's frames belong to a call that is about to end.
void HolderSearch::visit(const Reference &R, uint32_t Below) {
  const size_t Block = Pointers.blockAround(R), None = Pointers.blocks().size();
  if (Block != None && !OfBlocks[Block].HasVariables)
    return climb(R, Block, Below);
  if (const StackFrame *Frame = frameAt(R.At)) {
    if (Frame->IsUser)
      foundInFrame(*Frame, R.At, Below);
  } else if (const MappedFile *File = Pointers.memory().fileAt(R.At)) {
    if (!File->IsAllocator)
      foundVariable(File->IsUser ? RootKind::Global : RootKind::Library, R.At, Below);
  } else if (const ThreadLocalRange *Range = threadLocalsAt(R.At)) {
    foundThreadLocal(*Range, R.At, Below);
  } else if (!isDeadStack(R.At)) {
    Block == None ? endOutside(R, Below) : climb(R, Block, Below);
  }
}

void HolderSearch::visitRegisters(uintptr_t Block, uint32_t Below) {
  for (const StackFrame &F : Frames)
    for (unsigned I = 0; F.IsUser && I < std::size(F.Registers); ++I)
      if (F.Registers[I] == Block && Roots < MaxRoots)
        foundInFrame(F, Block, Below, StackFrame::SavedRegisters[I] + 1);
}

/// A block that nobody points to holds nothing: it is lost itself, or free.
void HolderSearch::endOutside(const Reference &R, uint32_t Below) {
  const MemoryRange *Range = Pointers.memory().find(R.At);
  if (!Range || Range->Kind != MemoryKind::Malloc)
    foundVariable(RootKind::Unknown, R.At, Below);
}

bool HolderSearch::isControl(size_t Block) {
  Known &K = OfBlocks[Block];
  if (!std::exchange(K.IsClassified, true)) {
    uintptr_t Vtable = *reinterpret_cast<const uintptr_t *>(Pointers.blocks()[Block].Begin);
    K.IsControl = isControlBlock(classOfWord(Vtable, Pointers.memory().files()));
  }
  return K.IsControl;
}

void HolderSearch::climb(const Reference &R, size_t Block, uint32_t Below) {
  const struct Block &B = Pointers.blocks()[Block];
  if (Steps.size() >= MaxBlocks || OfBlocks[Block].SeenBy == Number || OfBlocks[Block].IsHandle ||
      isSpareRoom(Pointers, B, R.At))
    return;
  OfBlocks[Block].SeenBy = Number;
  if (!isControl(Block))
    Steps.push_back({B.Begin, R.At, Below, uint32_t(Block)});
}

void HolderSearch::foundInFrame(const StackFrame &Frame, uintptr_t At, uint32_t Below,
                                uint32_t RegisterAndOne) {
  FoundPath Path;
  Path.Root = RootKind::Stack;
  Path.RootAddress = At;
  Path.RegisterAndOne = RegisterAndOne;
  Path.Pc = Frame.Pc;
  Path.FromFrameEnd = int64_t(At) - int64_t(Frame.End);
  Path.FromStackPointer = int64_t(At) - int64_t(Frame.StackPointer);
  foundVariable(Path, Below);
}

/// The probe's own say nothing: it notes there what an operator has made. Nor does malloc's cache.
void HolderSearch::foundThreadLocal(const ThreadLocalRange &Range, uintptr_t At, uint32_t Below) {
  if (Range.File->IsProbe || Range.File->IsAllocator)
    return;
  FoundPath Path;
  Path.Root = Range.File->IsUser ? RootKind::ThreadLocal : RootKind::Library;
  Path.RootAddress = At - Range.Memory.Begin;
  Path.Pc = Range.File->Module.low();
  foundVariable(Path, Below);
}

void HolderSearch::foundVariable(RootKind Kind, uintptr_t At, uint32_t Below) {
  FoundPath Path;
  Path.Root = Kind;
  Path.RootAddress = At;
  foundVariable(Path, Below);
}

/// What may be the user's is reported at once; what is not, only if there is nothing else.
void HolderSearch::foundVariable(const FoundPath &Path, uint32_t Below) {
  RootKind Kind = Path.Root;
  if (Kind != RootKind::Library && Kind != RootKind::Unknown) {
    if (++Roots == 1)
      StopAt = Farther * Below + AtLeast;
    return emit(Path, Below);
  }
  if (HasFallback && !(Kind == RootKind::Library && Fallback.Root == RootKind::Unknown))
    return;
  HasFallback = true;
  Fallback = Path;
  FallbackStep = Below;
}

/// From the root down to the target the steps are chained; the path is reported the
/// other way round.
void HolderSearch::emit(FoundPath Path, uint32_t Last) {
  for (uint32_t I = Last; Steps[I].Below != NoStep; I = Steps[I].Below)
    ++Path.Length;
  FoundHop Hops[FoundPath::MaxHops];
  uint32_t Position = Path.Length;
  Path.Stored = std::min(Path.Length, FoundPath::MaxHops);
  for (uint32_t I = Last; Steps[I].Below != NoStep; I = Steps[I].Below) {
    --Position;
    uintptr_t Vtable = *reinterpret_cast<const uintptr_t *>(Steps[I].Begin);
    Path.Nodes += Classes.contains(Vtable);
    uint32_t FromRoot = Path.Length - Position;
    bool Kept = Position < FoundPath::FirstHops || FromRoot <= FoundPath::LastHops;
    if (!Kept)
      continue;
    uint32_t Slot = Position < FoundPath::FirstHops ? Position : Path.Stored - FromRoot;
    bool HasClass = classOfWord(Vtable, Pointers.memory().files());
    Hops[Slot] = {HasClass ? Vtable : 0, Steps[I].At - Steps[I].Begin, 0, 0};
  }
  Path.Target = Target;
  Report.add(Path, Hops);
}

} // namespace tensorleak::probe
