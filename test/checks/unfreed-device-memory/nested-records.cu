// A record within an object: filled through a pointer to it, given back as a part of the object.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

struct Net {
  float *weights, *spikes, *voltage;
};
class Simulation {
public:
  Simulation() { allocate(&net, 10); }
  ~Simulation() { freeAll(); }

private:
  void allocate(Net *to, int n) {
    cudaMalloc(&to->weights, n);
    cudaMalloc(&to->spikes, n); // expected-warning {{'freeAll' frees 'voltage', 'weights' and forgets it}} [tensor-unfreed-device-memory]
    cudaMalloc(&to->voltage, n);
  }
  void freeAll() { // expected-path {{'freeAll' is here}}
    cudaFree(net.weights);
    cudaFree(net.voltage);
  }
  Net net;
};

// Near misses: all are given back, some of them here and some by the record's own function.
struct Pair {
  float *first, *second;
};
void fill(Pair *to, int n) {
  cudaMalloc(&to->first, n);
  cudaMalloc(&to->second, n);
}
class Holder {
public:
  Holder() { fill(&pair, 10); }
  ~Holder() {
    cudaFree(pair.first);
    cudaFree(pair.second);
  }

private:
  Pair pair;
};
struct Trio {
  float *first, *second;
};
void fillTrio(Trio *to, int n) {
  cudaMalloc(&to->first, n);
  cudaMalloc(&to->second, n);
}
void freeSecond(Trio *of) { cudaFree(of->second); }
class TrioHolder {
public:
  TrioHolder() { fillTrio(&trio, 10); }
  ~TrioHolder() {
    cudaFree(trio.first);
    freeSecond(&trio);
  }

private:
  Trio trio;
};

// What a callee puts into a member, the caller's next callee copies into another object: whoever of
// the two gives it back does that for both.
struct Borrower {
  int *order, *own;
  ~Borrower() { cudaFree(own); }
};
class Lender {
public:
  Lender() : borrower(new Borrower) {
    allocate();
    lend();
  }
  ~Lender() {
    cudaFree(order);
    delete borrower;
  }

private:
  void allocate() {
    cudaMalloc(&order, 10);
    cudaMalloc(&borrower->own, 10);
  }
  void lend() { borrower->order = order; }
  int *order;
  Borrower *borrower;
};
