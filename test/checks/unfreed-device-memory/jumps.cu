// A round of a loop that ends early by `continue` or `break` leaves behind what the others free.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <stdlib.h>
#include <vector>

bool skip(int);
void use(float *);

void declared_in_the_loop(int n) {
  for (int i = 0; i < n; ++i) {
    float *p = nullptr;
    cudaMalloc(&p, 64); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    if (skip(i))
      continue; // expected-path {{this way out leaves it behind}}
    cudaFree(p); // expected-path {{others are freed here}}
  }
}

void taken_anew_in_the_next_round(const std::vector<std::vector<float>> &frames) {
  float *p = nullptr;
  for (const auto &frame : frames) {
    if (cudaMalloc(&p, 64) != cudaSuccess) // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
      return;
    if (frame.empty())
      continue; // expected-path {{this way out leaves it behind}}
    cudaFree(p); // expected-path {{others are freed here}}
  }
}

void left_by_break(int n, const int *sizes) {
  for (int i = 0; i < n; ++i) {
    cudaStream_t stream;
    cudaStreamCreate(&stream); // expected-warning {{'stream' is not given back on every way out}} [tensor-unfreed-device-memory]
    if (sizes[i] == 0)
      break; // expected-path {{this way out leaves it behind}}
    cudaStreamDestroy(stream); // expected-path {{others are freed here}}
  }
}

//===-- None ------------------------------------------------------------------===//

void freed_before_it_goes_on(int n) {
  for (int i = 0; i < n; ++i) {
    float *p = nullptr;
    if (cudaMalloc(&p, 64) != cudaSuccess)
      continue;
    if (skip(i)) {
      cudaFree(p);
      continue;
    }
    cudaFree(p);
  }
}

void freed_by_the_next_round(int n) {
  float *p = nullptr;
  for (int i = 0; i < n; ++i) {
    if (p)
      cudaFree(p);
    cudaMalloc(&p, 64);
    if (skip(i))
      continue;
    cudaFree(p);
    p = nullptr;
  }
  cudaFree(p);
}

void freed_whole_by_the_next_round(int n) {
  float *p = nullptr;
  for (int i = 0; i < n; ++i) {
    cudaFree(p);
    cudaMalloc(&p, 64);
    if (skip(i))
      continue;
    use(nullptr);
  }
  cudaFree(p);
}

void used_again_by_the_next_round(int n) {
  float *p = nullptr;
  for (int i = 0; i < n; ++i) {
    if (!p)
      cudaMalloc(&p, 64);
    if (skip(i))
      continue;
    cudaMemset(p, 0, 64);
  }
  cudaFree(p);
}

void freed_behind_the_loop(int n) {
  float *p = nullptr;
  for (int i = 0; i < n; ++i) {
    cudaMalloc(&p, 64);
    if (skip(i))
      break;
    cudaFree(p);
    p = nullptr;
  }
  cudaFree(p);
}

void kept_in_a_list(int n) {
  std::vector<float *> all;
  for (int i = 0; i < n; ++i) {
    float *p = nullptr;
    cudaMalloc(&p, 64);
    if (skip(i)) {
      all.push_back(p);
      continue;
    }
    cudaFree(p);
  }
  for (float *p : all)
    cudaFree(p);
}

void taken_where_it_does_not_go_on(int n, const int *sizes) {
  for (int i = 0; i < n; ++i) {
    float *p = nullptr;
    if (sizes[i] == 4)
      cudaMalloc(&p, 64);
    if (sizes[i] != 4)
      continue;
    cudaFree(p);
  }
}

void break_of_a_switch(int n, const int *sizes) {
  for (int i = 0; i < n; ++i) {
    float *p = nullptr;
    cudaMalloc(&p, 64);
    switch (sizes[i]) {
    case 0:
      break;
    default:
      cudaMemset(p, 0, 64);
    }
    cudaFree(p);
  }
}

//===-- An object that is filled anew, and never emptied ----------------------===//

class Upload {
  void *staging = nullptr, *device = nullptr;
  size_t capacity = 0;

public:
  bool ensure(size_t n) {
    if (n <= capacity)
      return true;
    release();
    if (cudaMallocHost(&staging, n) != cudaSuccess || cudaMalloc(&device, n) != cudaSuccess) // expected-path {{it is allocated here}}
      return false;
    capacity = n;
    return true;
  }
  void release() {
    if (capacity) {
      cudaFreeHost(staging);
      cudaFree(device);
    }
    capacity = 0;
  }
};

void never_released(size_t n) {
  Upload upload;
  upload.ensure(n); // expected-warning {{'upload' is filled here with pinned host memory, and nothing gives it back}} [tensor-unfreed-device-memory]
}

void released(size_t n) {
  Upload upload;
  upload.ensure(n);
  upload.release();
}

//===-- goto ------------------------------------------------------------------===//

bool query(int *found);

int past_the_release() {
  int found = 0, rc = 0;
  float *p;
  if (cudaMalloc(&p, 64) != cudaSuccess) { // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    rc = -1;
    goto done;
  }
  if (!query(&found)) {
    rc = -1;
    goto release;
  }
  if (found == 0) {
    rc = -2;
    goto done; // expected-path {{this way out leaves it behind}}
  }
release:
  cudaFree(p); // expected-path {{others are freed here}}
done:
  return rc;
}

int to_each_its_label() {
  int found = 0, rc = -1;
  float *p, *q;
  if (cudaMalloc(&p, 64) != cudaSuccess)
    goto done;
  if (cudaMalloc(&q, 64) != cudaSuccess)
    goto free_p;
  if (!query(&found) || found == 0)
    goto free_q;
  rc = 0;
free_q:
  cudaFree(q);
free_p:
  cudaFree(p);
done:
  return rc;
}

int again_after_the_first() {
  int found = 0;
again:
  float *p;
  cudaMalloc(&p, 64);
  if (!query(&found) && found < 3)
    goto free_it;
free_it:
  cudaFree(p);
  if (found == 1)
    goto again;
  return 0;
}

struct OwnsWhatItIsGiven {
  float *Pointer = nullptr;
  ~OwnsWhatItIsGiven() { cudaFree(Pointer); }
};

void to_where_an_object_ends() {
  int found = 0;
  OwnsWhatItIsGiven owner;
  cudaMalloc(&owner.Pointer, 64);
  query(&found);
  if (found == 0)
    goto done;
  use(owner.Pointer);
done:
  return;
}

//===-- Null pointers that jump ----------------------------------------------===//

int behind_a_loop(float *device, size_t n, int levels) {
  int sum = 0;
  float *copy = (float *)malloc(n);
  if (!copy)
    goto end;
  for (int i = 0; i < levels; ++i)
    sum += i;
  free(copy);
end:
  cudaFree(device);
  return sum;
}

int behind_a_loop_and_another_jump(float *device, size_t n, int levels) {
  int sum = 0;
  float *copy = (float *)malloc(n); // expected-note {{host memory in 'copy' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!copy)
    goto end;
  for (int i = 0; i < levels; ++i)
    sum += i;
  if (sum > 8)
    goto end; // expected-path {{this way out leaves it behind}}
  free(copy); // expected-path {{others are freed here}}
end:
  cudaFree(device);
  return sum;
}
