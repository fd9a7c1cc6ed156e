// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// Templates of which the file makes nothing. Their bodies are made of types made up; what does
// not fit those is left out, and the rest of the body is looked at.
#include <cuda_runtime.h>
#include <vector>

void use(const float *p, int n);

template <typename Run> int tune(Run &run) {
  float *scratch;
  cudaMalloc(&scratch, 4096); // expected-note {{device memory in 'scratch' is not given back before 'tune' returns}} [tensor-unfreed-device-memory]
  int best = 0;
  for (int block = 64; block <= 1024; block += 64)
    if (run(block) > best)
      best = block;
  use(scratch, best);
  return best;
}

template <typename Values> void upload(const Values &values) {
  typename Values::value_type first = values.front();
  float *copy;
  cudaMalloc(&copy, values.size() * sizeof(first)); // expected-note {{device memory in 'copy' is not given back before 'upload' returns}} [tensor-unfreed-device-memory]
  cudaMemcpy(copy, values.data(), values.size() * sizeof(first), cudaMemcpyHostToDevice);
  for (const auto &value : values)
    use(copy, value.width);
}

template <typename Shape> class Volume {
public:
  explicit Volume(const Shape &shape) {
    cudaMalloc(&cells, shape.cells()); // expected-note {{device memory in 'cells' is never given back}} [tensor-unfreed-device-memory]
  }

private:
  float *cells;
};

// Only its name is used here.
template <typename T> class Block {
public:
  explicit Block(int n) : count(n) { cudaMalloc(&data, n * sizeof(T)); } // expected-path {{'data' gets it here}}
  ~Block() { cudaFree(data); }
  void operator=(Block &&other) {
    data = other.data; // expected-warning {{device memory that 'data' held is lost here}} [tensor-unfreed-device-memory]
    other.data = nullptr;
  }

private:
  T *data;
  int count;
};
typedef Block<float> Floats;

// It is made, and the method is not.
template <typename T> class Grid {
public:
  explicit Grid(int n) { cudaMalloc(&data, n * sizeof(T)); }
  ~Grid() { cudaFree(data); }
  void grow(int n) {
    cudaMalloc(&data, n * sizeof(T)); // expected-warning {{device memory in 'data' replaces what it held before}} [tensor-unfreed-device-memory]
  }

private:
  T *data;
};
void make() { Grid<double> grid(16); }

//===-- Near misses -------------------------------------------------------------===//

template <typename Run> void timed(Run &run) {
  float *scratch;
  cudaMalloc(&scratch, 4096);
  run(scratch, 1);
  cudaFree(scratch);
}

template <typename Take> void handOver(Take &take) {
  float *scratch;
  cudaMalloc(&scratch, 4096);
  take(scratch);
}

template <typename Owner> void fillMember(Owner &owner) {
  float *scratch;
  cudaMalloc(&scratch, 4096);
  owner.data = scratch;
}

template <typename Values> float *kept(const Values &values) {
  float *copy;
  cudaMalloc(&copy, values.size());
  return copy;
}

template <typename Guard> void guarded(int n) {
  float *data;
  cudaMalloc(&data, n);
  Guard guard(data);
  guard.use();
}
