// Memory of the host is registered for each transfer, and not unregistered.
#include "cuda.h"
#include <vector>

int main() {
  std::vector<std::vector<char>> Buffers(100, std::vector<char>(4096));
  for (auto &B : Buffers) {
    cudaHostRegister(B.data(), B.size(), 0); // LEAK holder=-
#if !LEAK
    cudaHostUnregister(B.data());
#endif
  }
}
