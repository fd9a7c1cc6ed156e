//===-- RecordFunction.h - LibTorch's callbacks, laid out by hand ----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_PROBE_TORCH_RECORDFUNCTION_H
#define TENSORLEAK_RUNTIME_PROBE_TORCH_RECORDFUNCTION_H

namespace tensorleak::probe {

/// at::RecordFunctionCallback, NUM_SCOPES = 10 (ATen/record_function.h, the same from
/// 1.13 to 2.11). Passed by value on the stack.
struct RecordFunctionCallback {
  void *Start, *End;
  double SamplingProbability;
  bool Scopes[10];
  bool NeedsInputs, NeedsOutputs, NeedsIds;
};

} // namespace tensorleak::probe

#endif // TENSORLEAK_RUNTIME_PROBE_TORCH_RECORDFUNCTION_H
