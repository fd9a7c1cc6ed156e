// What is mapped into a reserved range is unmapped from it; the range itself stays.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

class Arena {
public:
  Arena() = default;
  Arena(const Arena &) = delete;
  ~Arena() {
    size_t offset = 0;
    for (const Chunk &chunk : chunks_) {
      cuMemUnmap(base_ + offset, chunk.bytes);
      cuMemRelease(chunk.handle);
      offset += chunk.bytes;
    }
    if (base_)
      cuMemAddressFree(base_, reserved_);
  }
  CUresult reserve(size_t bytes) {
    reserved_ = bytes;
    CUresult result = cuMemAddressReserve(&base_, reserved_, 0, 0, 0);
    if (result != CUDA_SUCCESS)
      base_ = 0;
    return result;
  }

private:
  struct Chunk {
    CUmemGenericAllocationHandle handle;
    size_t bytes;
  };
  std::vector<Chunk> chunks_;
  CUdeviceptr base_ = 0;
  size_t reserved_ = 0;
};
bool run() {
  Arena arena;
  return arena.reserve(1 << 20) == CUDA_SUCCESS;
}

// The range is not given back by that.
void only_unmapped(size_t bytes) {
  CUdeviceptr base = 0;
  cuMemAddressReserve(&base, bytes, 0, 0, 0); // expected-warning {{a reserved address range in 'base' is not given back before 'only_unmapped' returns}} [tensor-unfreed-device-memory]
  cuMemUnmap(base, bytes);
}
// Nor is host memory by the end of its registration.
void only_unregistered(size_t bytes) {
  void *p = nullptr;
  cudaMallocHost(&p, bytes); // expected-warning {{pinned host memory in 'p' is not given back before 'only_unregistered' returns}} [tensor-unfreed-device-memory]
  cudaHostUnregister(p);
} // expected-fix {{cudaFreeHost(p);}}
void unregistered_and_freed(size_t bytes) {
  void *p = std::malloc(bytes);
  cudaHostRegister(p, bytes, 0);
  cudaHostUnregister(p);
  std::free(p);
}

//===-- Given back only where the rest has failed --------------------------------===//

namespace given_where_it_failed {

struct Chunk {
  size_t offset;
  CUmemGenericAllocationHandle handle;
};

class Arena {
public:
  explicit Arena(size_t bytes) : reserved_(bytes) { cuMemAddressReserve(&base_, bytes, 0, 0, 0); }
  ~Arena() { // expected-path {{'~Arena' is here}}
    for (const Chunk &c : chunks_)
      cuMemUnmap(base_ + c.offset, 4096);
    cuMemAddressFree(base_, reserved_);
  }
  void grow(size_t bytes) {
    if (bytes <= mapped_)
      return;
    Chunk c{};
    c.offset = mapped_;
    cuMemCreate(&c.handle, 4096, &prop_, 0); // expected-warning {{physical device memory in 'chunks_[].handle' is never given back; '~Arena' frees 'base_' and forgets it}} [tensor-unfreed-device-memory]
    CUresult r = cuMemMap(base_ + c.offset, 4096, 0, c.handle, 0);
    if (r != CUDA_SUCCESS) {
      cuMemRelease(c.handle);
      throw 1;
    }
    chunks_.push_back(c);
    mapped_ += 4096;
  }

private:
  CUmemAllocationProp prop_ = {};
  CUdeviceptr base_ = 0;
  size_t reserved_ = 0, mapped_ = 0;
  std::vector<Chunk> chunks_;
};

// The release comes after it was kept, and takes it out again.
struct Part {
  size_t offset;
  CUmemGenericAllocationHandle handle;
};

class Trial {
public:
  explicit Trial(size_t bytes) : reserved_(bytes) { cuMemAddressReserve(&base_, bytes, 0, 0, 0); }
  ~Trial() { cuMemAddressFree(base_, reserved_); }
  void attempt(size_t bytes) {
    if (bytes <= mapped_)
      return;
    Part c{};
    c.offset = mapped_;
    cuMemCreate(&c.handle, 4096, &prop_, 0);
    chunks_.push_back(c);
    cuMemMap(base_ + c.offset, 4096, 0, c.handle, 0);
    if (bytes > 0) {
      cuMemUnmap(base_ + c.offset, 4096);
      cuMemRelease(c.handle);
      chunks_.pop_back();
    }
  }

private:
  CUmemAllocationProp prop_ = {};
  CUdeviceptr base_ = 0;
  size_t reserved_ = 0, mapped_ = 0;
  std::vector<Part> chunks_;
};

} // namespace given_where_it_failed
