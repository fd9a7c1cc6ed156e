// A gradient penalty: the gradients carry graphs that lead back to the parameters.
#include <torch/torch.h>

int main() {
  torch::nn::Linear Net(32, 32);
  torch::Tensor X = torch::randn({16, 32});
  for (int I = 0; I < 100; ++I) {
    torch::Tensor L = Net(X).pow(2).sum(); // LEAK bytes=2048 holder=itself|Net
#if LEAK
    L.backward({}, /*retain_graph=*/true, /*create_graph=*/true); // LEAK bytes=4 holder=itself|Net
    for (torch::Tensor &P : Net->parameters())
      P.mutable_grad() = torch::Tensor(P.grad() * 1.0);
    torch::Tensor Norm = Net->weight.grad().norm();
    Norm.item<float>();
#else
    auto G = torch::autograd::grad({L}, {Net->weight}, {}, true, true)[0];
    G.norm().item<float>();
#endif
  }
}
