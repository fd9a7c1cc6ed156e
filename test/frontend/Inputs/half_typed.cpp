// Whole, nothing is lost here; cut anywhere, nothing may be said to be.
#include <torch/torch.h>
extern "C" int cudaMalloc(void **, unsigned long);
extern "C" int cudaFree(void *);

struct Buffer {
  void *Data = nullptr;
  Buffer() { cudaMalloc(&Data, 64); }
  ~Buffer() { cudaFree(Data); }
};

double train(torch::nn::Linear Net, int Steps) {
  torch::optim::SGD Optimizer(Net->parameters(), 0.1);
  std::vector<double> Losses;
  void *Scratch = nullptr;
  cudaMalloc(&Scratch, 1024);
  for (int I = 0; I < Steps; ++I) {
    Optimizer.zero_grad();
    torch::Tensor Loss = Net->forward(torch::ones({8, 8})).mean();
    Loss.backward();
    Optimizer.step();
    Losses.push_back(Loss.item<double>());
  }
  cudaFree(Scratch);
  return Losses.back();
}

torch::Tensor evaluate(torch::nn::Linear Net, const std::vector<torch::Tensor> &Inputs) {
  torch::NoGradGuard NoGrad;
  torch::Tensor Sum = torch::zeros({1});
  for (const torch::Tensor &Input : Inputs)
    Sum += Net->forward(Input).sum();
  return Sum;
}
