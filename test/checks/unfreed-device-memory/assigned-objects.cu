// An operator of the program's own whose body is not in view may keep what it is given.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <vector>

class Owner {
public:
  Owner &operator=(float *memory);
  Owner &operator<<(float *memory);
  float *get() const;
};

void assigned(Owner &owner) {
  float *memory;
  cudaMalloc(&memory, 1 << 20);
  owner = memory;
}

void handedOn(Owner &owner) {
  float *memory;
  cudaMalloc(&memory, 1 << 20);
  owner << memory;
}

// What stands beside it is kept by nobody.
void beside(Owner &owner) {
  float *kept, *lost;
  cudaMalloc(&kept, 1 << 20);
  cudaMalloc(&lost, 1 << 20); // expected-warning {{'lost' is not given back}} [tensor-unfreed-device-memory]
  owner = kept;
} // expected-fix {{cudaFree(lost);}}

// An operator of the standard library keeps no pointer.
float indexed(const std::vector<float> &values) {
  float *lost;
  cudaMalloc(&lost, 1 << 20); // expected-warning {{'lost' is not given back}} [tensor-unfreed-device-memory]
  return values[0];
}
