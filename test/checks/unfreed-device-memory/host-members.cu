// RUN: %check_tensor %s
// Host memory that an object holds beside device memory is lost with the object. Host memory of
// objects that never touch the device is other tools' business.
#include <cstdlib>
#include <cuda_runtime.h>

class Operator {
public:
  explicit Operator(bool load = true) {
    if (load)
      init();
  }
  virtual ~Operator() {
    free(table);
    cudaFree(device);
  }
  void upload(int n) { cudaMalloc(&device, n); } // expected-note {{is taken anew by each call of 'upload'}} [tensor-unfreed-device-memory]

protected:
  virtual void init() { table = (float *)calloc(16, 4); }
  float *table = nullptr;
  float *device = nullptr;
};

class Textured : public Operator {
public:
  explicit Textured(int) : Operator(false) { init(); }

protected:
  void init() override { table = (float *)calloc(64, 4); } // expected-path {{allocated here}}
};

class TexturedTwice : public Textured {
public:
  explicit TexturedTwice(int n) : Textured(n) { // expected-note {{host memory in 'table' is overwritten}} [tensor-unfreed-device-memory]
    init(); // expected-path {{it is overwritten here}}
  }
};

class TexturedFreed : public Textured {
public:
  explicit TexturedFreed(int n) : Textured(n) {
    free(table);
    init();
  }
};

// Nothing here touches the device.
class HostOnly {
public:
  HostOnly() { init(); }
  ~HostOnly() { free(table); }

protected:
  void init() { table = (float *)calloc(64, 4); }
  float *table = nullptr;
};
class HostOnlyTwice : public HostOnly {
public:
  HostOnlyTwice() { init(); }
};
