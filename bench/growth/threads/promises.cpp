// Results are handed over by futures, which are kept after they were read.
#include <future>
#include <torch/torch.h>
#include <vector>

class Client {
public:
  void ask(torch::nn::Linear Net) {
    std::promise<torch::Tensor> P;
    Pending.push_back(P.get_future().share());
    std::thread Worker([&P, Net]() mutable {
      torch::NoGradGuard Guard;
      P.set_value(
          torch::relu(Net(torch::randn({16, 24})))); // LEAK bytes=3072 holder=Pending|TheClient
    });
    Worker.join();
    Pending.back().get().sum().item<float>();
#if !LEAK
    Pending.clear();
#endif
  }

private:
  std::vector<std::shared_future<torch::Tensor>> Pending;
};

int main() {
  torch::set_num_threads(1);
  Client TheClient;
  torch::nn::Linear Net(24, 48);
  for (int I = 0; I < 120; ++I)
    TheClient.ask(Net);
}
