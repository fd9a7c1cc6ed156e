// Every request registers who is told of its result; the lambda captures the batch.
#include <functional>
#include <torch/torch.h>
#include <vector>

struct Event {
  std::vector<std::function<void(float)>> Listeners;
  void fire(float Value) {
    for (auto &L : Listeners)
      L(Value);
  }
};

struct Server {
  Event Finished;
  torch::nn::Sequential Net{torch::nn::Linear(16, 32), torch::nn::ReLU(), torch::nn::Linear(32, 4)};

  void handle(int Id) {
    torch::NoGradGuard Guard;
    torch::Tensor Batch = torch::randn({64, 16}); // LEAK bytes=4096 holder=Finished|Listeners
    Finished.Listeners.push_back([Batch, Id](float V) { (void)(V > Id && Batch.defined()); });
    Finished.fire(Net->forward(Batch).mean().item<float>());
#if !LEAK
    Finished.Listeners.pop_back();
#endif
  }
};

int main() {
  auto TheServer = std::make_unique<Server>();
  for (int I = 0; I < 160; ++I)
    TheServer->handle(I);
}
