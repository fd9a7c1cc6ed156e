//===-- Records.h - The records of a trace --------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One struct per record kind of Format.h. New fields go at the end of a struct's
// list. "Tick", "generation" and "sequence" are explained in Format.h; a sequence
// value is the number of allocations so far.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_RECORDS_H
#define TENSORLEAK_RUNTIME_TRACE_RECORDS_H

#include "runtime/trace/MemoryRecords.h"
#include "runtime/trace/ProgramRecords.h"
#include "runtime/trace/SettingNames.h"

#include <string>
#include <vector>

namespace tensorleak::trace {

/// The process that wrote the trace. First record.
struct Process {
  static constexpr RecordKind Kind = RecordKind::Process;
  uint64_t Pid = 0, ParentPid = 0;
  std::string Executable, WorkingDirectory;
  std::vector<std::string> Arguments;
  uint64_t StartTime = 0; ///< seconds since the epoch
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Pid, Self.ParentPid, Self.Executable, Self.WorkingDirectory, Self.Arguments,
            Self.StartTime);
  }
};

/// A loaded file. Link-time address = run-time address - Base.
struct Module {
  static constexpr RecordKind Kind = RecordKind::Module;
  uint64_t Base = 0, Low = 0, High = 0; ///< High is excluded
  std::string Path;
  std::string BuildId; ///< raw bytes, "" if it has none
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Base, Self.Low, Self.High, Self.Path, Self.BuildId);
  }
};

/// Return addresses, innermost first. The probe's own frames are left out.
struct Stack {
  static constexpr RecordKind Kind = RecordKind::Stack;
  uint64_t Id = 0;
  std::vector<uint64_t> Frames;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Id, Self.Frames);
  }
};

/// The name of an operator, "" (id 0, never written) outside operators.
struct OpName {
  static constexpr RecordKind Kind = RecordKind::OpName;
  uint64_t Id = 0;
  std::string Name;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Id, Self.Name);
  }
};

/// Site::DeviceType, beyond c10::DeviceType's: what the program asked CUDA for by itself.
enum class CudaObject : uint8_t {
#define CUDA_MEMORY(Name, Number) Name = Number,
#define CUDA_THING(Name, Number, KnownBy, One, Several) Name = Number,
#include "runtime/trace/CudaObjects.def"
};
constexpr uint8_t ProgramHeap = 199; ///< the same, of what its own code took from malloc or new
/// Of what anybody took from malloc or new, blocks that chance chose: each is written with the
/// bytes that it stands for.
constexpr uint8_t SampledHeap = 198;

/// Such a block is no allocation that others are counted by. Its number has the sequence value of
/// the moment, and one of its own.
struct SampleNumber {
  static constexpr unsigned OwnBits = 23;
  static constexpr uint64_t Mark = uint64_t(1) << 63;
  static constexpr uint64_t of(uint64_t Sequence, uint64_t Nth) {
    return Mark | (Sequence << OwnBits & ~Mark) | (Nth & ((uint64_t(1) << OwnBits) - 1));
  }
  static constexpr bool is(uint64_t Object) { return Object & Mark; }
  static constexpr uint64_t sequence(uint64_t Object) { return (Object & ~Mark) >> OwnBits; }
};

/// A place that allocates or makes autograd nodes: stack, outermost operator, device.
struct Site {
  static constexpr RecordKind Kind = RecordKind::Site;
  uint64_t Id = 0, StackId = 0, OpId = 0;
  bool InBackward = false;
  uint8_t DeviceType = 0;  ///< c10::DeviceType (0 CPU, 1 CUDA), or one of those above
  int8_t DeviceIndex = 0;  ///< -1 for the CPU
  bool MakesNodes = false; ///< a site of autograd nodes, not of memory
  /// In a backward pass: the site, and one, that made the node which was running; 0 if
  /// that is not known.
  uint64_t ForwardAndOne = 0;
  bool InOptimizer = false; ///< within step() of an optimizer
  /// A second stack, of the Python functions around the first; 0 if there is none.
  uint64_t PythonStackId = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Id, Self.StackId, Self.OpId, Self.InBackward, Self.DeviceType, Self.DeviceIndex,
            Self.MakesNodes, Self.ForwardAndOne, Self.InOptimizer, Self.PythonStackId);
  }
};

