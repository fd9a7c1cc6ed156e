//===-- Victim.cpp - A LibTorch program for the probe's tests ---------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does what its first argument says, the second is the number of steps. Linked into
// a program (VictimMain.cpp) and into a plugin that Host.cpp loads with RTLD_LOCAL.
// ProbeTest.cpp knows the words below and the lines that carry a mark.
//
//===----------------------------------------------------------------------===//
#include "tensorleak/tensorleak.h"
#include <ATen/record_function.h>
#include <torch/torch.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <link.h>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

std::vector<torch::Tensor> Kept;
/// A call that no compiler inlines: its line has an instruction of its own.
[[gnu::noinline]] void keep(const torch::Tensor &T) { Kept.push_back(T); }

torch::nn::Sequential makeNet() {
  return torch::nn::Sequential(torch::nn::Linear(16, 32), torch::nn::Tanh(),
                               torch::nn::Linear(32, 1));
}

enum class Mode { Clean, KeepLoss, SumLoss, NoZeroGrad, KeepGraph };

void train(int Steps, Mode How) {
  torch::nn::Sequential Net = makeNet();
  torch::optim::SGD Optimizer(Net->parameters(), 0.01);
  torch::Tensor Sum = torch::zeros({});
  for (int Step = 0; Step < Steps; ++Step) {
    torch::Tensor Input = torch::ones({8, 16});
    if (How != Mode::NoZeroGrad)
      Optimizer.zero_grad();
    torch::Tensor Loss = Net->forward(Input).pow(2).mean();
    Loss.backward({}, How == Mode::KeepGraph);
    Optimizer.step();
    if (How == Mode::KeepLoss)
      keep(Loss); // LINE keep
    if (How == Mode::SumLoss)
      Sum = Sum + Loss; // LINE sum
  }
}

void infer(int Steps) {
  torch::nn::Sequential Net = makeNet();
  torch::NoGradGuard Guard;
  for (int Step = 0; Step < Steps; ++Step) { // LINE loop
    torch::Tensor Output = Net->forward(torch::ones({8, 16}));
    if (Step % 2 == 0)
      keep(Output); // LINE every-other
    if (Step == 3)
      Output.add_(1); // LINE once
  }
}

struct sigaction TrapsOfProbe;

/// Now the kernel's word that a trap ends a step is missing, now such a trap comes twice.
void deliverOddly(int Signal, siginfo_t *Info, void *Context) {
  static bool Odd = false;
  bool IsStep = Info->si_code == TRAP_TRACE;
  Odd ^= IsStep;
  if (IsStep && Odd)
    Info->si_code = TRAP_BRKPT;
  TrapsOfProbe.sa_sigaction(Signal, Info, Context);
  if (IsStep && !Odd)
    TrapsOfProbe.sa_sigaction(Signal, Info, Context);
}

void inferOddly(int Steps) {
  sigaction(SIGTRAP, nullptr, &TrapsOfProbe);
  struct sigaction Ours = TrapsOfProbe;
  Ours.sa_sigaction = deliverOddly;
  sigaction(SIGTRAP, &Ours, nullptr);
  infer(Steps);
}

void trap(int Steps) {
  infer(Steps);
#ifdef __x86_64__
  __asm__ volatile("int3");
#endif
}

void marked(int Steps) {
  for (int Step = 0; Step < Steps; ++Step) {
    Kept.push_back(torch::ones({256}));
    tensorleak_step();
  }
}

/// Ends the first process that it finds to be its child, and gives it the time to end.
bool killChild() {
  std::ifstream Children("/proc/thread-self/children");
  pid_t Child = 0;
  if (!(Children >> Child) || kill(Child, SIGKILL) != 0)
    return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return true;
}

/// A kernel that is short of memory ends the copy in which the first search is made.
void killSearch(int Steps) {
  // Takes the search a while.
  std::vector<void *> Much(8 << 20, &Kept);
  bool Killed = false;
  for (int Step = 0; Step < Steps; ++Step) {
    Kept.push_back(torch::ones({256}));
    tensorleak_step();
    Killed = Killed || killChild();
  }
}

void outOfPlace(int Steps) {
  torch::NoGradGuard Guard;
  torch::Tensor X = torch::ones({1024});
  for (int Step = 0; Step < Steps; ++Step)
    X = X * 2.0;
}

void threads(int Steps) {
  std::vector<std::thread> Pool;
  for (int I = 0; I < 4; ++I)
    Pool.emplace_back([Steps] {
      for (int Step = 0; Step < Steps; ++Step)
        torch::Tensor Temporary = torch::ones({64}) + 1;
    });
  for (std::thread &T : Pool)
    T.join();
}

/// The child trains, the parent trains; both count for themselves.
void forks(int Steps) {
  train(Steps, Mode::Clean);
  if (pid_t Child = fork(); Child == 0) {
    marked(2 * Steps);
    std::exit(0);
  } else {
    waitpid(Child, nullptr, 0);
  }
}

