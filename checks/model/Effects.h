//===-- Effects.h - What a call to LibTorch, CUDA or the library does ------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vocabulary of the API model: effects, not names. Everything behind the
// model (facts, analyses, rules) sees only these.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_EFFECTS_H
#define TENSORLEAK_CHECKS_MODEL_EFFECTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tensorleak {

/// What a call does to the tensors it touches. "self" is the object of a
/// method, or the first argument of a free function.
enum class Does : uint8_t {
  Nothing,      ///< reads at most; keeps nothing (sizes, printing, saving)
  Create,       ///< a fresh tensor without a graph (factories)
  Compute,      ///< a fresh tensor; carries the graph of its inputs under grad mode
  ComputeConst, ///< a fresh tensor that never carries a graph (argmax, eq)
  Concat,       ///< a fresh tensor from a list of tensors; graph of the list
  Copy,         ///< a copy of self (maybe self itself: to, contiguous); keeps the graph
  View,         ///< shares self's storage and graph
  Detach,       ///< shares self's storage, without the graph
  InPlace,      ///< writes self; self's graph then holds the arguments' graphs
  Out,          ///< writes its output argument and returns it
  DetachSelf,   ///< cuts self's graph in place
  RequireGrad,  ///< makes self a leaf that requires grad (or not: argument false)
  Drop,         ///< self lets go of its tensor (reset)
  Release,      ///< hands self's reference out as a raw pointer (unsafeReleaseTensorImpl)
  Blob,         ///< a tensor over memory that somebody else owns
  Forward,      ///< runs a module: its parameters enter the graph
  Backward,     ///< runs the graph of self (or the listed tensors) and frees it
  AutogradGrad, ///< as Backward, without touching .grad
  GradOf,       ///< the gradient that belongs to self
  Parameters,   ///< the parameters of a module
  StepParams,   ///< an optimizer applies gradients
  ResetGrad,    ///< gradients of self (an optimizer, a module, a tensor) are reset
  SetGradMode,  ///< grad mode := first argument
  Grow,         ///< the container self gains the argument
  GrowKeyed,    ///< the container self gains or replaces an entry
  Shrink,       ///< the container self loses entries
  Element,      ///< refers into the container self
  NameOf,       ///< the key of the entry self
  Configure,    ///< self keeps the argument as one of its options, and is the result
  Forward1,     ///< returns its argument itself (std::move, std::get, tie)
  HostAlloc,    ///< host or device memory from an allocation function
  HostFree,     ///< frees its argument
  Hook,         ///< hangs a function on self's gradient, which keeps what it captures
  Unhook,       ///< takes a hook away again
  Freeze,       ///< the parameters of its module need no gradient afterwards
  EvalMode,     ///< a module leaves training mode; grad mode stays as it is
  TrainModule,  ///< what is asked of a loaded module to train it: its parameters, training mode
  Register,     ///< self owns its argument from now on, for as long as it lives
  LoadModule,   ///< reads a whole module with its parameters into memory
  EmptyCache,   ///< gives the caching allocator's free blocks back
};

/// Traits of an effect, as bits.
enum Trait : uint32_t {
  None = 0,
  Elementwise = 1 << 0,   ///< the result has the broadcast shape of the inputs
  HasInPlace = 1 << 1,    ///< `name_` does the same to self
  LikeSelf = 1 << 3,      ///< the result has self's shape and dtype
  MatMul = 1 << 4,        ///< a matrix product
  Floating = 1 << 5,      ///< integer inputs give floating results (div, exp): no in-place there
  SavesOperands = 1 << 8, ///< backward towards one operand keeps the others' tensors
  Moves = 1 << 9,         ///< copies to the device that it is told, if self is elsewhere
  Zeroes = 1 << 10,       ///< overwrites self with a constant
  OutParam = 1 << 11,     ///< allocators: the memory goes to the first argument
  Accumulates = 1 << 12,  ///< adds its argument to self (add_, -=)
  Scales = 1 << 13,       ///< an elementwise product
  Fresh = 1 << 14,        ///< a copy that is never self itself (clone)
  Assumed = 1 << 18,      ///< of a module's method that we know nothing of
  ToDevice = 1 << 17,     ///< Moves, and always to an accelerator
  ZeroIfEmpty = 1 << 20,  ///< a number or truth value: zero, false where self holds nothing
  TrueIfEmpty = 1 << 21,  ///< the other way round
  GivesLeaf = 1 << 22,    ///< the result requires grad, unless the last argument says false
  WithIndices = 1 << 19,  ///< gives a pair when called with a dimension: values and where they are
};

/// How the shape of a result follows from operands, arguments and a layer's options.
/// The arguments that a rule reads go by the names of LibTorch's own parameters.
enum class ShapeRule : uint8_t {
  Unknown,
  Same,      ///< self's
  Broadcast, ///< the operands'
  Factory,   ///< the argument `size`, or as it is written in braces
  Range,     ///< one dimension of `steps` or `n` entries, or from `start` to `end`
  MatMul,
  Reduce,    ///< without the dimensions `dim`; without all where none is given
  Reshape,   ///< `size` or `shape`, where -1 stands for the rest
  Flatten,   ///< `start_dim` to `end_dim` become one
  Transpose, ///< `dim0` and `dim1` swap; without arguments the last two
  Permute,   ///< `dims`
  Squeeze,   ///< without `dim`
  Unsqueeze, ///< with a `dim` of one entry more
  Select,    ///< without `dim`; the first where it is not named
  Narrow,    ///< `length` entries in `dim`
  Slice,     ///< those from `start` to `end` in `dim`, which is the first where it is not named
  Index,     ///< as each of `indices` says, where none is a tensor
  Expand,    ///< `size`, where -1 keeps a dimension
  Repeat,    ///< each dimension `repeats` times
  Concat,    ///< the sum in `dim`
  Stack,     ///< one dimension more
  Linear,    ///< `out_features` in the last dimension
  Conv,      ///< `out_channels`, and windows of `kernel_size` over what follows
  ConvTranspose,
  Pool,          ///< windows of `kernel_size`
  AdaptivePool,  ///< `output_size` at the end
  Embedding,     ///< one more dimension of `embedding_dim`
  Recurrent,     ///< a pair: the output, and the state of each layer
  RecurrentPair, ///< as Recurrent, with a pair for the state (LSTM)
  Cell,          ///< a state of `hidden_size`
  CellPair,      ///< a pair of them
  Attention,     ///< a pair: the output like the query, and the weights
  Sequence,      ///< what its modules make of the input, one after the other
  Size,          ///< no tensor: the number of entries in `dim`
  Sizes,         ///< no tensor: the whole shape
  Elements,      ///< no tensor: the number of all entries
};

struct Effect {
  Does What = Does::Nothing;
  uint32_t Traits = None;
  llvm::StringRef Name;                 ///< of the callee, for messages
  ShapeRule Shape = ShapeRule::Unknown; ///< of its result
  bool has(Trait T) const { return Traits & T; }
};

/// Data members of LibTorch's classes that mean something to the analyses.
enum class FieldKind : uint8_t {
  Plain,
  SavedWithNode, ///< lives as long as the autograd node of a custom function
  Parameter,     ///< of a layer: a leaf that requires grad
};

/// RAII types that switch grad mode in their scope.
enum class Guard : uint8_t {
  None,
  Off,              ///< NoGradGuard
  FromArg,          ///< AutoGradMode(enabled): grad mode := argument
  InferenceFromArg, ///< InferenceMode(enabled = true): off when enabled
};

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_EFFECTS_H
