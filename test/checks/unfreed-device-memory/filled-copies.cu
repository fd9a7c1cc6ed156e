// Loops over copies of what a container holds: what fills a copy is lost with it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

struct Slot {
  float *data;
  int n;
};

void fillCopies(std::vector<Slot> &slots) {
  for (Slot s : slots) // expected-path {{it is overwritten here}}
    cudaMalloc(&s.data, 64); // expected-warning {{64 B of device memory in 's.data' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
}

void fillPointers(std::vector<float *> &all) {
  for (auto p : all) // expected-path {{it is overwritten here}}
    cudaMalloc(&p, 64); // expected-warning {{64 B of device memory in 'p' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
}

//===-- Near misses -----------------------------------------------------------------===//

void fillElements(std::vector<Slot> &slots) {
  for (Slot &s : slots)
    cudaMalloc(&s.data, 64);
}

void fillAndPutBack(std::vector<Slot> &slots, std::vector<Slot> &filled) {
  for (Slot s : slots) {
    cudaMalloc(&s.data, 64);
    filled.push_back(s);
  }
}

void giveByAddress(float **p) { cudaFree(*p); }

void giveCopies(int n) {
  std::vector<float *> all(n);
  for (auto &p : all)
    cudaMalloc(&p, 64);
  for (auto p : all)
    giveByAddress(&p);
}

void giveCopiesOfRecords(int n) {
  std::vector<Slot> all(n);
  for (auto &s : all)
    cudaMalloc(&s.data, 64);
  for (auto s : all)
    giveByAddress(&s.data);
}

void giveThroughPointers(int n) {
  std::vector<Slot> all(n);
  for (auto &s : all)
    cudaMalloc(&s.data, 64);
  for (auto s : all) {
    Slot *part = &s;
    cudaFree(part->data);
  }
}
