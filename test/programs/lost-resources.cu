// Small programs that no rule was written for: resources of a device that are lost in forms
// that the rule tests do not have. Each with a twin that gives all back.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <vector>

__global__ void kernel(float *p, int n) {}

// A container of structs; the vector's owner frees only the first member.
namespace pool {
struct Slot {
  float *data = nullptr;
  int *index = nullptr;
};
class Pool {
public:
  explicit Pool(int n) {
    slots.resize(n);
    for (auto &s : slots) {
      cudaMalloc(&s.data, 1024);
      cudaMalloc(&s.index, 256); // expected-warning {{'slots[].index'}} [tensor-unfreed-device-memory]
    }
  }
  ~Pool() { // expected-path {{'~Pool' is here}}
    for (auto &s : slots)
      cudaFree(s.data);
  }

private:
  std::vector<Slot> slots;
};
} // namespace pool

namespace pool_clean {
struct Slot {
  float *data = nullptr;
  int *index = nullptr;
};
class Pool {
public:
  explicit Pool(int n) {
    slots.resize(n);
    for (auto &s : slots) {
      cudaMalloc(&s.data, 1024);
      cudaMalloc(&s.index, 256);
    }
  }
  ~Pool() {
    for (auto &s : slots)
      cudaFree(s.data), cudaFree(s.index);
  }

private:
  std::vector<Slot> slots;
};
} // namespace pool_clean

// Clean-up by goto that misses one label.
namespace by_goto {
int run(int n) {
  float *a = nullptr, *b = nullptr;
  int rc = -1;
  if (cudaMalloc(&a, n) != cudaSuccess) // expected-warning {{'a'}} [tensor-unfreed-device-memory]
    goto done;
  if (cudaMalloc(&b, n) != cudaSuccess) // expected-path {{'b' gets device memory here}}
    goto done;
  if (cudaMemset(b, 0, n) != cudaSuccess)
    goto free_a;
  rc = 0;
  cudaFree(b);
free_a:
  cudaFree(a); // expected-path {{others are freed here}}
done:
  return rc; // expected-path {{this way out leaves them behind}}
}
} // namespace by_goto

namespace by_goto_clean {
int run(int n) {
  float *a = nullptr, *b = nullptr;
  int rc = -1;
  if (cudaMalloc(&a, n) != cudaSuccess)
    goto done;
  if (cudaMalloc(&b, n) != cudaSuccess)
    goto free_a;
  if (cudaMemset(b, 0, n) != cudaSuccess && cudaFree(b) == cudaSuccess)
    goto free_a;
  rc = 0;
  cudaFree(b);
free_a:
  cudaFree(a);
done:
  return rc;
}
} // namespace by_goto_clean

// A virtual allocate; the base's destructor is empty.
namespace virtual_buffer {
struct Buffer {
  virtual ~Buffer() {}
  virtual void allocate(int n) = 0;
};
class DeviceBuffer : public Buffer {
public:
  void allocate(int n) override { cudaMalloc(&data, n); } // expected-warning {{'data'}} [tensor-unfreed-device-memory]
private:
  float *data = nullptr;
};
} // namespace virtual_buffer

namespace virtual_buffer_clean {
struct Buffer {
  virtual ~Buffer() {}
  virtual void allocate(int n) = 0;
};
class DeviceBuffer : public Buffer {
public:
  void allocate(int n) override { cudaMalloc(&data, n); } // expected-note {{a second one for the same object loses the one before}} [tensor-unfreed-device-memory]
  ~DeviceBuffer() override { cudaFree(data); }

private:
  float *data = nullptr;
};
} // namespace virtual_buffer_clean

// A lambda allocates; the loop forgets.
namespace lambda_alloc {
void run(int n) {
  auto make = [n] {
    float *p;
    cudaMalloc(&p, n); // expected-path {{it is allocated here}}
    return p;
  };
  for (int i = 0; i < 100; ++i) {
    float *work = make(); // expected-warning {{'work'}} [tensor-unfreed-device-memory] expected-path {{it is overwritten here}}
    kernel<<<1, 32>>>(work, n);
  }
}
} // namespace lambda_alloc

