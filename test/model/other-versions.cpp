// Names that LibTorch 1.13 lacks or has in other namespaces, one a line, declared here as other
// versions declare them: what the model says of each, and the facts that follow.
//
// REQUIRES: torch
// RUN: %check_facts %s
#include <vector>

namespace at {
struct Tensor {
  Tensor(const Tensor &);
  ~Tensor();
  const void *const_data_ptr() const;
  void *mutable_data_ptr() const;
};
struct GradMode {
  static void set_enabled(bool enabled);
};
struct NoGradGuard {
  NoGradGuard();
  ~NoGradGuard();
};
struct AutoGradMode {
  explicit AutoGradMode(bool enabled);
  ~AutoGradMode();
};
struct InferenceMode {
  explicit InferenceMode(bool enabled = true);
  ~InferenceMode();
};
struct TensorOptions {};
TensorOptions requires_grad(bool required = true);
} // namespace at

namespace torch {
using at::Tensor;
struct NoGradGuard {
  NoGradGuard();
  ~NoGradGuard();
};
struct AutoGradMode {
  explicit AutoGradMode(bool enabled);
  ~AutoGradMode();
};
at::TensorOptions requires_grad(bool required = true);
namespace nn {
struct Module {
  virtual ~Module();
};
struct ZeroPad1dImpl : Module {
  Tensor forward(const Tensor &input);
};
struct ZeroPad3dImpl : Module {
  Tensor forward(const Tensor &input);
};
} // namespace nn
} // namespace torch

namespace c10::cuda::CUDACachingAllocator {
struct CUDAAllocator {
  virtual void emptyCache() = 0;
};
CUDAAllocator *get();
void emptyCache();
} // namespace c10::cuda::CUDACachingAllocator

void memory(at::Tensor x) {
  x.const_data_ptr(); // FACTS: call const_data_ptr: Nothing
  x.mutable_data_ptr(); // FACTS: call mutable_data_ptr: Nothing
}

//===-- at::GradMode ------------------------------------------------------===//

void mode() {
  at::GradMode::set_enabled(false); // FACTS: call set_enabled: SetGradMode; SetMode, mode Off
}

//===-- GUARD -------------------------------------------------------------===//

void guards(bool enabled) {
  { at::NoGradGuard off; } // FACTS: PushMode off, mode Off; PopMode off
  { torch::NoGradGuard off; } // FACTS: PushMode off, mode Off; PopMode off
  { at::AutoGradMode either(enabled); } // FACTS: PushMode either, mode Either; PopMode either
  { torch::AutoGradMode on(true); } // FACTS: PushMode on, mode On; PopMode on
  { at::InferenceMode inference; } // FACTS: PushMode inference, mode Off; PopMode inference
}

//===-- at ----------------------------------------------------------------===//

void options_of_at() {
  at::requires_grad(); // FACTS: call requires_grad: RequireGrad; Compute requires_grad(), a leaf that requires grad; LeafSelf
}

//===-- torch -------------------------------------------------------------===//

void options_of_torch() {
  torch::requires_grad(); // FACTS: call requires_grad: RequireGrad; Compute requires_grad(), a leaf that requires grad; LeafSelf
}

//===-- PARAMETERLESS_MODULES ---------------------------------------------===//

using ZeroPad1d = torch::nn::ZeroPad1dImpl;
using ZeroPad3d = torch::nn::ZeroPad3dImpl;

void padding(at::Tensor x) {
  ZeroPad1d().forward(x); // FACTS: call forward: Forward; without parameters; Forward; Compute forward(x)
  ZeroPad3d().forward(x); // FACTS: call forward: Forward; without parameters; Forward; Compute forward(x)
}

//===-- c10::cuda::CUDACachingAllocator -----------------------------------===//

void cache() {
  c10::cuda::CUDACachingAllocator::emptyCache(); // FACTS: call emptyCache: EmptyCache; EmptyCache
}

//===-- c10::cuda::CUDACachingAllocator::CUDAAllocator --------------------===//

void cache_of_the_allocator() {
  c10::cuda::CUDACachingAllocator::get()->emptyCache(); // FACTS: call emptyCache: EmptyCache; call get: not in the model; Opaque; EmptyCache
}
