// Four workers, each with scratch memory of its own that is never emptied.
#include <atomic>
#include <thread>
#include <torch/torch.h>
#include <vector>

static thread_local std::vector<torch::Tensor> Scratch;
static std::atomic<int> Next{0};

static void worker(torch::nn::Linear Net) {
  torch::NoGradGuard Guard;
  while (Next++ < 400) {
    torch::Tensor Y = Net(torch::randn({16, 32}));
    Scratch.push_back(torch::exp(Y)); // LEAK total=819200 holder=Scratch
#if !LEAK
    if (Scratch.size() == 4)
      Scratch.clear();
#endif
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
}

int main() {
  torch::set_num_threads(1);
  torch::nn::Linear Net(32, 32);
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back(worker, Net);
  for (std::thread &T : Threads)
    T.join();
}