namespace lambda_alloc_clean {
void run(int n) {
  auto make = [n] {
    float *p;
    cudaMalloc(&p, n);
    return p;
  };
  for (int i = 0; i < 100; ++i) {
    float *work = make();
    kernel<<<1, 32>>>(work, n);
    cudaFree(work);
  }
}
} // namespace lambda_alloc_clean

// A stream and an event by mode; one case returns early.
namespace stream_switch {
enum Mode { Fast, Slow, Off };
int run(Mode m, float *p, int n) {
  cudaStream_t s;
  cudaStreamCreate(&s); // expected-warning {{'s'}} [tensor-unfreed-device-memory]
  switch (m) {
  case Off:
    return 0; // expected-path {{this way out leaves it behind}}
  case Fast:
    cudaMemsetAsync(p, 0, n, s);
    break;
  default:
    cudaMemset(p, 0, n);
  }
  cudaStreamDestroy(s); // expected-path {{others are freed here}}
  return 1;
}
} // namespace stream_switch

namespace stream_switch_clean {
enum Mode { Fast, Slow, Off };
int run(Mode m, float *p, int n) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  switch (m) {
  case Off:
    cudaStreamDestroy(s);
    return 0;
  case Fast:
    cudaMemsetAsync(p, 0, n, s);
    break;
  default:
    cudaMemset(p, 0, n);
  }
  cudaStreamDestroy(s);
  return 1;
}
} // namespace stream_switch_clean

// Two flags, computed once and asked later.
namespace flag_named {
void run(int n, bool debug) {
  const bool needs = n > 128 || debug;
  float *extra = nullptr;
  if (needs)
    cudaMalloc(&extra, n); // expected-warning {{'extra'}} [tensor-unfreed-device-memory]
  kernel<<<1, 32>>>(extra, n);
  const bool done = n > 128 && debug;
  if (done)
    cudaFree(extra); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}
} // namespace flag_named

namespace flag_named_clean {
void run(int n, bool debug) {
  const bool needs = n > 128 || debug;
  float *extra = nullptr;
  if (needs)
    cudaMalloc(&extra, n);
  kernel<<<1, 32>>>(extra, n);
  const bool done = !(n <= 128 && !debug);
  if (done)
    cudaFree(extra);
}
} // namespace flag_named_clean

// An executable graph made anew for each size.
namespace graph {
void run(cudaStream_t s, int rounds, cudaGraph_t g) {
  cudaGraphExec_t exec;
  for (int i = 0; i < rounds; ++i) {
    cudaGraphInstantiate(&exec, g, 0); // expected-warning {{'exec'}} [tensor-unfreed-device-memory]
    cudaGraphLaunch(exec, s);
  }
  cudaGraphExecDestroy(exec);
}
} // namespace graph

namespace graph_clean {
void run(cudaStream_t s, int rounds, cudaGraph_t g) {
  cudaGraphExec_t exec;
  for (int i = 0; i < rounds; ++i) {
    cudaGraphInstantiate(&exec, g, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphExecDestroy(exec);
  }
}
} // namespace graph_clean

// An out-parameter by reference of a method of a base class template.
namespace out_reference {
template <typename T> struct Allocator {
  cudaError_t take(T *&out, int n) { return cudaMalloc(&out, n * sizeof(T)); } // expected-path {{it is allocated here}}
  void give(T *p) { cudaFree(p); }
};
struct Floats : Allocator<float> {};
int run(int n) {
  Floats pool;
  float *a, *b;
  if (pool.take(a, n) != cudaSuccess) // expected-warning {{'a'}} [tensor-unfreed-device-memory]
    return -1;
  if (pool.take(b, n) != cudaSuccess)
    return -2; // expected-path {{this way out leaves it behind}}
  pool.give(b); // expected-path {{others are freed here}}
  pool.give(a);
  return 0;
}
} // namespace out_reference

namespace out_reference_clean {
template <typename T> struct Allocator {
  cudaError_t take(T *&out, int n) { return cudaMalloc(&out, n * sizeof(T)); }
  void give(T *p) { cudaFree(p); }
};
struct Floats : Allocator<float> {};
int run(int n) {
  Floats pool;
  float *a, *b;
  if (pool.take(a, n) != cudaSuccess)
    return -1;
  if (pool.take(b, n) != cudaSuccess)
    return pool.give(a), -2;
  pool.give(b);
  pool.give(a);
  return 0;
}
} // namespace out_reference_clean