/// Children of a program whose threads begin and end all the time.
void forksAmongThreads(int Steps) {
  std::atomic<bool> Goes{true};
  std::vector<std::thread> Pool;
  for (int I = 0; I < 4; ++I)
    Pool.emplace_back([&Goes] {
      while (Goes)
        std::thread([] { torch::ones({4}); }).join();
    });
  for (int Step = 0; Step < Steps; ++Step) {
    pid_t Child = fork();
    if (Child == 0) {
      alarm(20); // a child that waits for ever ends
      torch::ones({4});
      _exit(0);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    if (Status)
      throw std::runtime_error("a child did not end by itself");
  }
  Goes = false;
  for (std::thread &T : Pool)
    T.join();
}

/// What is called while the loader's lock is held allocates, and another thread works meanwhile.
void allocateInLoader(int Steps) {
  alarm(60); // a deadlock ends
  train(Steps, Mode::Clean);
  std::atomic<bool> Begun{false};
  std::thread Other([&Begun] {
    while (!Begun)
      std::this_thread::yield();
    torch::ones({4});
  });
  auto Visit = [](dl_phdr_info *, size_t, void *Begun) {
    *static_cast<std::atomic<bool> *>(Begun) = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    void *volatile Buffer = std::malloc(1 << 16);
    std::free(Buffer);
    return 1;
  };
  dl_iterate_phdr(Visit, &Begun);
  Other.join();
}

void die(int Steps, int Signal) {
  train(Steps, Mode::KeepLoss);
  raise(Signal);
}

void fault(int Steps, volatile int *Address) {
  train(Steps, Mode::KeepLoss);
  *Address = 1;
}

/// As daemons do: what was inherited is closed; then a checkpoint of 8 MiB is written.
void closeAll(int Steps) {
  for (int File = STDERR_FILENO + 1; File < 1024; ++File)
    close(File);
  const char *Checkpoint = std::getenv("CHECKPOINT");
  for (int File = 0; File >= 0 && File < 1000;) // until ours would be among them
    File = open(Checkpoint, O_RDWR | O_CREAT, 0600);
  if (truncate(Checkpoint, 8 << 20))
    throw std::runtime_error("no checkpoint could be written");
  train(Steps, Mode::KeepLoss);
}

/// Reports nothing, as allocators that a program brings do.
struct OwnAllocator final : c10::Allocator {
  static c10::DataPtr make(size_t Bytes) {
    void *Data = std::malloc(Bytes);
    return {Data, Data, std::free, c10::Device(c10::DeviceType::CPU)};
  }
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
  c10::DataPtr allocate(size_t Bytes) override { return make(Bytes); }
  void copy_data(void *To, const void *From, std::size_t Bytes) const override {
    default_copy_data(To, From, Bytes);
  }
#else
  c10::DataPtr allocate(size_t Bytes) const override { return make(Bytes); }
#endif
  c10::DeleterFnPtr raw_deleter() const override { return std::free; }
};

void ownAllocator(int Steps) {
  static OwnAllocator Own;
  train(Steps, Mode::Clean);
  c10::SetAllocator(c10::DeviceType::CPU, &Own, 1);
  marked(Steps);
}

std::atomic<int> Heard{0}, HeardInside{0};

/// Each t() runs a transpose() within it.
std::unique_ptr<at::ObserverContext> hear(const at::RecordFunction &Function) {
  Heard += !std::strcmp(Function.name(), "aten::t");
  HeardInside += !std::strcmp(Function.name(), "aten::transpose");
  return nullptr;
}

/// A listener of the program's own, as a profiler has.
void listen(int Steps, uint64_t (*Register)(at::RecordFunctionCallback)) {
  Register(at::RecordFunctionCallback(hear).scopes({at::RecordScope::FUNCTION}));
  train(Steps, Mode::Clean);
  if (Heard < 2 * Steps || HeardInside < Heard)
    throw std::runtime_error("operators were kept from the program");
}

/// The exception passes through the engine, then the program goes on.
void throwBackward(int Steps) {
  torch::Tensor X = torch::ones({4}, torch::requires_grad());
  torch::Tensor Y = X * 2;
  Y.register_hook([](torch::Tensor) -> torch::Tensor { throw std::runtime_error("in a hook"); });
  try {
    Y.sum().backward();
  } catch (const std::runtime_error &) {
    outOfPlace(Steps);
  }
}

const std::map<std::string, std::function<void(int)>> Acts = {
    {"clean", [](int Steps) { train(Steps, Mode::Clean); }},
    {"exit-7", [](int Steps) { train(Steps, Mode::Clean); }},
    {"keep", [](int Steps) { train(Steps, Mode::KeepLoss); }},
    {"sum", [](int Steps) { train(Steps, Mode::SumLoss); }},
    {"no-zero-grad", [](int Steps) { train(Steps, Mode::NoZeroGrad); }},
    {"keep-graph", [](int Steps) { train(Steps, Mode::KeepGraph); }},
    {"infer", infer},
    {"infer-oddly", inferOddly},
    {"trap", trap},
    {"marked", marked},
    {"kill-search", killSearch},
    {"out-of-place", outOfPlace},
    {"throw-backward", throwBackward},
    {"listen", [](int Steps) { listen(Steps, at::addGlobalCallback); }},
    {"listen-in-thread", [](int Steps) { listen(Steps, at::addThreadLocalCallback); }},
    {"threads", threads},
    {"fork", forks},
    {"fork-among-threads", forksAmongThreads},
    {"allocate-in-loader", allocateInLoader},
    {"close-all", closeAll},
    {"own-allocator", ownAllocator},
    {"kill", [](int Steps) { die(Steps, SIGKILL); }},
    {"term", [](int Steps) { die(Steps, SIGTERM); }},
    {"fault", [](int Steps) { fault(Steps, /*Address=*/nullptr); }},
    {"throw", [](int) { throw std::runtime_error("on purpose"); }},
};

int run(const std::string &What, int Steps) {
  Acts.at(What)(Steps);
  std::cout << "done " << What << std::endl;
  return What == "exit-7" ? 7 : 0;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int runVictim(const char *What, int Steps) {
  return run(What, Steps);
}
