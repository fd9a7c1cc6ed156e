// Memory that rounds ask for again as they need more, or once they need any.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <cufft.h>
#include <vector>

bool needed(int);
__global__ void kernel(float *, int);

//===-- A size that grows ------------------------------------------------------===//

void freed_where_it_is(const std::vector<int> &sizes) {
  float *buffer = nullptr;
  int capacity = 0;
  for (int size : sizes) {
    if (size > capacity) {
      if (buffer)
        cudaFree(buffer);
      cudaMalloc(&buffer, size);
      capacity = size;
    }
    kernel<<<1, 1>>>(buffer, size);
  }
  cudaFree(buffer);
}

void kept_where_it_is(const std::vector<int> &sizes) {
  float *buffer = nullptr;
  int capacity = 0;
  for (int size : sizes) {
    if (size > capacity) {
      cudaMalloc(&buffer, size); // expected-warning {{'buffer' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
      capacity = size;
    }
    kernel<<<1, 1>>>(buffer, size);
  }
  cudaFree(buffer);
}

void freed_by_its_size(const int *sizes, int n) {
  float *buffer;
  int capacity = 0;
  for (int i = 0; i < n; ++i) {
    if (sizes[i] > capacity) {
      if (capacity > 0)
        cudaFree(buffer);
      cudaMalloc(&buffer, sizes[i]);
      capacity = sizes[i];
    }
    kernel<<<1, 1>>>(buffer, i);
  }
  if (capacity > 0)
    cudaFree(buffer);
}

void freed_by_a_size_that_never_grows(const int *sizes, int n) {
  float *buffer;
  int capacity = 0;
  for (int i = 0; i < n; ++i) {
    if (sizes[i] > capacity) {
      if (capacity > 0)
        cudaFree(buffer);
      cudaMalloc(&buffer, sizes[i]); // expected-warning {{'buffer' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    }
    kernel<<<1, 1>>>(buffer, i);
  }
  cudaFree(buffer);
}

//===-- Once it is needed --------------------------------------------------------===//

void taken_when_needed(int n) {
  float *buffer = nullptr;
  bool have = false;
  for (int i = 0; i < n; ++i) {
    if (needed(i)) {
      if (!have) {
        cudaMalloc(&buffer, 4);
        have = true;
      }
      kernel<<<1, 1>>>(buffer, i);
    }
  }
  if (have)
    cudaFree(buffer);
}

void taken_whenever_needed(int n) {
  float *buffer = nullptr;
  bool have = false;
  for (int i = 0; i < n; ++i) {
    if (!needed(i))
      continue;
    cudaMalloc(&buffer, 4); // expected-warning {{'buffer' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
    have = true;
    kernel<<<1, 1>>>(buffer, i);
  }
  if (have)
    cudaFree(buffer);
}

// A flag that says that there is one does not say that there is none.
class PlanOfSize {
public:
  ~PlanOfSize() {
    if (ready_)
      cufftDestroy(plan_);
  }
  void configure(int gates, int pulses) {
    if (ready_ && gates == gates_ && pulses == pulses_)
      return;
    cufftPlan1d(&plan_, gates, CUFFT_C2C, pulses); // expected-warning {{a cuFFT plan in 'plan_' replaces what it held before}} [tensor-unfreed-device-memory]
    gates_ = gates;
    pulses_ = pulses;
    ready_ = true;
  }

private:
  int gates_ = 0, pulses_ = 0;
  bool ready_ = false;
  cufftHandle plan_ = 0;
};

class PlanOfSizeMadeAnew {
public:
  ~PlanOfSizeMadeAnew() {
    if (ready_)
      cufftDestroy(plan_);
  }
  void configure(int gates, int pulses) {
    if (ready_ && gates == gates_ && pulses == pulses_)
      return;
    if (ready_)
      cufftDestroy(plan_);
    cufftPlan1d(&plan_, gates, CUFFT_C2C, pulses);
    gates_ = gates;
    pulses_ = pulses;
    ready_ = true;
  }

private:
  int gates_ = 0, pulses_ = 0;
  bool ready_ = false;
  cufftHandle plan_ = 0;
};

class PlanOfFirstSize {
public:
  ~PlanOfFirstSize() {
    if (ready_)
      cufftDestroy(plan_);
  }
  bool configure(int gates, int pulses) {
    if (ready_ && gates == gates_ && pulses == pulses_)
      return true;
    if (ready_)
      return false;
    cufftPlan1d(&plan_, gates, CUFFT_C2C, pulses);
    gates_ = gates;
    pulses_ = pulses;
    ready_ = true;
    return true;
  }

private:
  int gates_ = 0, pulses_ = 0;
  bool ready_ = false;
  cufftHandle plan_ = 0;
};

// What a helper in between may have set is asked about all the same. Beside an order to do it in
// any case, the old one is lost.
namespace asked_late {

class Batch {
public:
  ~Batch() {
    cudaFree(data_);
    if (count_)
      cudaFree(count_);
  }
  void resize(size_t relations, size_t counted) {
    size_t wanted = relations > capacity_ ? relations : capacity_;
    if (wanted == capacity_)
      return;
    if (counted > 0)
      note_resize(this);
    capacity_ = wanted;
    if (!count_)
      cudaMalloc(&count_, sizeof(unsigned));
  }
  void reset(size_t relations, size_t counted) {
    size_t wanted = relations > capacity_ ? relations : capacity_;
    if (wanted == capacity_)
      return;
    if (counted > 0)
      note_resize(this);
    capacity_ = wanted;
    if (!count_ || counted > 9)
      cudaMalloc(&count_, sizeof(unsigned)); // expected-warning {{4 B of device memory in 'count_' replaces what it held before}} [tensor-unfreed-device-memory]
  }

private:
  static void note_resize(Batch *who);
  size_t capacity_ = 0;
  float *data_ = nullptr;
  unsigned *count_ = nullptr;
};

} // namespace asked_late
