// The cache is emptied by the destructor of an object that each round makes.
//
// RUN: %check_tensor %s
#include <c10/cuda/CUDACachingAllocator.h>
#include <torch/torch.h>

class Scope {
public:
  ~Scope() { c10::cuda::CUDACachingAllocator::emptyCache(); } // expected-note {{'emptyCache()' runs again and again}} [tensor-empty-cache-in-loop]
  int device = 0;
};

void tiles(torch::nn::Linear net, torch::Tensor x) {
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i) {
    Scope scope; // expected-path {{each round ends with the destructor of 'scope'}}
    auto out = net(x);
  }
}

// Once behind all rounds is what it is for.
class Session {
public:
  ~Session() { c10::cuda::CUDACachingAllocator::emptyCache(); }
};

void all_tiles(torch::nn::Linear net, torch::Tensor x) {
  torch::NoGradGuard no_grad;
  Session session;
  for (int i = 0; i < 100; ++i)
    auto out = net(x);
}
