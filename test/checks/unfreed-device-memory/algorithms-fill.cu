// Algorithms that hand each element to a function in view, or get each from one.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <algorithm>
#include <array>
#include <cuda_runtime.h>
#include <iterator>
#include <vector>

__global__ void work(float *p);

void filled(int n) {
  std::vector<float *> all(n);
  std::for_each(all.begin(), all.end(), [](float *&p) { cudaMalloc(&p, 4096); }); // expected-warning {{device memory in 'all[]' is not given back}} [tensor-unfreed-device-memory] expected-path {{it is allocated here}}
  for (float *p : all)
    work<<<1, 32>>>(p);
}

void filledArray() {
  std::array<float *, 4> all{};
  std::for_each(all.begin(), all.end(), [](auto &p) { cudaMalloc(&p, 4096); }); // expected-warning {{device memory in 'all[]' is not given back}} [tensor-unfreed-device-memory] expected-path {{it is allocated here}}
  for (float *p : all)
    work<<<1, 32>>>(p);
}

void generated(int n) {
  std::vector<float *> all(n);
  std::generate(all.begin(), all.end(), [] { // expected-warning {{device memory in 'all[]' is not given back}} [tensor-unfreed-device-memory]
    float *p = nullptr;
    cudaMalloc(&p, 4096); // expected-path {{it is allocated here}}
    return p;
  });
  for (float *p : all)
    work<<<1, 32>>>(p);
}

float *make(int bytes) {
  float *p = nullptr;
  cudaMalloc(&p, bytes); // expected-path {{it is allocated here}}
  return p;
}

void transformed(const std::vector<int> &sizes) {
  std::vector<float *> all;
  std::transform(sizes.begin(), sizes.end(), std::back_inserter(all), make); // expected-warning {{device memory in 'all[]' is not given back}} [tensor-unfreed-device-memory]
  for (float *p : all)
    work<<<1, 32>>>(p);
}

//===-- Given back ----------------------------------------------------------===//

void freedByLoop(const std::vector<int> &sizes) {
  std::vector<float *> all;
  std::transform(sizes.begin(), sizes.end(), std::back_inserter(all), make);
  for (float *p : all)
    cudaFree(p);
}

void freedByAlgorithm(int n) {
  std::vector<float *> all;
  std::generate_n(std::back_inserter(all), n, [] { return make(4096); });
  std::for_each(all.begin(), all.end(), [](float *p) { cudaFree(p); });
}

void drop(float *p) { cudaFree(p); }

void freedByFunction(int n) {
  std::vector<float *> all(n);
  std::generate(all.begin(), all.end(), [] { return make(4096); });
  std::for_each(all.begin(), all.end(), drop);
}

void freedByAnyLambda(int n) {
  std::vector<float *> all(n);
  for (float *&p : all)
    p = make(4096);
  std::for_each(all.begin(), all.end(), [](auto *p) { cudaFree(p); });
}

/// Which of them the range has is not followed.
void freedInPart(int n) {
  std::vector<float *> all(n);
  std::generate(all.begin(), all.end(), [] { return make(4096); });
  std::for_each(all.begin() + 1, all.end(), [](float *p) { cudaFree(p); });
  cudaFree(all.front());
}

std::vector<float *> handedOut(int n) {
  std::vector<float *> all(n);
  std::generate(all.begin(), all.end(), [] { return make(4096); });
  return all;
}

class Pool {
public:
  explicit Pool(int n) : all(n) {
    std::generate(all.begin(), all.end(), [] { return make(4096); });
  }
  ~Pool() {
    std::for_each(all.begin(), all.end(), [](float *p) { cudaFree(p); });
  }

private:
  std::vector<float *> all;
};

/// The old ones are freed by what they are replaced by.
void replacedEach(std::vector<float *> &all) {
  std::transform(all.begin(), all.end(), all.begin(), [](float *p) {
    cudaFree(p);
    return make(8192);
  });
}

void keptElsewhere(int n, std::vector<float *> &kept) {
  std::vector<float *> all(n);
  std::generate(all.begin(), all.end(), [] { return make(4096); });
  std::for_each(all.begin(), all.end(), [&](float *p) { kept.push_back(p); });
}
