// Programs that serve requests, a mode each, after reports from public threads: buffers that
// are not LibTorch's, pools of threads, loops in loops; and their harmless twins.
#include <torch/torch.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iostream>
#include <link.h>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using torch::Tensor;

constexpr int Requests = 120;

static float *pixels() {
  float *Data = new float[3 * 32 * 32]; // keeps: blob
  std::memset(Data, 0, sizeof(float) * 3 * 32 * 32);
  return Data;
}

static void classify(const std::function<Tensor()> &Image) {
  torch::NoGradGuard Guard;
  torch::nn::Conv2d Net(torch::nn::Conv2dOptions(3, 8, 3));
  for (int I = 0; I < Requests; ++I)
    Net(Image()).mean().item<float>();
}

static void blob() {
  classify([] { return torch::from_blob(pixels(), {1, 3, 32, 32}); });
}

static void freedblob() {
  classify([] {
    return torch::from_blob(pixels(), {1, 3, 32, 32},
                            [](void *Data) { delete[] static_cast<float *>(Data); });
  });
}

struct Answer {
  float *Scores;
};

static Answer answer(torch::nn::Linear &Net) {
  Tensor Y = Net(torch::randn({16, 32}));
  Answer Out{static_cast<float *>(std::malloc(Y.nbytes()))}; // keeps: answers
  std::memcpy(Out.Scores, Y.data_ptr<float>(), Y.nbytes());
  return Out;
}

static std::vector<Answer> Answers;

static void answers() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(32, 128);
  for (int I = 0; I < Requests; ++I)
    Answers.push_back(answer(Net));
}

static void freedanswers() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(32, 128);
  for (int I = 0; I < Requests; ++I)
    std::free(answer(Net).Scores);
}

/// Requests come in faster than four threads answer them; the answers stay.
class Pool {
public:
  explicit Pool(bool Keeps) : Keeps(Keeps) {
    for (int I = 0; I < 4; ++I)
      Threads.emplace_back([this] { work(); });
  }
  void finish() {
    put({});
    for (std::thread &T : Threads)
      T.join();
  }
  void put(Tensor Request) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Ended |= !Request.defined();
    Waiting.push_back(Request);
    Changed.notify_all();
  }

private:
  Tensor take() {
    std::unique_lock<std::mutex> Lock(Mutex);
    Changed.wait(Lock, [this] { return Ended || !Waiting.empty(); });
    Tensor Out;
    if (!Waiting.empty() && Waiting.front().defined()) {
      Out = Waiting.front();
      Waiting.pop_front();
    }
    return Out;
  }
  void work() {
    torch::NoGradGuard Guard;
    while (true) {
      Tensor X = take();
      if (!X.defined())
        return;
      Tensor Y = torch::softmax(Net(X), 1); // keeps: backlog
      std::this_thread::sleep_for(std::chrono::milliseconds(6));
      std::lock_guard<std::mutex> Lock(Mutex);
      Last = Y;
      if (Keeps)
        Done.push_back(Y);
    }
  }

  torch::nn::Linear Net{64, 16};
  bool Keeps, Ended = false;
  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<Tensor> Waiting;
  std::vector<Tensor> Done;
  Tensor Last;
  std::vector<std::thread> Threads;
};

static void serve(bool Keeps) {
  torch::set_num_threads(1);
  Pool ThePool(Keeps);
  for (int I = 0; I < Requests; ++I) {
    ThePool.put(torch::randn({8, 64}));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ThePool.finish();
}

static void backlog() { serve(/*Keeps=*/true); }
static void cleanpool() { serve(/*Keeps=*/false); }

/// A loop over the layers within that over the requests.
static void layers() {
  torch::NoGradGuard Guard;
  std::vector<torch::nn::Linear> Layers;
  for (int I = 0; I < 12; ++I)
    Layers.emplace_back(64, 64);
  std::vector<Tensor> Outputs;
  for (int I = 0; I < Requests; ++I) {
    Tensor X = torch::randn({2, 64});
    for (torch::nn::Linear &Layer : Layers)
      X = torch::relu(Layer(X)); // keeps: layers
    Outputs.push_back(X);
  }
}

/// Keys and values of all tokens, of earlier prompts too.
static void tokens() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Key(32, 32), Value(32, 32);
  Tensor Keys = torch::zeros({0, 32}), Values = torch::zeros({0, 32});
  for (int Prompt = 0; Prompt < 40; ++Prompt) {
    Tensor X = torch::randn({1, 32});
    for (int Token = 0; Token < 10; ++Token) {
      Keys = torch::cat({Keys, Key(X)});       // keeps: tokens
      Values = torch::cat({Values, Value(X)}); // keeps: tokens
      X = torch::softmax(X.matmul(Keys.t()), 1).matmul(Values);
    }
  }
}