/// An allocation that outlived two generations, or is alive at the end.
struct Born {
  static constexpr RecordKind Kind = RecordKind::Born;
  uint64_t Object = 0; ///< its number: the sequence value of its allocation
  uint64_t SiteId = 0, Bytes = 0;
  uint64_t Tick = 0;       ///< of its birth
  uint64_t Generation = 0; ///< of its birth
  uint64_t Address = 0;    ///< of the data
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Object, Self.SiteId, Self.Bytes, Self.Tick, Self.Generation, Self.Address);
  }
};

/// The free of an object that has a Born record.
struct Died {
  static constexpr RecordKind Kind = RecordKind::Died;
  uint64_t Object = 0, Tick = 0;
  uint64_t Sequence = 0; ///< allocations before it; 0 in old traces
  uint64_t Thread = 0;   ///< that freed it, by its kernel id
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Object, Self.Tick, Self.Sequence, Self.Thread);
  }
};

/// What a site did so far. Written when changed, at log-spaced generations and at
/// the end.
struct SiteCounters {
  static constexpr RecordKind Kind = RecordKind::SiteCounters;
  uint64_t SiteId = 0;
  uint64_t Allocations = 0, Frees = 0;
  uint64_t Bytes = 0;    ///< allocated, over the whole run
  uint64_t MaxBytes = 0; ///< of one allocation
  uint64_t LiveBytes = 0, PeakLiveBytes = 0;
  /// Allocations whose op ended, after which a storage of the same size, born
  /// before the op, was freed before the next op: an in-place op would have done.
  uint64_t InPlaceCandidates = 0, InPlaceBytes = 0;
  uint64_t NodesMade = 0, NodesFreed = 0; ///< autograd nodes, by their creation site
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.SiteId, Self.Allocations, Self.Frees, Self.Bytes, Self.MaxBytes, Self.LiveBytes,
            Self.PeakLiveBytes, Self.InPlaceCandidates, Self.InPlaceBytes, Self.NodesMade,
            Self.NodesFreed);
  }
};

/// When a memory site allocated: the sequence values of every so many of its allocations. By
/// it replay finds the rounds of a program that announces none.
struct SitePulse {
  static constexpr RecordKind Kind = RecordKind::SitePulse;
  uint64_t SiteId = 0;
  uint64_t Stride = 1;             ///< allocations from one value to the next
  std::vector<uint64_t> Sequences; ///< of the first one known, and so on; 0 for one that is not
  uint64_t FirstMicroseconds = 0, LastMicroseconds = 0; ///< on the clock of End
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.SiteId, Self.Stride, Self.Sequences, Self.FirstMicroseconds,
            Self.LastMicroseconds);
  }
};

enum class BoundaryKind : uint8_t {
  OptimizerStep = 1,       ///< the end of a C++ torch::optim step
  PythonOptimizerStep = 2, ///< the end of a scope "Optimizer.step#..."
  UserMarker = 3,          ///< the program called tensorleak_step()
  LineClock = 4,           ///< a step-clock line began its next round
  Backward = 5,            ///< the end of an outermost backward pass
  Age = 6,       ///< nothing but many allocations since the last: where no other kind is seen
  Assertion = 7, ///< a scope of the program's began or ended, or a round of it ended
};

