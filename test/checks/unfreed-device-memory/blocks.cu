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

//===-- A block of handles ends before they do -----------------------------------===//

bool ends_before_a_branch(int n) {
  cudaError_t status = cudaSuccess;
  cudaEvent_t *events = new cudaEvent_t[n];
  for (int i = 0; i < n; ++i)
    status = cudaEventCreate(&events[i]); // expected-note {{an event in 'events[]' is not given back before 'ends_before_a_branch' returns}} [tensor-unfreed-device-memory]
  delete[] events;
  return status ? false : true;
}

bool frees_a_table(int n, bool quiet) {
  float **table = (float **)malloc(n * sizeof(float *));
  for (int i = 0; i < n; ++i)
    cudaMalloc(&table[i], 100); // expected-warning {{100 B of device memory in 'table[]' is not given back before 'frees_a_table' returns}} [tensor-unfreed-device-memory]
  free(table);
  if (quiet)
    return false;
  return true;
}

bool frees_both(int n) {
  cudaError_t status = cudaSuccess;
  cudaEvent_t *events = new cudaEvent_t[n];
  for (int i = 0; i < n; ++i)
    status = cudaEventCreate(&events[i]);
  for (int i = 0; i < n; ++i)
    cudaEventDestroy(events[i]);
  delete[] events;
  return status ? false : true;
}
