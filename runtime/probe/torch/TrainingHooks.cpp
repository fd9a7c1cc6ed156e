//===-- TrainingHooks.cpp - Hooks: autograd nodes, backward passes, optimizers ===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program does with gradients. Virtual functions are reached through
// vtables, whose entries the dynamic linker binds by name as well.
//
//===----------------------------------------------------------------------===//
#include "runtime/probe/session/Hooks.h"
#include "runtime/probe/session/Session.h"
#include "runtime/probe/torch/Ops.h"

using namespace tensorleak;
using namespace tensorleak::probe;

TENSORLEAK_HOOK(NodeMade, "node-made", _ZN2at15sequence_number17get_and_incrementEv)
TENSORLEAK_EXPORT uint64_t _ZN2at15sequence_number17get_and_incrementEv() {
  auto Number = callReal<uint64_t>(NodeMade);
  guarded([&](Session &S, ThreadState &Thread) { S.nodeMade(Thread, Number); });
  return Number;
}

TENSORLEAK_HOOK(NodeFreed, "node-freed", _ZN5torch8autograd10deleteNodeEPNS0_4NodeE)
TENSORLEAK_EXPORT void _ZN5torch8autograd10deleteNodeEPNS0_4NodeE(void *Node) {
  guarded([&](Session &S, ThreadState &Thread) {
    S.nodeFreed(Thread, *static_cast<const NodeHead *>(Node));
  });
  callReal<void>(NodeFreed, Node);
}

namespace {

/// True if this pass is within another one on this thread. An exception may have left
/// a pass without our notice; its frame then lies below the present one.
bool beginBackward(uintptr_t Frame, bool KeepGraph, bool CreateGraph) {
  ThreadState &Thread = TheThread;
  if (Thread.BackwardFrame > Frame)
    return true;
  Thread.BackwardFrame = Frame;
  guarded([&](Session &S, ThreadState &) {
    GradientEvents &Events = S.TheSteps.Now;
    bump(Events.Backwards);
    bump(Events.KeepGraphs, KeepGraph);
    bump(Events.CreateGraphs, CreateGraph);
  });
  return false;
}

void endBackward() {
  TheThread.BackwardFrame = 0;
  guarded([&](Session &S, ThreadState &) { S.boundary({trace::BoundaryKind::Backward}); });
}

void onStep(void *Optimizer, const char *Class) {
  guarded([&](Session &S, ThreadState &) {
    S.boundary({trace::BoundaryKind::OptimizerStep, reinterpret_cast<uintptr_t>(Optimizer), Class});
  });
}

void onZeroGrad(void *Optimizer) {
  guarded([&](Session &S, ThreadState &) {
    S.TheSteps.zeroGrad(
        {trace::BoundaryKind::OptimizerStep, reinterpret_cast<uintptr_t>(Optimizer)});
  });
}

} // namespace

// variable_list Engine::execute(const edge_list &, const variable_list &, bool keep_graph,
// bool create_graph, bool accumulate_grad, const edge_list &outputs)
TENSORLEAK_HOOK(
    Execute, "backward",
    _ZN5torch8autograd6Engine7executeERKSt6vectorINS0_4EdgeESaIS3_EERKS2_IN2at6TensorESaIS9_EEbbbS7_)
TENSORLEAK_EXPORT void *
_ZN5torch8autograd6Engine7executeERKSt6vectorINS0_4EdgeESaIS3_EERKS2_IN2at6TensorESaIS9_EEbbbS7_(
    void *Result, void *Self, void *Roots, void *Inputs, bool KeepGraph, bool CreateGraph,
    bool Accumulate, void *Outputs) {
  auto Frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  bool Nested = beginBackward(Frame, KeepGraph, CreateGraph);
  callReal<void *>(Execute, Result, Self, Roots, Inputs, KeepGraph, CreateGraph, Accumulate,
                   Outputs);
  if (!Nested)
    endBackward();
  return Result;
}

// void Engine::evaluate_function(shared_ptr<GraphTask> &, Node *, InputBuffer &, const
// shared_ptr<ReadyQueue> &). What the node allocates belongs to the line that made it.
// After an exception the thread keeps the old node, which no open scope then refers to.
TENSORLEAK_HOOK(
    Evaluate, "backward-node",
    _ZN5torch8autograd6Engine17evaluate_functionERSt10shared_ptrINS0_9GraphTaskEEPNS0_4NodeERNS0_11InputBufferERKS2_INS0_10ReadyQueueEE)