/// One boundary. The "since" fields count from the last boundary of the same kind
/// and the same optimizer (or from the start): for an optimizer, that is its step.
struct Boundary {
  static constexpr RecordKind Kind = RecordKind::Boundary;
  uint64_t Tick = 0; ///< of the time that begins here: the first boundary has 1
  BoundaryKind TheKind = BoundaryKind::OptimizerStep;
  uint64_t Generation = 0;                         ///< of the time that begins here
  bool Acting = false;                             ///< it began a generation
  uint64_t Thread = 0;                             ///< the kernel's thread id
  uint64_t OptimizerId = 0;                        ///< of Optimizer records; 0 for other kinds
  uint64_t PointGroup = 0;                         ///< of a line clock; the number of a scope
  uint64_t HostLiveBytes = 0, DeviceLiveBytes = 0; ///< tensor storage
  uint64_t Sequence = 0;
  uint64_t NodesMade = 0, NodesFreed = 0;            ///< totals, not "since"
  uint64_t ZeroGradsSince = 0;                       ///< zero_grad on this optimizer
  uint64_t ModuleZeroGradsSince = 0;                 ///< Module::zero_grad, any module
  uint64_t ZeroOpsSince = 0;                         ///< aten::zero_ and its like, outside backward
  uint64_t BackwardsSince = 0;                       ///< outermost backward passes
  uint64_t AccumulationsSince = 0;                   ///< gradients added onto an existing gradient
  uint64_t FreshGradientsSince = 0;                  ///< gradients that found none to be added to
  uint64_t KeepGraphSince = 0, CreateGraphSince = 0; ///< backward passes with these
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.TheKind, Self.Generation, Self.Acting, Self.Thread, Self.OptimizerId,
            Self.PointGroup, Self.HostLiveBytes, Self.DeviceLiveBytes, Self.Sequence,
            Self.NodesMade, Self.NodesFreed, Self.ZeroGradsSince, Self.ModuleZeroGradsSince,
            Self.ZeroOpsSince, Self.BackwardsSince, Self.AccumulationsSince,
            Self.FreshGradientsSince, Self.KeepGraphSince, Self.CreateGraphSince);
  }
};

/// What one interposed function saw. Present without calls, while the program used
/// LibTorch, means that the hook did not bind.
struct HookState {
  static constexpr RecordKind Kind = RecordKind::HookState;
  std::string Name; ///< readable: "cpu-alloc", "node-made", "Adam::step"
  std::string Symbol;
  bool Present = false; ///< a loaded library defines the symbol
  uint64_t Calls = 0;   ///< exact up to 65,536, where counting stops
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Name, Self.Symbol, Self.Present, Self.Calls);
  }
};

/// A circumstance that decides what can be seen: an environment variable that turns
/// an allocator off, or the class of the allocator that is in use.
struct Setting {
  static constexpr RecordKind Kind = RecordKind::Setting;
  std::string Name, Value;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Name, Self.Value);
  }
};

enum class PointStatus : uint8_t {
  NoModule = 0, ///< its module was never loaded
  Armed = 1,
  Refused = 2, ///< the address is not code, or the kernel forbids writing code
};

/// A line point of the configuration, by its id.
struct PointState {
  static constexpr RecordKind Kind = RecordKind::PointState;
  uint64_t Id = 0;
  PointStatus Status = PointStatus::NoModule;
  uint64_t Hits = 0; ///< a plain point: at most one per generation; a clock: all
  uint64_t GenerationsHit = 0;
  uint64_t FirstTick = 0, LastTick = 0, FirstSequence = 0, LastSequence = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Id, Self.Status, Self.Hits, Self.GenerationsHit, Self.FirstTick, Self.LastTick,
            Self.FirstSequence, Self.LastSequence);
  }
};

/// How often Python ran a stack (a Stack record) when it gave its lock up, as it does for
/// each operator. As for a plain point, one hit per generation counts.
struct PythonLines {
  static constexpr RecordKind Kind = RecordKind::PythonLines;
  uint64_t StackId = 0;
  uint64_t GenerationsHit = 0;
  uint64_t FirstTick = 0, LastTick = 0, FirstSequence = 0, LastSequence = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.StackId, Self.GenerationsHit, Self.FirstTick, Self.LastTick, Self.FirstSequence,
            Self.LastSequence);
  }
};

