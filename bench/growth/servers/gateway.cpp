// The loop is here, what keeps stands in gateway.store.cpp.
#include <torch/torch.h>

void remember(int Id, const torch::Tensor &Features);

int main() {
  torch::NoGradGuard Guard;
  torch::nn::LSTMCell Cell(32, 64);
  for (int I = 0; I < 140; ++I) {
    auto H = Cell->forward(torch::randn({8, 32}));
    remember(I, std::get<0>(H));
  }
}
