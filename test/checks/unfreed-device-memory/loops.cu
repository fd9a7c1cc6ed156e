// A pointer that gets new memory before the old is given back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

__global__ void kernel(float *data, int n) {}

void overwritten_in_a_loop(int n) {
  float *data = nullptr;
  for (int i = 0; i < 10; ++i)
    cudaMalloc(&data, n); // expected-warning {{each round}} [tensor-unfreed-device-memory]
  cudaFree(data);
}

void declared_in_the_loop(int n) {
  for (int i = 0; i < 10; ++i) {
    float *data; // expected-path {{it is overwritten here}}
    cudaMalloc(&data, n); // expected-warning {{'data'}} [tensor-unfreed-device-memory]
    kernel<<<1, 32>>>(data, n);
  }
}

void freed_each_round(int n) {
  float *data;
  for (int i = 0; i < 10; ++i) {
    cudaMalloc(&data, n);
    kernel<<<1, 32>>>(data, n);
    cudaFree(data);
  }
}

void taken_once(int n) {
  float *data = nullptr;
  for (int i = 0; i < 10; ++i) {
    if (!data)
      cudaMalloc(&data, n);
    kernel<<<1, 32>>>(data, n);
  }
  cudaFree(data);
}

// Under a condition that holds in one round.
void in_the_first_round(int rounds, int n) {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  bool first = true;
  int count = 0;
  for (int i = 0; i < rounds; i++) {
    if (i == 0 && n > 4)
      cudaMalloc(&a, n);
    if (first) {
      cudaMalloc(&b, n);
      first = false;
    }
    if (!count)
      cudaMalloc(&c, n);
    ++count;
    kernel<<<1, 32>>>(a, n);
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

void freed_in_the_last(int rounds, int n) {
  float *a = nullptr;
  for (int i = 0; i < rounds; ++i) {
    if (i == 0)
      cudaMalloc(&a, n);
    kernel<<<1, 32>>>(a, n);
    if (i == rounds - 1)
      cudaFree(a);
  }
}

float *make(int n) {
  float *made;
  cudaMalloc(&made, n);
  return made;
}
void never_in_the_first_round(int rounds, int n) {
  float *a = nullptr, *b = nullptr;
  for (int i = 0; i < rounds; ++i) {
    if (i == 0) {
      cudaMalloc(&a, n); // expected-warning {{'a' is not given back before}} [tensor-unfreed-device-memory]
      b = make(n);
    }
    kernel<<<1, 32>>>(a, n);
  }
  cudaFree(b); // expected-path {{others are freed here}}
}

void in_more_rounds(int rounds, int n) {
  float *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
  bool first = true;
  for (int i = 0; i < rounds; ++i) {
    if (i != 0)
      cudaMalloc(&a, n); // expected-warning {{each round}} [tensor-unfreed-device-memory]
    if (first) {
      cudaMalloc(&b, n); // expected-warning {{each round}} [tensor-unfreed-device-memory]
      if (n > 4)
        first = false;
    }
    int k = i % 4;
    if (k == 0)
      cudaMalloc(&c, n); // expected-warning {{each round}} [tensor-unfreed-device-memory]
    for (int j = 0; j < rounds; ++j)
      if (j == 0)
        cudaMalloc(&d, n); // expected-warning {{each round}} [tensor-unfreed-device-memory]
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
}

// Counts back to where it began.
void in_every_fourth(int rounds, int n) {
  float *a = nullptr;
  int k = 0;
  for (int i = 0; i < rounds; ++i) {
    if (k == 0)
      cudaMalloc(&a, n); // expected-warning {{each round}} [tensor-unfreed-device-memory]
    if (++k == 4)
      k = 0;
  }
  cudaFree(a);
}

// The new one takes the place of the old, which is freed first.
float *reduce(float *values, int n) {
  float *initial;
  cudaMalloc(&initial, n);
  while (n > 1) {
    float *next;
    cudaMalloc(&next, n / 2); // expected-path {{it is allocated here}}
    kernel<<<1, 32>>>(next, n / 2);
    cudaFree(initial);
    initial = next;
    n /= 2;
  }
  return initial;
}

float sum(float *values, int n) {
  float *result = reduce(values, n);
  float host;
  cudaMemcpy(&host, result, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(result);
  return host;
}

float sum_forgets(float *values, int n) {
  float *result = reduce(values, n); // expected-warning {{'result'}} [tensor-unfreed-device-memory]
  float host;
  cudaMemcpy(&host, result, sizeof(float), cudaMemcpyDeviceToHost);
  return host; // expected-fix {{cudaFree(result);}}
}

void replaced(int n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{overwritten}} [tensor-unfreed-device-memory]
  kernel<<<1, 32>>>(data, n);
  cudaMalloc(&data, 2 * n); // expected-path {{it is overwritten here}}
  cudaFree(data);
}

// Several pointers in an array, or in a vector.
void in_an_array(int n) {
  float *data[4];
  for (int i = 0; i < 4; ++i)
    cudaMalloc(&data[i], n);
  for (int i = 0; i < 4; ++i)
    cudaFree(data[i]);
}

void in_an_array_forgets_one(int n) {
  float *data[2];
  cudaMalloc(&data[0], n);
  cudaMalloc(&data[1], n); // expected-warning {{'data[1]'}} [tensor-unfreed-device-memory]
  cudaFree(data[0]); // expected-path {{others are freed here}}
}

void list_of_pointers(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  for (float *each : {a, b})
    cudaFree(each);
}

// A buffer that grows with its input.
static float *buffer;
static int capacity;
void grow(int n) {
  if (n > capacity) {
    cudaMalloc(&buffer, n); // expected-warning {{replaces}} [tensor-unfreed-device-memory]
    capacity = n;
  }
  kernel<<<1, 32>>>(buffer, n);
}
void shutdown() { cudaFree(buffer); }

static float *kept;
struct Grown {
  int points;
  float *once, *again;
};
void grow_what_is_null(Grown *grown, int n) {
  if (grown->points != n) {
    grown->points = n;
    if (!grown->once)
      cudaMalloc(&grown->once, 64);
    cudaMalloc(&grown->again, n); // expected-warning {{'grown->again' replaces what it held before}} [tensor-unfreed-device-memory]
  }
}

static int kept_capacity;
void grow_and_free(int n) {
  if (n > kept_capacity) {
    if (kept)
      cudaFree(kept);
    cudaMalloc(&kept, n);
    kept_capacity = n;
  }
  kernel<<<1, 32>>>(kept, n);
}
void shutdown_kept() { cudaFree(kept); }

static float *made_once;
void once(int n) {
  if (made_once == nullptr)
    cudaMalloc(&made_once, n);
  kernel<<<1, 32>>>(made_once, n);
}
void shutdown_once() { cudaFree(made_once); }

//===-- Pointers that are computed ------------------------------------------===//

void every_round_another_element(int n) {
  float **levels = new float *[n];
  int level = n - 1;
  cudaMalloc(levels + level, 1024);
  for (; level > 0; --level)
    cudaMalloc(levels + level - 1, 1024);
  for (int i = 0; i < n; ++i)
    cudaFree(levels[i]);
  delete[] levels;
}

void the_same_element(int n, float **pair) {
  for (int i = 0; i < n; ++i)
    cudaMalloc(pair + 1, 1024); // expected-warning {{taken anew in each round}} [tensor-unfreed-device-memory]
  cudaFree(pair[1]);
}

void the_same_element_of_an_array(int n) {
  float *pair[2];
  for (int i = 0; i < n; ++i)
    cudaMalloc(pair + 1, 1024); // expected-warning {{device memory in 'pair[1]' is taken anew in each round}} [tensor-unfreed-device-memory]
  cudaFree(pair[1]);
}

void the_other_element_is_freed(int n) {
  float *pair[2];
  cudaMalloc(pair, n);
  cudaMalloc(pair + 1, n); // expected-warning {{'pair[1]'}} [tensor-unfreed-device-memory]
  cudaFree(pair[0]); // expected-path {{others are freed here}}
}

void never_freed(int n) {
  float *all[4];
  for (int i = 0; i < 4; ++i)
    cudaMalloc(all + i, 1024); // expected-warning {{not given back}} [tensor-unfreed-device-memory]
  for (int i = 0; i < 4; ++i)
    cudaMalloc(&all[i], 1024); // expected-warning {{not given back}} [tensor-unfreed-device-memory]
}

void freed_each_round_in_an_array(int n) {
  float *pair[2];
  for (int i = 0; i < n; ++i) {
    cudaMalloc(pair + 1, 1024);
    kernel<<<1, 32>>>(pair[1], n);
    cudaFree(*(pair + 1));
  }
}

void another_element_each_time(int n) {
  float *three[3];
  cudaMalloc(three, n);
  cudaMalloc(three + 1, n);
  float **last = three + 2;
  cudaMalloc(last, n);
  for (float *each : three)
    cudaFree(each);
}

void through_a_pointer(int n) {
  float *pair[2];
  float **second = pair + 1;
  for (int i = 0; i < n; ++i) {
    cudaMalloc(second, n);
    cudaFree(pair[1]);
  }
  cudaMalloc(second - 1, n);
  cudaFree(pair[0]);
}

// Asks for less until there is so much: a call that failed has taken nothing.
size_t available(size_t bytes) {
  void *work;
  while (true) {
    cudaMalloc(&work, bytes);
    if (cudaGetLastError() == cudaSuccess)
      break;
    bytes -= 1 << 20;
  }
  cudaFree(work);
  return bytes;
}

size_t available_by_its_status(size_t bytes) {
  void *work;
  for (;;) {
    cudaMalloc(&work, bytes);
    cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess)
      break;
    bytes /= 2;
  }
  cudaFree(work);
  return bytes;
}

// The error may be the kernel's.
void try_again(float *host, size_t bytes) {
  float *work;
  while (true) {
    cudaMalloc(&work, bytes); // expected-warning {{'work' is taken anew in each round}} [tensor-unfreed-device-memory]
    kernel<<<1, 32>>>(work, bytes);
    if (cudaGetLastError() == cudaSuccess)
      break;
  }
  cudaFree(work);
}

// A status that a function of the program looks at and hands on.
void make_room();
cudaError_t checked(cudaError_t error, const char *file, int line) {
  if (error)
    make_room();
  return error;
}
#define CHECKED(call) checked((call), __FILE__, __LINE__)

struct Block {
  float *data;
};
cudaError_t asks_twice(Block *out, size_t bytes) {
  cudaError_t error = cudaSuccess;
  Block found;
  if (CHECKED(error = cudaMalloc(&found.data, bytes)) == cudaErrorMemoryAllocation) {
    make_room();
    if (CHECKED(error = cudaMalloc(&found.data, bytes)))
      return error;
  }
  *out = found;
  return error;
}

cudaError_t asks_twice_when_all_is_well(Block *out, size_t bytes) {
  Block found;
  if (CHECKED(cudaMalloc(&found.data, bytes)) == cudaSuccess) { // expected-warning {{overwritten before it is given back}} [tensor-unfreed-device-memory]
    if (CHECKED(cudaMalloc(&found.data, bytes)) != cudaSuccess) // expected-path {{it is overwritten here}}
      return cudaErrorMemoryAllocation;
  }
  *out = found;
  return cudaSuccess;
}

//===-- A callee that knows one place by two names ------------------------===//

static void take_and_free(float **second, int n, float **pair) {
  cudaMalloc(second, n); // expected-path {{it is allocated here}}
  cudaFree(pair[1]);
}

void through_two_names(int n) {
  float *pair[2];
  float **second = pair + 1;
  for (int i = 0; i < n; ++i)
    take_and_free(second, n, pair);
  cudaMalloc(second - 1, n);
  cudaFree(pair[0]);
}

void another_is_taken(int n) {
  float *pair[2] = {nullptr, nullptr}, *other = nullptr;
  take_and_free(&other, n, pair); // expected-warning {{'other' is not given back}} [tensor-unfreed-device-memory] expected-path {{others are freed here}}
} // expected-fix {{cudaFree(other);}}
