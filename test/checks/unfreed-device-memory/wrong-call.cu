// Members and globals that go to a call of another family than the one that filled them, in another
// function.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <cstdlib>

class FreedAsHost {
public:
  explicit FreedAsHost(int n) { cudaMallocHost(&h, n); } // expected-warning {{'h' must be given back with 'cudaFreeHost', and another call gets it}} [tensor-unfreed-device-memory]
  ~FreedAsHost() { free(h); } // expected-path {{it is given to this call}}

private:
  float *h;
};
class FreedAsDevice {
public:
  explicit FreedAsDevice(int n) { cudaMallocHost(&h, n); } // expected-warning {{'cudaFreeHost', and another call gets it}} [tensor-unfreed-device-memory]
  ~FreedAsDevice() { cudaFree(h); } // expected-path {{it is given to this call}}

private:
  float *h;
};
struct Buffers {
  float *h, *d;
};
void make(Buffers *b) {
  cudaHostAlloc((void **)&b->h, 10, 0); // expected-warning {{'cudaFreeHost', and another call gets it}} [tensor-unfreed-device-memory]
  cudaMalloc(&b->d, 10); // expected-warning {{'cudaFree', and another call gets it}} [tensor-unfreed-device-memory]
}
void unmake(Buffers *b) {
  free(b->h); // expected-path {{it is given to this call}}
  free(b->d); // expected-path {{it is given to this call}}
}
static float *staging;
void begin() { cudaMallocHost(&staging, 100); } // expected-warning {{'cudaFreeHost', and another call gets it}} [tensor-unfreed-device-memory]
void end() { free(staging); } // expected-path {{it is given to this call}}

// Nor is an event memory.
class Timer {
public:
  Timer() {
    cudaEventCreate(&begin); // expected-warning {{must be given back with 'cudaEventDestroy', and another call gets it}} [tensor-unfreed-device-memory]
    cudaStreamCreate(&stream); // expected-warning {{must be given back with 'cudaStreamDestroy', and another call gets it}} [tensor-unfreed-device-memory]
  }
  ~Timer() {
    cudaFree(begin); // expected-path {{it is given to this call}}
    cudaFree(stream); // expected-path {{it is given to this call}}
  }

private:
  cudaEvent_t begin;
  cudaStream_t stream;
};
class SoundTimer {
public:
  SoundTimer() {
    cudaEventCreate(&begin);
    cudaStreamCreate(&stream);
  }
  ~SoundTimer() {
    cudaEventDestroy(begin);
    cudaStreamDestroy(stream);
  }

private:
  cudaEvent_t begin;
  cudaStream_t stream;
};

// What an unseen function may have put there could be what the call is for.
float *fromElsewhere(int n);
class FilledInTwoWays {
public:
  FilledInTwoWays(int n, bool pinned) {
    if (pinned)
      cudaMallocHost(&h, n); // expected-note {{another call gets it}} [tensor-unfreed-device-memory]
    else
      h = fromElsewhere(n);
  }
  ~FilledInTwoWays() { free(h); } // expected-path {{it is given to this call}}

private:
  float *h;
};

// Near misses.
class FreedAsItIs {
public:
  FreedAsItIs(int n, bool pinned) : pinned(pinned) {
    if (pinned)
      cudaMallocHost(&h, n);
    else
      h = (float *)malloc(n);
  }
  ~FreedAsItIs() {
    if (pinned)
      cudaFreeHost(h);
    else
      free(h);
  }

private:
  float *h;
  bool pinned;
};
class OneFree {
public:
  OneFree(int n, bool pinned) {
    if (pinned)
      cudaMallocHost(&p, n);
    else
      cudaMalloc(&p, n);
  }
  ~OneFree() { cudaFree(p); }

private:
  float *p;
};
class Registered {
public:
  explicit Registered(int n) : h((float *)malloc(n)) { cudaHostRegister(h, n, 0); }
  ~Registered() {
    cudaHostUnregister(h);
    free(h);
  }

private:
  float *h;
};
class InOrder {
public:
  explicit InOrder(int n, cudaStream_t s) { cudaMallocAsync((void **)&p, n, s); }
  ~InOrder() { cudaFree(p); }

private:
  float *p;
};

// A method that makes room for more calls what is right, and the destructor does not.
class Workspace {
public:
  ~Workspace() { free(h); } // expected-path {{it is given to this call}}
  void reserve(int n) {
    if (n <= size)
      return;
    if (h)
      cudaFreeHost(h);
    cudaMallocHost(&h, n); // expected-warning {{'h' must be given back with 'cudaFreeHost', and another call gets it}} [tensor-unfreed-device-memory]
    size = n;
  }

private:
  float *h = nullptr;
  int size = 0;
};
class RightWorkspace {
public:
  ~RightWorkspace() { cudaFreeHost(h); }
  void reserve(int n) {
    if (n <= size)
      return;
    if (h)
      cudaFreeHost(h);
    cudaMallocHost(&h, n);
    size = n;
  }

private:
  float *h = nullptr;
  int size = 0;
};
