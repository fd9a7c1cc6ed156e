// Bytes and other numbers that are read from memory are no handles: who stores them keeps nothing.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>
#include <vector>

struct FreeHost {
  void operator()(char *p) const { cudaFreeHost(p); }
};
using Packet = std::unique_ptr<char[], FreeHost>;

class Writer {
public:
  void write(const char *data, size_t n) {
    for (size_t i = 0; i < n; ++i)
      bytes_.push_back(data[i]);
  }

private:
  std::vector<char> bytes_;
};

void send(Writer &writer, size_t n) {
  void *p = nullptr;
  cudaMallocHost(&p, n);
  Packet packet(static_cast<char *>(p));
  writer.write(packet.release(), n); // expected-warning {{pinned host memory that this call returns is dropped, so that nothing can give it back; keep it, and call 'cudaFreeHost'}} [tensor-unfreed-device-memory]
}

//===-- Near misses -----------------------------------------------------------------===//

// Here it is the pointers that are kept.
class Keeper {
public:
  void keep(char *data) { all_.push_back(data); }
  ~Keeper() {
    for (char *p : all_)
      cudaFreeHost(p);
  }

private:
  std::vector<char *> all_;
};

void hand(Keeper &keeper, size_t n) {
  void *p = nullptr;
  cudaMallocHost(&p, n);
  Packet packet(static_cast<char *>(p));
  keeper.keep(packet.release());
}
