// An iterator that goes on names another element in each round; one that stays names the same.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

float *make(int n) {
  float *p{nullptr};
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  return p;
}

template <class Iterator>
void fillOne(Iterator first, Iterator last, int n) {
  for (int i = 0; first != last && i < n; ++i)
    *first = make(n); // expected-warning {{device memory in '*first' is taken anew in each round, and the one before is lost; call 'cudaFree' first}} [tensor-unfreed-device-memory] expected-path {{it is overwritten here}}
}

void one(std::vector<float *> &all) { fillOne(all.begin(), all.end(), 3); }

//===-- Near misses -----------------------------------------------------------------===//

template <class Iterator>
void fillAll(Iterator first, Iterator last, int n) {
  for (; first != last; ++first)
    *first = make(n);
}

void all(std::vector<float *> &all) { fillAll(all.begin(), all.end(), 3); }
void array(float **begin, float **end) { fillAll(begin, end, 3); }
