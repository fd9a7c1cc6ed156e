// A record that frees nothing stands behind a unique_ptr in a member: what is filled and what is
// given back is the same, by whatever name.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>

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

static void drop(Block &b) {
  cudaFree(b.data);
  b.data = nullptr;
}

class Stage {
public:
  Stage() {}
  ~Stage() {
    if (block_)
      drop(*block_);
  }
  void load(size_t n) { block_ = std::make_unique<Block>(take(n)); }

private:
  std::unique_ptr<Block> block_{};
};

class Replacing {
public:
  Replacing() {}
  ~Replacing() {
    if (block_)
      drop(*block_);
  }
  void load(size_t n) {
    if (block_)
      cudaFree(block_->data);
    block_ = std::make_unique<Block>(take(n));
  }

private:
  std::unique_ptr<Block> block_{};
};

void drive() {
  Stage stage;
  stage.load(1 << 20); // expected-warning {{device memory in 'stage.block_->data' is overwritten before it is given back; call 'cudaFree' first}} [tensor-unfreed-device-memory]
  stage.load(2 << 20); // expected-path {{it is overwritten here}}
  Replacing replacing;
  replacing.load(1 << 20);
  replacing.load(2 << 20);
}
