// Who gets the address of a part of a block can come back to the whole of it: the way of objects
// in C whose base is their first member.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <stdlib.h>

struct Equation {
  int flags;
  Equation *on_device;
};
struct Vlasov {
  int dimensions;
  Equation equation;
};

int reads(int *out) {
  Vlasov *device;
  cudaMalloc(&device, sizeof(Vlasov)); // expected-warning {{device memory in 'device' is not given back before 'reads' returns}} [tensor-unfreed-device-memory]
  int *part = &device->dimensions;
  cudaMemcpy(out, part, sizeof(int), cudaMemcpyDeviceToHost);
  return 0; // expected-fix {{cudaFree(device);}}
}

// What is stored is a part of another block.
void stores_other(Equation *out, Vlasov *other) {
  Vlasov *device;
  cudaMalloc(&device, sizeof(Vlasov)); // expected-warning {{device memory in 'device' is not given back before 'stores_other' returns}} [tensor-unfreed-device-memory]
  cudaMemset(device, 0, sizeof(Vlasov));
  out->on_device = &other->equation;
} // expected-fix {{cudaFree(device);}}

//===-- Near misses ---------------------------------------------------------===//

Equation *returns_part() {
  Vlasov *device;
  cudaMalloc(&device, sizeof(Vlasov));
  return &device->equation;
}

void stores_part(Equation *out) {
  Vlasov *device;
  cudaMalloc(&device, sizeof(Vlasov));
  out->on_device = &device->equation;
}

void stores_later(Equation **list) {
  Vlasov *device;
  cudaMalloc(&device, sizeof(Vlasov));
  Equation *part = &device->equation;
  list[0] = part;
}

Equation *both() {
  Vlasov *host = (Vlasov *)malloc(sizeof(Vlasov));
  Vlasov *device;
  cudaMalloc(&device, sizeof(Vlasov));
  cudaMemcpy(device, host, sizeof(Vlasov), cudaMemcpyHostToDevice);
  host->equation.on_device = &device->equation;
  return &host->equation;
}
