// One thread per connection, which waits for its client for ever with what it computed.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <torch/torch.h>
#include <vector>

static std::mutex Mutex;
static std::condition_variable Closed;
static bool IsOver = false;

static void connection(torch::Tensor Weights) {
  torch::NoGradGuard Guard;
  torch::Tensor State =
      torch::tanh(torch::mm(torch::randn({16, 64}), Weights)); // LEAK bytes=4096 holder=State
#if LEAK
  std::unique_lock<std::mutex> Lock(Mutex);
  Closed.wait(Lock, [] { return IsOver; });
#endif
  State.sum().item<float>();
}

int main() {
  torch::set_num_threads(1);
  torch::Tensor Weights = torch::randn({64, 64});
  std::vector<std::thread> Threads;
  for (int I = 0; I < 80; ++I) {
    Threads.emplace_back(connection, Weights);
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
#if !LEAK
    Threads.back().join();
    Threads.pop_back();
#endif
  }
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    IsOver = true;
  }
  Closed.notify_all();
  for (std::thread &T : Threads)
    T.join();
}
