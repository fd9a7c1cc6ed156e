// What the verifier costs a program that uses CUDA by itself, without LibTorch:
//   raw device   microseconds for a cudaMalloc and its cudaFree
//   raw host     microseconds for a malloc of 4 KiB and its free
// Prints the median, so that two runs can be divided by each other.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t Bytes = 4096;

void deviceMemory() {
  void *Data = nullptr;
  if (cudaMalloc(&Data, Bytes) != cudaSuccess)
    std::exit(1);
  cudaFree(Data);
}

void hostMemory() {
  void *volatile Data = std::malloc(Bytes);
  std::free(Data);
}

double median(void (*Work)()) {
  constexpr int Rounds = 40, PerRound = 100;
  std::vector<double> Times;
  for (int Round = 0; Round < Rounds; ++Round) {
    auto Start = Clock::now();
    for (int I = 0; I < PerRound; ++I)
      Work();
    Times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - Start).count() /
                    PerRound);
  }
  std::nth_element(Times.begin(), Times.begin() + Rounds / 2, Times.end());
  return Times[Rounds / 2];
}

} // namespace

int main(int Count, char **Arguments) {
  deviceMemory(); // the driver is loaded at the first call
  bool OfHost = Count > 1 && !std::strcmp(Arguments[1], "host");
  std::printf("%.4f us\n", median(OfHost ? hostMemory : deviceMemory));
}
