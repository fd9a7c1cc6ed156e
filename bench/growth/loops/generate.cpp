// Generation with keys of the past: one tensor, made anew and larger in each round.
#include <torch/torch.h>

struct Attention {
  torch::Tensor Past;
  torch::Tensor step(const torch::Tensor &X) {
    torch::Tensor K = torch::mm(X, W);
    Past = Past.defined() ? torch::cat({Past, K}) : K; // LEAK bytes=256 holder=Past|Layer
    return torch::mm(torch::softmax(torch::mm(X, Past.t()), 1), Past);
  }
  void reset() { Past = torch::Tensor(); }
  torch::Tensor W = torch::randn({64, 64});
};

int main() {
  torch::NoGradGuard Guard;
  Attention Layer;
  for (int Prompt = 0; Prompt < 10; ++Prompt) {
    torch::Tensor X = torch::randn({1, 64});
    for (int Token = 0; Token < 40; ++Token)
      X = Layer.step(X);
#if !LEAK
    Layer.reset();
#endif
  }
}
