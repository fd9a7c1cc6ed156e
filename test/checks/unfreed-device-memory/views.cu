// What a library's object holds without owning it: pointers in a class, and what containers of
// numbers copy.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <vector>

void made_of_a_pointer(int n) {
  int *keys;
  cudaMalloc(&keys, n); // expected-warning {{in 'keys' is not given back before 'made_of_a_pointer' returns}} [tensor-unfreed-device-memory]
  thrust::device_ptr<int> begin(keys);
  thrust::sort(begin, begin + n);
} // expected-fix {{cudaFree(keys);}}

void handed_to_algorithms(int n) {
  int *keys, *values;
  cudaMalloc(&keys, n); // expected-warning {{in 'keys' is not given back}} [tensor-unfreed-device-memory]
  cudaMalloc(&values, n);
  thrust::sort_by_key(thrust::device, keys, keys + n, values);
  cudaFree(values); // expected-path {{others are freed here}}
}

void copied_by_a_vector(int n) {
  float *host, *device;
  cudaMallocHost(&host, n); // expected-warning {{in 'host' is not given back}} [tensor-unfreed-device-memory]
  cudaMalloc(&device, n); // expected-warning {{in 'device' is not given back}} [tensor-unfreed-device-memory]
  std::vector<float> copy(host, host + n);
  copy.insert(copy.end(), host, host + n);
  thrust::device_vector<float> other(device, device + n);
} // expected-fix {{cudaFreeHost(host);\n  cudaFree(device);}}

void taken_by_thrust(int n) {
  thrust::device_ptr<int> keys = thrust::device_malloc<int>(n); // expected-warning {{in 'keys' is not given back before 'taken_by_thrust' returns; nothing calls 'thrust::device_free' on it}} [tensor-unfreed-device-memory]
  thrust::sort(keys, keys + n);
}

class Forgets {
public:
  explicit Forgets(int n) {
    float *memory;
    cudaMalloc(&memory, n); // expected-warning {{'~Forgets' frees 'scratch' and forgets it}} [tensor-unfreed-device-memory]
    values = thrust::device_pointer_cast(memory);
    cudaMalloc(&scratch, n);
  }
  ~Forgets() { cudaFree(scratch); } // expected-path {{'~Forgets' is here}}

private:
  thrust::device_ptr<float> values;
  float *scratch;
};

//===-- Near misses ---------------------------------------------------------===//

void freed_by_its_other_name(int n) {
  int *a, *b, *c, *d;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  cudaMalloc(&c, n);
  cudaMalloc(&d, n);
  thrust::device_ptr<int> of_a(a), of_b = thrust::device_pointer_cast(b), of_c(c);
  auto again = of_c;
  cudaFree(of_a.get());
  cudaFree(thrust::raw_pointer_cast(of_b));
  thrust::device_free(again);
  thrust::device_free(thrust::device_pointer_cast(d));
}

void given_back_to_thrust(int n) {
  thrust::device_ptr<int> keys = thrust::device_malloc<int>(n);
  thrust::device_free(keys);
}

class Owner {
public:
  explicit Owner(int *memory) : values(memory) {}
  ~Owner() { cudaFree(values.get()); }

private:
  thrust::device_ptr<int> values;
};
void owned(int n) {
  int *memory;
  cudaMalloc(&memory, n);
  Owner owner(memory);
}

void unseen(thrust::device_ptr<int> values);
void kept(std::vector<thrust::device_ptr<int>> &all, std::vector<int *> &plain, int n) {
  int *a, *b, *c;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  cudaMalloc(&c, n);
  all.push_back(thrust::device_ptr<int>(a));
  unseen(thrust::device_pointer_cast(b));
  plain.insert(plain.end(), c);
}
thrust::device_ptr<int> returned(int n) {
  int *memory;
  cudaMalloc(&memory, n);
  return thrust::device_pointer_cast(memory);
}

void in_a_vector_of_pointers(int n) {
  thrust::host_vector<float *> rows;
  for (int i = 0; i < n; ++i) {
    float *row;
    cudaMalloc(&row, n);
    rows.push_back(row);
  }
  for (int i = 0; i < n; ++i)
    cudaFree(rows[i]);
}
