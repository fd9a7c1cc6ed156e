// A program of LibTorch that calls CUDA itself: `leak` loses what it takes, `clean` frees it.
#include <torch/torch.h>

#include <string>

extern "C" int cudaMalloc(void **Data, size_t Bytes);
extern "C" int cudaFree(void *Data);

int main(int, char **Argv) {
  const bool Frees = std::string(Argv[1]) == "clean";
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(64, 128);
  for (int I = 0; I < 120; ++I) {
    void *Data = nullptr;
    cudaMalloc(&Data, 1 << 16);
    Net(torch::randn({64, 64}));
    if (Frees)
      cudaFree(Data);
  }
}