TENSORLEAK_EXPORT void
_ZN5torch8autograd6Engine17evaluate_functionERSt10shared_ptrINS0_9GraphTaskEEPNS0_4NodeERNS0_11InputBufferERKS2_INS0_10ReadyQueueEE(
    void *Self, void *Task, const NodeHead *Node, void *Inputs, void *Queue) {
  uint32_t Outer = TheThread.RunningSiteAndOne;
  auto Frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  guarded([&](Session &S, ThreadState &Thread) {
    tablesOf(Thread, S.epoch());
    beginNode(S, Thread.Scopes, Node->Vtable, Frame);
    Thread.RunningSiteAndOne = S.Nodes.siteOfRunning(Thread, *Node);
  });
  callReal<void>(Evaluate, Self, Task, Node, Inputs, Queue);
  guarded([&](Session &S, ThreadState &Thread) { endNode(S, Thread.Scopes, Frame); });
  TheThread.RunningSiteAndOne = Outer;
}

// Tensor CLASS::step(LossClosure): the result comes back through memory.
#define TENSORLEAK_OPTIMIZER(CLASS, SYMBOL)                                                        \
  TENSORLEAK_HOOK(CLASS##Step, #CLASS "::step", SYMBOL)                                            \
  TENSORLEAK_EXPORT void *SYMBOL(void *Result, void *Self, void *Closure) {                        \
    TheThread.StepFrame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));                 \
    callReal<void *>(CLASS##Step, Result, Self, Closure);                                          \
    TheThread.StepFrame = 0;                                                                       \
    onStep(Self, #CLASS);                                                                          \
    return Result;                                                                                 \
  }
TENSORLEAK_OPTIMIZER(SGD, _ZN5torch5optim3SGD4stepESt8functionIFN2at6TensorEvEE)
TENSORLEAK_OPTIMIZER(Adam, _ZN5torch5optim4Adam4stepESt8functionIFN2at6TensorEvEE)
TENSORLEAK_OPTIMIZER(AdamW, _ZN5torch5optim5AdamW4stepESt8functionIFN2at6TensorEvEE)
TENSORLEAK_OPTIMIZER(Adagrad, _ZN5torch5optim7Adagrad4stepESt8functionIFN2at6TensorEvEE)
TENSORLEAK_OPTIMIZER(RMSprop, _ZN5torch5optim7RMSprop4stepESt8functionIFN2at6TensorEvEE)
TENSORLEAK_OPTIMIZER(LBFGS, _ZN5torch5optim5LBFGS4stepESt8functionIFN2at6TensorEvEE)

TENSORLEAK_HOOK(ZeroGradOld, "Optimizer::zero_grad (1.x)", _ZN5torch5optim9Optimizer9zero_gradEv)
TENSORLEAK_EXPORT void _ZN5torch5optim9Optimizer9zero_gradEv(void *Self) {
  onZeroGrad(Self);
  callReal<void>(ZeroGradOld, Self);
}

TENSORLEAK_HOOK(ZeroGradNew, "Optimizer::zero_grad", _ZN5torch5optim9Optimizer9zero_gradEb)
TENSORLEAK_EXPORT void _ZN5torch5optim9Optimizer9zero_gradEb(void *Self, bool SetToNone) {
  onZeroGrad(Self);
  callReal<void>(ZeroGradNew, Self, SetToNone);
}

// It calls itself for no submodule: parameters() is recursive already.
TENSORLEAK_HOOK(ModuleZeroGrad, "Module::zero_grad", _ZN5torch2nn6Module9zero_gradEb)
TENSORLEAK_EXPORT void _ZN5torch2nn6Module9zero_gradEb(void *Self, bool SetToNone) {
  guarded([&](Session &S, ThreadState &) { bump(S.TheSteps.Now.ModuleZeroGrads); });
  callReal<void>(ModuleZeroGrad, Self, SetToNone);
}

// What include/tensorleak/tensorleak.h calls.
TENSORLEAK_EXPORT void tensorleak_probe_step() {
  guarded([&](Session &S, ThreadState &) { S.boundary({trace::BoundaryKind::UserMarker}); });
}

TENSORLEAK_EXPORT void tensorleak_probe_expect_retained(const void *Memory) {
  guarded([&](Session &S, ThreadState &) { S.expectRetained(Memory); });
}
