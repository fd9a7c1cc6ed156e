// Short threads that keep lists of their own until they end; and two that last for all of the run.
#include <thread>
#include <torch/torch.h>
#include <vector>

static float collect(int Rounds) {
  torch::NoGradGuard Guard;
  std::vector<torch::Tensor> Mine;
  for (int I = 0; I < Rounds; ++I) {
    torch::Tensor X = torch::randn({16, 16});
    Mine.push_back(torch::matmul(X, X)); // LEAK total=409600 holder=Mine
    Mine.back().sum().item<float>();
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return Mine.back().mean().item<float>();
}

int main() {
  torch::set_num_threads(1);
#if LEAK
  std::thread A(collect, 200), B(collect, 200);
  A.join();
  B.join();
#else
  for (int I = 0; I < 30; ++I) {
    std::thread A(collect, 8), B(collect, 8);
    A.join();
    B.join();
  }
#endif
}
