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

#include <algorithm>
#include <iterator>

namespace tensorleak::probe {

using trace::RootKind;

HolderSearch::HolderSearch(const PointerIndex &Pointers, const NodeClasses &Classes,
                           const PageVector<StackFrame> &Frames,
                           const PageVector<ThreadLocalRange> &ThreadLocals, SearchReport &Report)
    : Pointers(Pointers), Classes(Classes), Frames(Frames), ThreadLocals(ThreadLocals),
      Report(Report), SeenBy(Pointers.blocks().size() + 1) {
  Steps.reserve(MaxBlocks);
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
  constexpr uintptr_t Depth = 256 << 10;
  return !Frames.empty() && Address < Frames.front().StackPointer &&
         Address >= Frames.front().StackPointer - Depth;
}

void HolderSearch::search(const trace::SearchTarget &Wanted) {
  Target = Wanted;
  Roots = 0;
  HasFallback = false;
  Steps.clear();
  ++Number;
  Steps.push_back({uintptr_t(Wanted.Address), 0, NoStep});
  for (uint32_t I = 0; I < Steps.size() && Roots < MaxRoots; ++I) {
    visitRegisters(Steps[I].Block, I);
    for (const Reference &R : Pointers.referencesTo(Steps[I].Block))
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
  if (const StackFrame *Frame = frameAt(R.At)) {
    if (Frame->IsUser)
      foundInFrame(*Frame, R.At, Below);
  } else if (const MappedFile *File = Pointers.memory().fileAt(R.At)) {
    if (!File->IsAllocator)
      foundVariable(File->IsUser ? RootKind::Global : RootKind::Library, R.At, Below);
  } else if (const ThreadLocalRange *Range = threadLocalsAt(R.At)) {
    foundThreadLocal(*Range, R.At, Below);
  } else if (!isDeadStack(R.At)) {
    climb(R, Below);
  }
}

void HolderSearch::visitRegisters(uintptr_t Block, uint32_t Below) {
  for (const StackFrame &F : Frames)
    for (unsigned I = 0; F.IsUser && I < std::size(F.Registers); ++I)
      if (F.Registers[I] == Block && Roots < MaxRoots)
        foundInFrame(F, Block, Below, StackFrame::SavedRegisters[I] + 1);
}

void HolderSearch::climb(const Reference &R, uint32_t Below) {
  size_t Index = Pointers.blockAround(R.At);
  if (Index == Pointers.blocks().size()) {
    // A block that nobody points to holds nothing: it is lost itself, or free.
    const MemoryRange *Range = Pointers.memory().find(R.At);
    if (!Range || Range->Kind != MemoryKind::Malloc)
      foundVariable(RootKind::Unknown, R.At, Below);
    return;
  }
  if (SeenBy[Index] == Number || Steps.size() == MaxBlocks)
    return;
  SeenBy[Index] = Number;
  uintptr_t Vtable = *reinterpret_cast<const uintptr_t *>(Pointers.blocks()[Index].Begin);
  if (isControlBlock(classOfWord(Vtable, Pointers.memory().files())))
    return;
  Steps.push_back({Pointers.blocks()[Index].Begin, R.At, Below});
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
    ++Roots;
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
    uintptr_t Vtable = *reinterpret_cast<const uintptr_t *>(Steps[I].Block);
    Path.Nodes += Classes.contains(Vtable);
    uint32_t FromRoot = Path.Length - Position;
    bool Kept = Position < FoundPath::FirstHops || FromRoot <= FoundPath::LastHops;
    if (!Kept)
      continue;
    uint32_t Slot = Position < FoundPath::FirstHops ? Position : Path.Stored - FromRoot;
    bool HasClass = classOfWord(Vtable, Pointers.memory().files());
    Hops[Slot] = {HasClass ? Vtable : 0, Steps[I].At - Steps[I].Block, 0, 0};
  }
  Path.Target = Target;
  Report.add(Path, Hops);
}

} // namespace tensorleak::probe
