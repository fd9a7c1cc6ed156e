// Programs of LibTorch on a GPU, a mode each: servers, training, threads, raw CUDA beside
// LibTorch's own; and their harmless twins. Needs `cuda_runtime.h`, but no nvcc.
#include <torch/torch.h>

#include <cuda_runtime.h>

#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define TENSORLEAK_FAIL(FILE, LINE, TEXT) std::printf("FAILED %s\n", std::string(TEXT).c_str())
#define TENSORLEAK_SKIP(FILE, LINE, TEXT) std::printf("SKIPPED %s\n", std::string(TEXT).c_str())
#include "tensorleak/expect.h"

using torch::Tensor;

constexpr int Requests = 120;
static const auto OnGpu = torch::TensorOptions(torch::kCUDA);

struct Server {
  torch::nn::Linear Net{64, 128};
  std::vector<Tensor> Answers;

  Server() { Net->to(torch::kCUDA); }
  Tensor answer() {
    torch::NoGradGuard Guard;
    return Net(torch::randn({64, 64}, OnGpu)); // 32 KiB
  }
  void keep() { Answers.push_back(answer()); }
};

static Server &server() {
  static Server Only;
  return Only;
}

static void serve() {
  for (int I = 0; I < Requests; ++I)
    server().keep();
}

static void cleanserve() {
  float Sum = 0;
  for (int I = 0; I < Requests; ++I)
    Sum += server().answer().sum().item<float>();
}

static std::mutex Lock;
static std::vector<Tensor> Shared;

static void work() {
  for (int I = 0; I < Requests; ++I) {
    Tensor Answer = server().answer();
    std::lock_guard<std::mutex> Guard(Lock);
    Shared.push_back(Answer);
  }
}

static void threads() {
  std::thread First(work), Second(work);
  First.join();
  Second.join();
}

/// Training; OnLoss gets each loss after its backward pass.
template <typename Action> static void training(Action OnLoss) {
  torch::nn::Sequential Net(torch::nn::Linear(64, 256), torch::nn::ReLU(),
                            torch::nn::Linear(256, 1));
  Net->to(torch::kCUDA);
  torch::optim::Adam Optimizer(Net->parameters(), 1e-3);
  for (int Step = 0; Step < Requests; ++Step) {
    Optimizer.zero_grad();
    Tensor Loss = Net->forward(torch::randn({32, 64}, OnGpu)).pow(2).mean();
    Loss.backward();
    Optimizer.step();
    OnLoss(Loss);
  }
}

static void losses() {
  std::vector<Tensor> Losses;
  training([&](Tensor Loss) { Losses.push_back(Loss); });
}

static void summed() {
  Tensor Total = torch::zeros({}, OnGpu);
  training([&](Tensor Loss) { Total = Total + Loss; });
}

static void detached() {
  Tensor Total = torch::zeros({}, OnGpu);
  training([&](Tensor Loss) { Total = Total + Loss.detach(); });
}

static void window() {
  std::deque<Tensor> Last;
  training([&](Tensor Loss) {
    Last.push_back(Loss);
    if (Last.size() > 16)
      Last.pop_front();
  });
}

static void cycle() {
  training([](const Tensor &) {
    Tensor Mask = torch::ones({64, 64}, OnGpu.requires_grad(true)) * 2; // 16 KiB
    Mask.register_hook([Mask](Tensor Gradient) { return Gradient * Mask; });
  });
}

/// What the program itself takes from CUDA, beside what LibTorch's allocator takes.
static void scratch(bool Frees) {
  for (int I = 0; I < Requests; ++I) {
    void *Data = nullptr;
    cudaMalloc(&Data, 1 << 16);
    cudaMemset(Data, 0, 1 << 16);
    server().answer();
    if (Frees)
      cudaFree(Data);
  }
}

static void raw() { scratch(false); }
static void freedraw() { scratch(true); }

static void asserted() {
  Server Mine;
  TENSORLEAK_EXPECT_NO_GROWTH(60) { Mine.answer(); }
  std::puts("next");
  TENSORLEAK_EXPECT_NO_GROWTH(60) { Mine.keep(); }
  std::puts("next");
  TENSORLEAK_EXPECT_PEAK_BELOW(40 << 20) { torch::zeros({8 << 20}, OnGpu); }
  std::puts("next");
  TENSORLEAK_EXPECT_PEAK_BELOW(40 << 20) { torch::zeros({8 << 20}, OnGpu) + 1; }
}

int main(int, char **Argv) {
  const std::map<std::string, void (*)()> Modes{
      {"serve", serve},       {"cleanserve", cleanserve}, {"threads", threads},
      {"losses", losses},     {"summed", summed},         {"detached", detached},
      {"window", window},     {"cycle", cycle},
      {"raw", raw},           {"freedraw", freedraw},     {"asserted", asserted}};
  Modes.at(Argv[1])();
}
