// A pool answers into a table, from which nobody takes the answers.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <torch/torch.h>
#include <unordered_map>

class ThreadPool {
public:
  explicit ThreadPool(int N) {
    for (int I = 0; I < N; ++I)
      Threads.emplace_back([this] { run(); });
  }
  ~ThreadPool() {
    {
      std::lock_guard<std::mutex> L(M);
      Stop = true;
    }
    C.notify_all();
    for (auto &T : Threads)
      T.join();
  }
  void post(std::function<void()> Job) {
    {
      std::lock_guard<std::mutex> L(M);
      Jobs.push_back(std::move(Job));
    }
    C.notify_one();
  }

private:
  void run() {
    for (;;) {
      std::function<void()> Job;
      {
        std::unique_lock<std::mutex> L(M);
        C.wait(L, [this] { return Stop || !Jobs.empty(); });
        if (Jobs.empty())
          return;
        Job = std::move(Jobs.front());
        Jobs.pop_front();
      }
      Job();
    }
  }
  std::mutex M;
  std::condition_variable C;
  std::deque<std::function<void()>> Jobs;
  std::vector<std::thread> Threads;
  bool Stop = false;
};

struct Engine {
  torch::nn::Linear Net{32, 64};
  std::mutex Lock;
  std::unordered_map<int, torch::Tensor> Results;
  void infer(int Id) {
    torch::NoGradGuard Guard;
    torch::Tensor Y =
        torch::sigmoid(Net(torch::randn({8, 32}))); // LEAK bytes=2048 holder=TheEngine|Results
    std::lock_guard<std::mutex> L(Lock);
    Results[Id] = Y;
#if !LEAK
    Results.erase(Id - 8);
#endif
  }
};

int main() {
  torch::set_num_threads(1);
  auto TheEngine = std::make_shared<Engine>();
  ThreadPool Pool(3);
  for (int I = 0; I < 240; ++I) {
    Pool.post([TheEngine, I] { TheEngine->infer(I); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