/// Each thread serves for itself, and keeps its answers in a variable of its own, which is freed
/// when it ends.
static void serveAlone(int Rounds, std::vector<Tensor> &Kept, size_t Most = SIZE_MAX) {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(64, 64);
  for (int I = 0; I < Rounds; ++I) {
    Kept.push_back(torch::relu(Net(torch::randn({2, 64})))); // keeps: ofthread
    if (Kept.size() > Most)
      Kept.clear();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}
static void inLocal(int Rounds) {
  std::vector<Tensor> History;
  serveAlone(Rounds, History);
}
thread_local std::vector<Tensor> ThreadHistory;
static void inThreadLocal(int Rounds) { serveAlone(Rounds, ThreadHistory); }
static void inBounded(int Rounds) { serveAlone(Rounds, ThreadHistory, /*Most=*/16); }

/// The second goes on when the first has ended.
static void inThreads(void (*Serve)(int Rounds)) {
  torch::set_num_threads(1);
  std::thread First(Serve, Requests), Second(Serve, 2 * Requests);
  First.join();
  Second.join();
}
static void localofthread() { inThreads(inLocal); }
static void ofthread() { inThreads(inThreadLocal); }
static void boundedofthread() { inThreads(inBounded); }

/// A thread for each request; what they make goes to one list.
static void requests() {
  torch::set_num_threads(1);
  static std::vector<Tensor> Collected;
  for (int I = 0; I < Requests; ++I) {
    std::thread Request([] {
      torch::NoGradGuard Guard;
      Collected.push_back(torch::randn({32, 32}).tanh()); // keeps: requests
    });
    Request.join();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// Nothing is allocated but what stays; yet it was calculated, and not read.
static void features() {
  torch::NoGradGuard Guard;
  Tensor Image = torch::randn({16, 64});
  std::vector<Tensor> Features;
  for (int I = 0; I < Requests; ++I)
    Features.push_back(torch::relu(Image)); // keeps: features
}
/// The same, where the data of a training is read.
static void reads() {
  std::vector<Tensor> Images;
  for (int I = 0; I < Requests; ++I)
    Images.push_back(torch::full({16, 64}, I));
}

/// A state that grows from what the first request made.
static void history() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(32, 32);
  Tensor State = torch::zeros({1, 32}).clone();
  for (int I = 0; I < Requests; ++I) {
    Tensor Y = Net(torch::randn({1, 32}));
    State = torch::cat({State, Y}); // keeps: history
  }
}

/// What was collected is written when there are enough of them.
static void batches() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(32, 32);
  std::vector<Tensor> Outputs;
  double Sum = 0;
  for (int I = 0; I < 330; ++I) {
    Outputs.push_back(Net(torch::randn({2, 32})));
    if (Outputs.size() < 25)
      continue;
    Sum += torch::cat(Outputs).sum().item<double>();
    Outputs.clear();
  }
}

/// 64 threads that train a network each; the loader and exceptions are busy meanwhile.
static void trainAlone(int Seed) {
  torch::nn::Linear Net(8, 8);
  torch::optim::SGD Steps(Net->parameters(), 0.01);
  for (int I = 0; I < 20; ++I) {
    Steps.zero_grad();
    Net(torch::randn({4, 8})).pow(2).mean().backward();
    Steps.step();
    try {
      throw Seed;
    } catch (int) {
    }
  }
}
static void crowd() {
  torch::set_num_threads(1);
  std::vector<std::thread> Threads;
  for (int I = 0; I < 64; ++I)
    Threads.emplace_back(trainAlone, I);
  for (std::thread &T : Threads)
    T.join();
  std::cout << "all ended\n";
}

/// Each depth is a stack of its own.
static float descend(int Depth) {
  if (Depth == 0)
    return torch::randn({8}).exp().sum().item<float>();
  std::vector<float> Scratch(2048, 1);
  return Scratch[0] + descend(Depth - 1);
}

/// Strings are made while the loader's lock is held, and memory is taken by new ways elsewhere.
static void underLoader() {
  std::atomic<bool> Over{false};
  std::thread Walker([&Over] {
    auto Names = [](dl_phdr_info *Info, size_t, void *All) {
      static_cast<std::vector<std::string> *>(All)->push_back(std::string(300, 'x') +
                                                              Info->dlpi_name);
      return 0;
    };
    while (!Over) {
      std::vector<std::string> All;
      All.reserve(1024); // a large block of the program's own would be traced, under that lock
      dl_iterate_phdr(Names, &All);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  torch::set_num_threads(1);
  for (int I = 0; I < 300; ++I) {
    std::thread Deeper(+[](int Depth) { descend(Depth); }, I % 60);
    Deeper.join();
  }
  Over = true;
  Walker.join();
}

/// A thread of its own lets go of all that the rounds made, and makes nothing itself. At first it
/// waits until there are many.
static void reaped() {
  torch::NoGradGuard Guard;
  torch::nn::Linear Net(32, 32);
  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<Tensor> Done;
  bool Ends = false;
  size_t Waits = 30;
  std::thread Reaper([&] {
    std::unique_lock<std::mutex> Lock(Mutex);
    for (;; Waits = 0) {
      Changed.notify_all();
      Changed.wait(Lock, [&] { return Ends || Done.size() > Waits; });
      if (Done.empty())
        return;
      Done.clear();
    }
  });
  for (int I = 0; I < Requests; ++I) {
    Tensor Answer = Net->forward(torch::ones({16, 32}));
    std::unique_lock<std::mutex> Lock(Mutex);
    Done.push_back(std::move(Answer));
    Changed.notify_all();
    Changed.wait(Lock, [&] { return Done.size() < Waits + 1; });
  }
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    Ends = true;
  }
  Changed.notify_all();
  Reaper.join();
}

int main(int, char **Arguments) {
  const std::map<std::string, std::function<void()>> Modes{
      {"blob", blob},       {"freedblob", freedblob}, {"answers", answers},
      {"backlog", backlog}, {"cleanpool", cleanpool}, {"freedanswers", freedanswers},
      {"reaped", reaped},
      {"layers", layers},   {"tokens", tokens},       {"batches", batches},
      {"crowd", crowd},     {"ofthread", ofthread},   {"localofthread", localofthread},
      {"boundedofthread", boundedofthread},
      {"history", history}, {"requests", requests},
      {"features", features}, {"reads", reads}, {"underloader", underLoader}};
  Modes.at(Arguments[1])();
  std::cout << "done\n";
  return 0;
}
