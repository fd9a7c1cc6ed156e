// Data-parallel training in C++: one process per GPU, gradients averaged with NCCL.
//
//   RANK=0 WORLD_SIZE=2 data_parallel FILE [LEAKING_RANK]
//
// FILE is where rank 0 leaves the id of the job for the others. The rank that is named
// keeps the outputs of every step. Prints the median time of a step and a sum over the
// weights, which must be the same on every rank.
#include <nccl.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

constexpr int Steps = 200, Batch = 256, Width = 1024;

int numberFrom(const char *Variable) {
  const char *Value = std::getenv(Variable);
  if (!Value)
    throw std::runtime_error(std::string("set ") + Variable);
  return std::atoi(Value);
}

void check(ncclResult_t Result) {
  if (Result != ncclSuccess)
    throw std::runtime_error(ncclGetErrorString(Result));
}

ncclUniqueId shareId(const std::string &File, int Rank) {
  ncclUniqueId Id;
  if (Rank == 0) {
    check(ncclGetUniqueId(&Id));
    std::ofstream(File + ".new", std::ios::binary).write(Id.internal, sizeof Id.internal);
    std::rename((File + ".new").c_str(), File.c_str());
    return Id;
  }
  std::ifstream In;
  while (!In.is_open()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    In.open(File, std::ios::binary);
  }
  In.read(Id.internal, sizeof Id.internal);
  return Id;
}

torch::nn::Sequential makeNet() {
  torch::manual_seed(1); // the same weights everywhere
  torch::nn::Sequential Net;
  for (int Layer = 0; Layer < 4; ++Layer) {
    Net->push_back(torch::nn::Linear(Width, Width));
    Net->push_back(torch::nn::ReLU());
  }
  return Net;
}

/// LibTorch's and NCCL's work go to the same, default stream.
void averageGradients(torch::nn::Sequential &Net, ncclComm_t Job) {
  check(ncclGroupStart());
  for (torch::Tensor &P : Net->parameters()) {
    float *Gradient = P.grad().data_ptr<float>();
    check(ncclAllReduce(Gradient, Gradient, static_cast<size_t>(P.numel()), ncclFloat, ncclAvg, Job,
                        nullptr));
  }
  check(ncclGroupEnd());
}

void train(int Rank, bool Leaks, ncclComm_t Job) {
  torch::Device Gpu(torch::kCUDA, static_cast<torch::DeviceIndex>(Rank));
  torch::nn::Sequential Net = makeNet();
  Net->to(Gpu);
  torch::optim::SGD Optimizer(Net->parameters(), 0.01);
  std::vector<torch::Tensor> Kept;
  std::vector<double> Times;
  for (int Step = 0; Step < Steps; ++Step) { // loop: train
    auto Start = std::chrono::steady_clock::now();
    torch::Tensor Output = Net->forward(torch::randn({Batch, Width}, Gpu)); // producer: kept
    torch::Tensor Loss = Output.pow(2).mean();
    Optimizer.zero_grad();
    Loss.backward();
    averageGradients(Net, Job);
    Optimizer.step(); // finding: reset correctness plain train
    if (Leaks)
      Kept.push_back(Output.detach()); // finding: kept retention plain train
    Loss.item<float>();                // waits for the GPU
    std::chrono::duration<double, std::milli> Took = std::chrono::steady_clock::now() - Start;
    Times.push_back(Took.count());
  } // end: train
  std::nth_element(Times.begin(), Times.begin() + Steps / 2, Times.end());
  double Sum = 0;
  for (const torch::Tensor &P : Net->parameters())
    Sum += P.sum().item<double>();
  std::printf("rank %d: %.3f ms per step, weights %.6f\n", Rank, Times[Steps / 2], Sum);
}

int main(int Count, char **Arguments) {
  if (Count < 2)
    return 2;
  int Rank = numberFrom("RANK"), World = numberFrom("WORLD_SIZE");
  c10::DeviceGuard Guard(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(Rank)));
  ncclComm_t Job;
  check(ncclCommInitRank(&Job, World, shareId(Arguments[1], Rank), Rank));
  train(Rank, Count > 2 && std::atoi(Arguments[2]) == Rank, Job);
  check(ncclCommDestroy(Job));
}
