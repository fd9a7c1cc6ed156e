// A stand-in with a body, for builds without CUDA: what the model says of the name counts. A
// function of the user's own that only has the name does what its body says.
//
// RUN: %check_tensor %s
#include <torch/torch.h>

namespace c10::cuda::CUDACachingAllocator {
inline void emptyCache() {}
} // namespace c10::cuda::CUDACachingAllocator

struct Pages {
  int count = 0;
  void emptyCache() { count = 0; }
};

void train(torch::nn::Linear net) {
  Pages pages;
  for (int i = 0; i < 100; ++i) { // expected-path {{the loop is here}}
    net->forward(torch::ones({4, 4})).sum().backward();
    pages.emptyCache();
    c10::cuda::CUDACachingAllocator::emptyCache(); // expected-warning {{frees no live tensor}} [tensor-empty-cache-in-loop]
  }
  c10::cuda::CUDACachingAllocator::emptyCache();
}