/// A class derived from torch::autograd::Node.
struct NodeClass {
  static constexpr RecordKind Kind = RecordKind::NodeClass;
  uint64_t Id = 0;
  std::string Name;    ///< mangled "_ZTV...", "" if its module exports none
  uint64_t Vtable = 0; ///< the address point
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Id, Self.Name, Self.Vtable);
  }
};

struct ClassCount {
  uint64_t ClassId = 0, Nodes = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.ClassId, Self.Nodes);
  }
};

/// The live nodes that one site made, and in how many ticks it made them.
struct SiteNodes {
  uint64_t SiteId = 0, Nodes = 0;
  uint64_t Ticks = 0; ///< different birth ticks among them
  uint64_t FirstTick = 0, LastTick = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.SiteId, Self.Nodes, Self.Ticks, Self.FirstTick, Self.LastTick);
  }
};

/// Every live autograd node, counted by looking through the heap.
struct Census {
  static constexpr RecordKind Kind = RecordKind::Census;
  uint64_t Tick = 0, Generation = 0;
  uint64_t Nodes = 0;
  bool SitesTrusted = false; ///< the layout of Node was verified in this run
  uint64_t Unnumbered = 0;   ///< nodes without a sequence number (AccumulateGrad)
  uint64_t Forgotten = 0;    ///< their creation is no longer (or was never) known
  uint64_t ScannedBytes = 0, Microseconds = 0;
  std::vector<ClassCount> Classes;
  std::vector<SiteNodes> Sites;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.Generation, Self.Nodes, Self.SitesTrusted, Self.Unnumbered,
            Self.Forgotten, Self.ScannedBytes, Self.Microseconds, Self.Classes, Self.Sites);
  }
};

/// What a search for holders started from: a storage, or an autograd node.
struct SearchTarget {
  uint64_t Address = 0;
  uint64_t Object = 0; ///< the number of the allocation; 0 for a node
  uint64_t SiteId = 0;
  uint64_t Tick = 0; ///< of its birth
  bool IsNode = false;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Address, Self.Object, Self.SiteId, Self.Tick, Self.IsNode);
  }
};

enum class RootKind : uint8_t {
  None = 0,    ///< no pointer to it was found: nobody can free it
  Global = 1,  ///< a variable of a loaded file that may be the user's
  Stack = 2,   ///< a frame of the thread that was stopped
  Library = 3, ///< a variable of a system library or of LibTorch
  Unknown = 4, ///< memory of no known kind: another thread's stack
  /// A thread_local variable of such a file: Address is its offset in the file's block of
  /// thread-local variables, Pc any address in the file.
  ThreadLocal = 5,
};

/// A block of the heap on a path, and where in it the pointer lies that leads on
/// towards the target.
struct HolderHop {
  std::string Class; ///< mangled, "" without a vtable
  uint64_t Offset = 0;
  uint64_t SiteId = 0; ///< of an autograd node whose creation is known
  uint64_t Tick = 0;   ///< of that creation
  bool HasSite = false;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Class, Self.Offset, Self.SiteId, Self.Tick, Self.HasSite);
  }
};

