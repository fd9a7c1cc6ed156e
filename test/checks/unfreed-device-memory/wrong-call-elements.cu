// An element of a container is given to a call of another family. Where one element names what
// another member owns, others may be meant.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>


void wrong_for_all(int n) {
  std::vector<void *> blocks(4, nullptr);
  for (int i = 0; i < 4; ++i)
    cudaMallocHost(&blocks[i], n); // expected-warning {{pinned host memory must be given back with 'cudaFreeHost', and another call gets it}} [tensor-unfreed-device-memory]
  for (int i = 0; i < 4; ++i)
    cudaFree(blocks[i]); // expected-path {{it is given to this call}}
}

//===-- Near misses ---------------------------------------------------------===//

struct Peers {
  Peers(int rank, int world) : rank(rank), peers(world, nullptr) {
    if (cudaMalloc(&local, 1 << 20) != cudaSuccess)
      throw rank;
    peers[rank] = local;
  }
  Peers(const Peers &) = delete;
  ~Peers() {
    for (int r = 0; r < (int)peers.size(); ++r)
      if (r != rank && peers[r])
        cudaIpcCloseMemHandle(peers[r]);
    cudaFree(local);
  }
  int rank;
  void *local = nullptr;
  std::vector<void *> peers;
};

void rounds() {
  for (int round = 0; round < 8; ++round) {
    Peers peers(0, 4);
    cudaMemset(peers.local, 0, 1024);
  }
}
