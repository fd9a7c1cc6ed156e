// Requests are gathered into batches; what is left of a batch is carried on.
#include <mutex>
#include <thread>
#include <torch/torch.h>
#include <vector>

class Batcher {
public:
  void add(torch::Tensor T) {
    std::lock_guard<std::mutex> L(M);
    Waiting.push_back(std::move(T));
  }
  size_t flush(torch::nn::Linear &Net) {
    std::vector<torch::Tensor> Batch;
    {
      std::lock_guard<std::mutex> L(M);
#if LEAK
      Batch = Waiting; // and forgets to empty it
      if (Batch.size() > 8)
        Batch.resize(8);
#else
      Batch.swap(Waiting);
#endif
    }
    return Batch.empty() ? 0 : Net(torch::stack(Batch)).size(0);
  }

private:
  std::mutex M;
  std::vector<torch::Tensor> Waiting;
};

int main() {
  torch::set_num_threads(1);
  Batcher TheBatcher;
  std::thread Client([&] {
    for (int I = 0; I < 200; ++I) {
      TheBatcher.add(torch::randn({256}).cos()); // LEAK bytes=1024 holder=TheBatcher|Waiting
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(256, 4);
  for (int I = 0; I < 50; ++I) {
    TheBatcher.flush(Net);
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
  Client.join();
}
