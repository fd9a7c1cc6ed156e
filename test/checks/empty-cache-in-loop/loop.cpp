// emptyCache() in a loop (row 31).
//
// RUN: %check_tensor %s
//
// The real header wants one that only a build of LibTorch with CUDA makes.
// RUN: %if torch %{ %check_tensor %s --real -- -DC10_USING_CUSTOM_GENERATED_MACROS %}
#include <c10/cuda/CUDACachingAllocator.h>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

void each_step(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    net->forward(next_batch()).sum().backward();
    c10::cuda::CUDACachingAllocator::emptyCache(); // expected-warning {{it frees no live tensor}} [tensor-empty-cache-in-loop]
  }
}

static void tidy_up() {
  c10::cuda::CUDACachingAllocator::emptyCache(); // expected-warning {{runs again and again}} [tensor-empty-cache-in-loop]
}

void by_a_helper(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    net->forward(next_batch()).sum().backward();
    tidy_up();
  }
}

void now_and_then(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    net->forward(next_batch()).sum().backward();
    if (i % 50 == 0)
      c10::cuda::CUDACachingAllocator::emptyCache(); // expected-note {{emptyCache}} [tensor-empty-cache-in-loop]
  }
}

//===-- Near misses --------------------------------------------------------===//

void once(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i)
    net->forward(next_batch()).sum().backward();
  c10::cuda::CUDACachingAllocator::emptyCache();
}

void after_a_failure(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    try {
      net->forward(next_batch()).sum().backward();
    } catch (const c10::Error &) {
      c10::cuda::CUDACachingAllocator::emptyCache();
    }
  }
}
