// The LibTorch programs whose recorded traces are here: a step on the GPU, and what it
// keeps, named by the first argument. record.sh makes the traces, GoldenTest.cpp reads them.
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

struct Net : torch::nn::Module {
  torch::nn::Linear In{nullptr}, Out{nullptr};
  Net() {
    In = register_module("in", torch::nn::Linear(256, 1024));
    Out = register_module("out", torch::nn::Linear(1024, 64));
  }
  torch::Tensor forward(torch::Tensor X) {
    return Out(torch::relu(In(X))); // LINE forward
  }
};

torch::Tensor mebibytes(double Count) {
  auto Floats = static_cast<int64_t>(Count * (1 << 18));
  return torch::empty({Floats}, torch::kCUDA); // LINE mebibytes
}

/// Small tensors that stay keep much larger holes open, until memory runs out.
void fragment() {
  constexpr double Limit = 400 << 20;
  size_t Free = 0, Total = 0;
  mebibytes(1);
  C10_CUDA_CHECK(cudaMemGetInfo(&Free, &Total));
  c10::cuda::CUDACachingAllocator::setMemoryFraction(Limit / static_cast<double>(Total), 0);
  std::vector<torch::Tensor> Pins, Large;
  for (int I = 0; I < 18; ++I) { // 20 MiB each, as LibTorch's segments are
    Large.push_back(mebibytes(9));
    Pins.push_back(mebibytes(1.25));
    Large.push_back(mebibytes(9));
  }
  Large.clear();
  try {
    mebibytes(60);
  } catch (const c10::Error &) {
    std::cout << "no memory\n";
  }
}

int main(int, char **Arguments) {
  std::string Mode = Arguments[1];
  torch::Device Gpu(torch::kCUDA);
  if (Mode == "fragments") {
    fragment();
    return 0;
  }
  torch::manual_seed(1);
  Net Model;
  Model.to(Gpu);
  torch::optim::Adam Optimizer(Model.parameters(), 1e-4);
  std::vector<torch::Tensor> Kept, Gradients;
  for (int I = 0; I < 80; ++I) {
    Optimizer.zero_grad();
    torch::Tensor X = torch::randn({128, 256}, Gpu);
    torch::Tensor Y = Model.forward(X);
    torch::Tensor Squares = torch::tanh(Y); // LINE tanh
    torch::Tensor Loss = Squares.pow(2).mean();
    if (Mode == "gradients")
      Gradients.push_back(torch::autograd::grad({Loss}, {Y}, {}, /*retain_graph=*/true)[0]);
    Loss.backward();
    Optimizer.step();
    if (Mode == "outputs")
      Kept.push_back(Y.detach());
  }
  std::cout << "done " << Kept.size() + Gradients.size() << "\n";
  return 0;
}
