// A set-up method that runs again on an object which holds something from the start, and gives
// nothing back before.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>

#include <memory>

class Grid {
public:
  explicit Grid(int n) { set_up(n); }
  ~Grid() { cudaFree(cells); }
  void resize(int n) {
    set_up(n); // expected-path {{called here after it was made once}}
  }

private:
  void set_up(int n) {
    cudaMalloc(&cells, n); // expected-warning {{'cells' replaces what it held before}} [tensor-unfreed-device-memory]
  }
  float *cells = nullptr;
};

// The call that is handed on is not the second one; that of another method is.
class HandsOn {
public:
  explicit HandsOn(int n) { create(n); }
  ~HandsOn() { cudaFree(cells); }
  void resize(int n) {
    create(n); // expected-path {{called here after it was made once}}
  }

private:
  void set_up(int n) {
    cudaMalloc(&cells, n); // expected-warning {{'cells' replaces what it held before}} [tensor-unfreed-device-memory]
  }
  void create(int n) { set_up(n); }
  float *cells = nullptr;
};

// Nobody is in view who calls it, and a second call has a purpose.
class Filter {
public:
  ~Filter() {
    if (kernel)
      cudaFree(kernel);
  }
  void set_kernel(const float *host, int n);

private:
  float *kernel = nullptr;
};

void Filter::set_kernel(const float *host, int n) {
  cudaMalloc(&kernel, n); // expected-note {{in 'kernel' is taken anew by each call of 'set_kernel', and a second one for the same object loses the one before}} [tensor-unfreed-device-memory]
  cudaMemcpy(kernel, host, n, cudaMemcpyHostToDevice);
}

//===-- Near misses ---------------------------------------------------------===//

class TornDown {
public:
  explicit TornDown(int n) { set_up(n); }
  ~TornDown() { tear_down(); }
  void resize(int n) {
    tear_down();
    set_up(n);
  }

private:
  void set_up(int n) { cudaMalloc(&cells, n); }
  void tear_down() { cudaFree(cells); }
  float *cells = nullptr;
};

class Asked {
public:
  explicit Asked(int n) { set_up(n); }
  ~Asked() { cudaFree(cells); }
  void resize(int n) { set_up(n); }

private:
  void set_up(int n) {
    if (cells)
      cudaFree(cells);
    cudaMalloc(&cells, n);
  }
  float *cells = nullptr;
};

// An object may also begin empty, to be set up later.
class Late {
public:
  Late() = default;
  explicit Late(int n) { set_up(n); }
  ~Late() { cudaFree(cells); }
  void begin(int n) { set_up(n); }

private:
  void set_up(int n) { cudaMalloc(&cells, n); }
  float *cells = nullptr;
};

class HandsOnOnce {
public:
  explicit HandsOnOnce(int n) { create(n); }
  ~HandsOnOnce() { cudaFree(cells); }

private:
  void set_up(int n) { cudaMalloc(&cells, n); }
  void create(int n) { set_up(n); }
  float *cells = nullptr;
};

class TearsDownBeforeIt {
public:
  explicit TearsDownBeforeIt(int n) { create(n); }
  ~TearsDownBeforeIt() { cudaFree(cells); }
  void resize(int n) {
    cudaFree(cells);
    create(n);
  }

private:
  void set_up(int n) { cudaMalloc(&cells, n); }
  void create(int n) { set_up(n); }
  float *cells = nullptr;
};

// An object of the first constructor holds nothing yet: others may call create() on such only.
class Sometimes {
public:
  Sometimes() : event(nullptr) {}
  explicit Sometimes(int) { cudaEventCreate(&event); }
  ~Sometimes() { cudaEventDestroy(event); }
  void create() { cudaEventCreate(&event); } // expected-note {{replaces what it held before}} [tensor-unfreed-device-memory]

private:
  cudaEvent_t event;
};

class GivenBackOrOnce {
public:
  ~GivenBackOrOnce() {
    cudaFree(kernel);
    cudaFree(kept);
    cudaFree(scratch);
  }
  void set_kernel(int n) {
    cudaFree(kernel);
    cudaMalloc(&kernel, n);
  }
  void keep_kernel(int n) {
    if (!kept)
      cudaMalloc(&kept, n);
  }
  void set_up() { cudaMalloc(&scratch, 1024); } // no other call has another result

private:
  float *kernel = nullptr, *kept = nullptr, *scratch = nullptr;
};

// The object holds nothing of it between two calls.
class WhileItRuns {
public:
  ~WhileItRuns() { cudaFree(scratch); }
  void run(int n) {
    cudaMalloc(&scratch, n);
    cudaMemset(scratch, 0, n);
    cudaFree(scratch);
    scratch = nullptr;
  }

private:
  float *scratch = nullptr;
};

//===-- Through a base class ------------------------------------------------------===//

class Backend {
public:
  virtual ~Backend() = default;
  virtual void start(int n) = 0;
};

class DeviceBackend : public Backend {
public:
  DeviceBackend() { start(64); }
  DeviceBackend(const DeviceBackend &) = delete;
  ~DeviceBackend() override { cudaFree(memory); }
  void start(int n) override { cudaMalloc(&memory, n); } // expected-warning {{'memory' replaces what it held before}} [tensor-unfreed-device-memory]

private:
  float *memory = nullptr;
};

void start_again() {
  std::unique_ptr<Backend> backend = std::make_unique<DeviceBackend>();
  backend->start(128); // expected-path {{called here after it was made once}}
}

class FreeingBackend : public Backend {
public:
  FreeingBackend() { start(64); }
  FreeingBackend(const FreeingBackend &) = delete;
  ~FreeingBackend() override { cudaFree(memory); }
  void start(int n) override {
    cudaFree(memory);
    cudaMalloc(&memory, n);
  }

private:
  float *memory = nullptr;
};

void start_freeing_again() {
  std::unique_ptr<Backend> backend = std::make_unique<FreeingBackend>();
  backend->start(128);
}

// Only others are started again.
class OnceBackend : public Backend {
public:
  OnceBackend() { start(64); }
  OnceBackend(const OnceBackend &) = delete;
  ~OnceBackend() override { cudaFree(memory); }
  void start(int n) override { cudaMalloc(&memory, n); }

private:
  float *memory = nullptr;
};

std::unique_ptr<Backend> make_once() { return std::make_unique<OnceBackend>(); }
