// A method empties a record in a member, or empties the member whatever its caller says of what is
// in it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

struct Block {
  float *data = nullptr;
  size_t count = 0;
};

static Block take(size_t n) {
  Block b;
  cudaMalloc(&b.data, n * sizeof(float)); // expected-path {{it is allocated here}}
  b.count = n;
  return b;
}

class Stage {
public:
  Stage() {}
  Stage(const Stage &) = delete;
  ~Stage() { cudaFree(block_.data); }
  void load(size_t n) {
    cudaFree(block_.data);
    block_ = take(n); // expected-path {{'block_.data' gets it here}}
  }
  void reset() {
    block_ = {}; // expected-warning {{device memory in 'block_.data' is lost where the member is emptied here; call 'cudaFree' first}} [tensor-unfreed-device-memory]
  }

private:
  Block block_;
};

class Scratch {
public:
  Scratch() {}
  Scratch(const Scratch &) = delete;
  ~Scratch() { cudaFree(data_); }
  void load(size_t n) {
    cudaFree(data_);
    cudaMalloc(&data_, n); // expected-path {{'data_' gets it here}}
  }
  void reset(bool deep) {
    if (deep)
      cudaFree(data_);
    data_ = nullptr; // expected-warning {{device memory in 'data_' is lost where the member is emptied here; call 'cudaFree' first}} [tensor-unfreed-device-memory]
  }

private:
  float *data_ = nullptr;
};

// The one who calls both: what is loaded is there when it is reset.
void drive(Stage &stage, Scratch &scratch, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    stage.load(1 << 20);
    stage.reset();
    scratch.load(1 << 20);
    scratch.reset(i % 2 == 0);
  }
}

//===-- Near misses -----------------------------------------------------------------===//

struct Page {
  float *data = nullptr;
  size_t count = 0;
};

class Freed {
public:
  Freed() {}
  Freed(const Freed &) = delete;
  ~Freed() { cudaFree(page_.data); }
  void load(size_t n) {
    reset();
    cudaMalloc(&page_.data, n);
    page_.count = n;
  }
  void reset() {
    cudaFree(page_.data);
    page_ = Page{};
  }

private:
  Page page_;
};

// Only where the object ends may it be left to a driver that is gone.
bool isDriverAlive();

class AlwaysDeep {
public:
  AlwaysDeep() {}
  AlwaysDeep(const AlwaysDeep &) = delete;
  ~AlwaysDeep() { reset(isDriverAlive()); }
  void load(size_t n) {
    reset(true);
    cudaMalloc(&data_, n);
  }
  void reset(bool deep) {
    if (deep)
      cudaFree(data_);
    data_ = nullptr;
  }

private:
  float *data_ = nullptr;
};

// Others have it then: a caller took the pointer.
class Lender {
public:
  Lender() {}
  Lender(const Lender &) = delete;
  ~Lender() { cudaFree(data_); }
  float *get() const { return data_; }
  void load(size_t n) {
    cudaFree(data_);
    cudaMalloc(&data_, n);
  }
  void reset(bool owned) {
    if (owned)
      cudaFree(data_);
    data_ = nullptr;
  }

private:
  float *data_ = nullptr;
};

// It is emptied only where it was freed.
class OnRequest {
public:
  OnRequest() {}
  OnRequest(const OnRequest &) = delete;
  ~OnRequest() { cudaFree(data_); }
  void load(size_t n) {
    cudaFree(data_);
    cudaMalloc(&data_, n);
  }
  void reset(bool deep) {
    if (deep) {
      cudaFree(data_);
      data_ = nullptr;
    }
  }

private:
  float *data_ = nullptr;
};

// Who calls it has freed it.
struct Slab {
  float *data = nullptr;
  void forget() { data = nullptr; }
};

static void freeSlab(Slab &slab) { cudaFree(slab.data); }

void driveOthers(Freed &freed, AlwaysDeep &deep, Lender &lender, OnRequest &request, int rounds) {
  Slab slab;
  for (int i = 0; i < rounds; ++i) {
    freed.load(1 << 20);
    freed.reset();
    deep.load(1 << 20);
    deep.reset(true);
    lender.load(1 << 20);
    float *given = i % 2 ? lender.get() : nullptr;
    lender.reset(i % 2 == 0);
    cudaFree(given);
    request.load(1 << 20);
    request.reset(i % 2 == 0);
    cudaMalloc(&slab.data, 1 << 20);
    freeSlab(slab);
    slab.forget();
  }
}
