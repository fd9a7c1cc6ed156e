// A method that gives back the pointer that it is handed may give back what an entry holds.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>

struct Block {
  void *ptr = nullptr;
  cudaEvent_t ready = nullptr;
};

class ByPointer {
public:
  void *get(int n) {
    Block block;
    cudaMalloc(&block.ptr, n); // expected-note {{the class has no destructor}} [tensor-unfreed-device-memory]
    cudaEventCreate(&block.ready);
    live[block.ptr] = block;
    return block.ptr;
  }
  void put(void *ptr) {
    Block block = live[ptr];
    live.erase(ptr);
    cudaFree(ptr);
    cudaEventDestroy(block.ready);
  }

private:
  std::map<void *, Block> live;
};

class ByNumber {
public:
  void get(int n) {
    Block block;
    cudaMalloc(&block.ptr, n); // expected-warning {{'put' frees 'live.ready' and forgets it}} [tensor-unfreed-device-memory]
    cudaEventCreate(&block.ready);
    live[n] = block;
  }
  void put(int n) { // expected-path {{'put' is here}}
    cudaEventDestroy(live[n].ready);
    live.erase(n);
  }

private:
  std::map<int, Block> live;
};
