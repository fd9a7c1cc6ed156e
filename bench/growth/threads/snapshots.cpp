// A watcher thread writes down the parameters now and then, the last one or all.
#include <atomic>
#include <memory>
#include <thread>
#include <torch/torch.h>

struct Snapshot {
  std::vector<torch::Tensor> Values;
  std::shared_ptr<Snapshot> Before;
};

int main() {
  torch::set_num_threads(1);
  torch::nn::Linear Net(32, 32);
  std::atomic<bool> Done{false};
  std::shared_ptr<Snapshot> Last;
  std::thread Watcher([&] {
    torch::NoGradGuard Guard;
    while (!Done) {
      auto S = std::make_shared<Snapshot>();
      for (const torch::Tensor &P : Net->parameters())
        S->Values.push_back(P.detach().abs()); // LEAK holder=Last
#if LEAK
      S->Before = Last;
#endif
      Last = S;
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
  });
  torch::NoGradGuard Guard;
  for (int I = 0; I < 400; ++I) {
    Net(torch::randn({32, 32})).sum().item<float>();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Done = true;
  Watcher.join();
}
