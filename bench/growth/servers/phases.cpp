// A long time of loading and warming up, and only then requests.
#include <torch/torch.h>
#include <vector>

static torch::Tensor run(const std::vector<torch::Tensor> &Layers, torch::Tensor X) {
  for (const torch::Tensor &W : Layers)
    X = torch::tanh(torch::mm(X, W));
  return X;
}

static std::vector<torch::Tensor> History;

static void serve(const std::vector<torch::Tensor> &Layers) {
  for (int I = 0; I < 120; ++I) {
    torch::Tensor Y = run(Layers, torch::randn({16, 32}));
    History.push_back(Y.abs()); // LEAK bytes=2048 holder=History
#if !LEAK
    if (History.size() == 16)
      History.clear();
#endif
  }
}

int main() {
  torch::NoGradGuard Guard;
  std::vector<torch::Tensor> Layers;
  for (int I = 0; I < 4; ++I)
    Layers.push_back(torch::randn({32, 32}));
  for (int I = 0; I < 500; ++I)
    run(Layers, torch::zeros({16, 32}));
  serve(Layers);
}
