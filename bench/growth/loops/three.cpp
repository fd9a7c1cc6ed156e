// Trains, evaluates, then serves; only what is served stays.
#include <torch/torch.h>
#include <vector>

static torch::nn::Linear Net{nullptr};
static std::vector<torch::Tensor> Served;

static void train() {
  torch::optim::SGD Optimizer(Net->parameters(), 0.01);
  for (int I = 0; I < 100; ++I) {
    Optimizer.zero_grad();
    torch::mse_loss(Net(torch::randn({32, 48})), torch::zeros({32, 24})).backward();
    Optimizer.step();
  }
}

static float evaluate() {
  torch::NoGradGuard Guard;
  float Sum = 0;
  for (int I = 0; I < 60; ++I)
    Sum += Net(torch::randn({32, 48})).norm().item<float>();
  return Sum;
}

static void serve() {
  torch::NoGradGuard Guard;
  for (int I = 0; I < 100; ++I) {
    torch::Tensor Y = Net(torch::randn({16, 48})); // LEAK bytes=1536 holder=Served
#if LEAK
    Served.push_back(Y);
#else
    Served.assign(1, Y);
#endif
  }
}

int main() {
  Net = torch::nn::Linear(48, 24);
  train();
  float E = evaluate();
  serve();
  return E < 0;
}
