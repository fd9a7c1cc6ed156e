// An evaluation without a guard adds losses up, and each brings its graph along.
#include <torch/torch.h>

struct Model : torch::nn::Module {
  Model() { Out = register_module("out", torch::nn::Linear(64, 10)); }
  torch::Tensor forward(torch::Tensor X) {
    return torch::log_softmax(Out(X), 1); // LEAK bytes=1280 holder=Total
  }
  torch::nn::Linear Out{nullptr};
};

static float evaluate(Model &M) {
  M.eval();
  torch::Tensor Total = torch::zeros({});
  for (int I = 0; I < 150; ++I) {
    torch::Tensor X = torch::randn({32, 64});                 // LEAK bytes=8192 holder=Total
    torch::Tensor Y = torch::randint(10, {32}, torch::kLong); // LEAK bytes=256 holder=Total
    torch::Tensor L = torch::nll_loss(M.forward(X), Y);       // LEAK bytes=4 holder=Total
#if LEAK
    Total = Total + L;
#else
    Total = Total + L.detach();
#endif
  }
  return Total.item<float>();
}

int main() {
  Model M;
  return evaluate(M) == 0;
}