/// One way from a target up to what holds it. Of a long way the first hops and the last
/// are kept.
struct HolderPath {
  static constexpr uint32_t FirstHops = 8;
  static constexpr RecordKind Kind = RecordKind::HolderPath;
  uint64_t SearchTick = 0;
  SearchTarget Target;
  RootKind Root = RootKind::None;
  uint64_t Address = 0;                           ///< of the pointer in the root
  uint64_t Pc = 0;                                ///< of a frame: where it will go on
  int64_t FromFrameEnd = 0, FromStackPointer = 0; ///< of the pointer, in a frame
  uint64_t Length = 0, Nodes = 0;                 ///< blocks on the way, autograd nodes among them
  std::vector<HolderHop> Hops;                    ///< from the target on
  /// In a frame: the DWARF number of the register that has the pointer, and one; 0 if it
  /// lies in memory.
  uint64_t RegisterAndOne = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.SearchTick, Self.Target, Self.Root, Self.Address, Self.Pc, Self.FromFrameEnd,
            Self.FromStackPointer, Self.Length, Self.Nodes, Self.Hops, Self.RegisterAndOne);
  }
};

/// A search for holders and cycles, in a copy of the process.
struct Search {
  static constexpr RecordKind Kind = RecordKind::Search;
  uint64_t Tick = 0, Generation = 0;
  uint64_t Targets = 0, References = 0;
  uint64_t PauseMicroseconds = 0; ///< for which the thread stood still
  uint64_t Microseconds = 0;      ///< in the copy
  bool Partial = false;
  std::string Failure; ///< why there was none; "" if there was
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.Generation, Self.Targets, Self.References, Self.PauseMicroseconds,
            Self.Microseconds, Self.Partial, Self.Failure);
  }
};

/// The autograd nodes that are part of a cycle of owning pointers.
struct GraphCycles {
  static constexpr RecordKind Kind = RecordKind::GraphCycles;
  uint64_t Tick = 0, Generation = 0;
  uint64_t Nodes = 0;
  std::vector<SiteNodes> Sites;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Tick, Self.Generation, Self.Nodes, Self.Sites);
  }
};

/// One such cycle, each block with the pointer that leads to the block before it; the
/// first follows the last.
struct CycleSample {
  static constexpr RecordKind Kind = RecordKind::CycleSample;
  uint64_t SearchTick = 0;
  uint64_t Length = 0;
  std::vector<HolderHop> Hops;
  uint64_t Ticks = 0; ///< in how many the nodes of such cycles were made
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.SearchTick, Self.Length, Self.Hops, Self.Ticks);
  }
};

/// A function and line of the user's.
struct SymbolFrame {
  std::string Function, File;
  uint64_t Line = 0, Column = 0;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Function, Self.File, Self.Line, Self.Column);
  }
};

/// What a recorded address is in the user's source, inlined functions first. The probe
/// writes it for Python's functions; the others are added to a trace that is kept, so that
/// it can be read elsewhere.
struct Symbol {
  static constexpr RecordKind Kind = RecordKind::Symbol;
  uint64_t Address = 0; ///< of the call: the byte before the return address
  std::vector<SymbolFrame> Frames;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Address, Self.Frames);
  }
};

/// An optimizer that stepped. Python ones are known by their class only.
struct Optimizer {
  static constexpr RecordKind Kind = RecordKind::Optimizer;
  uint64_t Id = 0;
  uint64_t Address = 0; ///< 0 for a Python optimizer
  std::string Class;
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.Id, Self.Address, Self.Class);
  }
};

enum class EndKind : uint8_t {
  MainReturned = 1,
  Exit = 2,     ///< exit() or quick_exit()
  FastExit = 3, ///< _exit()
  Signal = 4,
  Detached = 5, ///< the program runs on
};

/// The last record, if the process did not die by surprise.
struct End {
  static constexpr RecordKind Kind = RecordKind::End;
  EndKind TheKind = EndKind::MainReturned;
  uint64_t Code = 0; ///< exit code or signal number
  uint64_t Tick = 0;
  uint64_t LiveObjects = 0, LiveBytes = 0;
  uint64_t Microseconds = 0; ///< since the trace began
  template <typename R, typename A> static void fields(R &Self, A &Archive) {
    Archive(Self.TheKind, Self.Code, Self.Tick, Self.LiveObjects, Self.LiveBytes,
            Self.Microseconds);
  }
};

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_RECORDS_H
