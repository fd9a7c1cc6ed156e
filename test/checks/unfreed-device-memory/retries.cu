// Loops that try again until a flag says that it is enough.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

void use(const int *data);

//===-- A flag that some round clears ---------------------------------------===//

void cleared(int size, int limit) {
  int *data = nullptr;
  bool again = true;
  while (again) {
    cudaMalloc(&data, size);
    if (size > limit) {
      cudaFree(data);
      size /= 2;
    } else {
      again = false;
    }
  }
  use(data);
  cudaFree(data);
}
void cleared_and_kept(int size, int limit) {
  int *data = nullptr;
  bool again = true;
  while (again) {
    cudaMalloc(&data, size); // expected-warning {{'data' is not given back on every way out}} [tensor-unfreed-device-memory]
    if (size > limit) {
      cudaFree(data); // expected-path {{others are freed here}}
      size /= 2;
    } else {
      again = false;
    }
  }
  use(data);
} // expected-path {{this way out leaves it behind}}

//===-- A flag that some round sets -----------------------------------------===//

void set(int size, int limit) {
  int *data = nullptr;
  bool done = false;
  while (!done) {
    cudaMalloc(&data, size);
    if (size > limit) {
      cudaFree(data);
      size /= 2;
    } else {
      done = true;
    }
  }
  use(data);
  cudaFree(data);
}
void set_too_early(int size, int limit) {
  int *data = nullptr;
  bool done = false;
  while (!done) {
    cudaMalloc(&data, size); // expected-warning {{'data' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    if (size <= limit)
      done = true;
    size /= 2;
  }
  cudaFree(data);
}

//===-- A flag that each round computes -------------------------------------===//

void computed(int size, int limit) {
  int *data = nullptr;
  bool again = true;
  while (again) {
    cudaMalloc(&data, size);
    again = size > limit;
    if (again) {
      cudaFree(data);
      size = limit / 2;
    }
  }
  use(data);
  cudaFree(data);
}
void computed_and_kept(int size, int limit) {
  int *data = nullptr;
  bool again = true;
  while (again) {
    cudaMalloc(&data, size); // expected-warning {{'data' is not given back on every way out}} [tensor-unfreed-device-memory]
    again = size > limit;
    if (again) {
      cudaFree(data); // expected-path {{others are freed here}}
      size = limit / 2;
    }
  }
  use(data);
} // expected-path {{this way out leaves it behind}}
void computed_and_lost(int size, int limit) {
  int *data = nullptr;
  bool again = true;
  while (again) {
    cudaMalloc(&data, size); // expected-warning {{'data' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    again = size > limit;
    size = limit / 2;
  }
  use(data);
  cudaFree(data);
}
void computed_last(int size, int limit) {
  int *data = nullptr;
  bool done = false;
  do {
    cudaMalloc(&data, size);
    done = size < limit;
    if (!done)
      cudaFree(data);
    size -= 10;
  } while (!done);
  cudaFree(data);
}

//===-- Not what the flag says ----------------------------------------------===//

void another_flag(int size, int limit, bool keep) {
  int *data = nullptr;
  bool again = true;
  while (again) {
    cudaMalloc(&data, size); // expected-warning {{'data' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    again = size > limit;
    if (!keep)
      cudaFree(data);
    size = limit / 2;
  }
  if (keep)
    cudaFree(data);
}
