// Programs that use CUDA by themselves, in several phases; as first.cpp.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

extern "C" {
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
}

static void *take(size_t Bytes) {
  void *P = nullptr;
  cudaMalloc(&P, Bytes);
  return P;
}

// Loads, computes, reads back: what the computation takes for itself is not given back.
static void loadComputeRead(bool leak) {
  std::vector<void *> Inputs;
  for (int I = 0; I < 30; ++I)
    Inputs.push_back(take(4096));
  for (int I = 0; I < 100; ++I) {
    void *Scratch = take(1024);
    if (!leak)
      cudaFree(Scratch);
  }
  for (void *P : Inputs) {
    void *Staging = take(4096);
    cudaFree(Staging);
    cudaFree(P);
  }
}

// A few jobs, each with requests of its own, of which each has a stream.
static void jobsWithStreams(bool leak) {
  for (int Job = 0; Job < 4; ++Job) {
    void *Weights = take(65536);
    for (int I = 0; I < 25; ++I) {
      void *Stream = nullptr, *Buffer = take(256);
      cudaStreamCreate(&Stream);
      cudaFree(Buffer);
      if (!leak)
        cudaStreamDestroy(Stream);
    }
    for (int I = 0; I < 30; ++I)
      cudaFree(take(512));
    cudaFree(Weights);
  }
}

int main(int argc, char **argv) {
  const std::map<std::string, void (*)(bool)> All = {{"loadComputeRead", loadComputeRead},
                                                     {"jobsWithStreams", jobsWithStreams}};
  if (argc < 3) {
    for (const auto &[Name, Run] : All)
      std::puts(Name.c_str());
    return 0;
  }
  All.at(argv[1])(!std::strcmp(argv[2], "leak"));
}
