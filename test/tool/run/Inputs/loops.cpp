// Rows of docs/patterns.md about what a loop does over and over: statistics, results that live
// into the next round, copies, threads. As rows.cpp: a mode each, and its clean twin.
#include "TwoLayers.h"
#ifdef WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>

using torch::Tensor;

struct Net : TwoLayers {
  Tensor forward(Tensor X) { return Out(torch::relu(In(X))); }
};

static Tensor batch() { return torch::randn({128, 256}); }

#ifdef WITH_CUDA // Debian's LibTorch has no such header
static void emptyCache() { c10::cuda::CUDACachingAllocator::emptyCache(); }
#else
static void emptyCache() {}
#endif

using Modes = std::map<std::string, std::function<void(int)>>;

static Modes statisticModes() {
  Modes M;
  M["statistic"] = [](int Steps) { // row 9, with a fresh input
    torch::nn::Linear L(128, 64);
    Tensor S = torch::zeros({});
    for (int I = 0; I < Steps; ++I) { // loop: statistic
      Tensor X = torch::randn({128, 128}); // producer: statistic
      S = S + L(X).sum(); // finding: statistic retention graph statistic
    } // end: statistic
  };
  M["square"] = [](int Steps) { // row 9, with the square
    torch::nn::Linear L(128, 128);
    Tensor S = torch::zeros({});
    for (int I = 0; I < Steps; ++I) { // loop: square
      Tensor X = torch::randn({128, 128}); // producer: square
      S += L(X).pow(2).sum(); // finding: square retention graph square
    } // end: square
  };
  M["maximum"] = [](int Steps) { // row 9, with the maximum
    torch::nn::Linear L(128, 128);
    Tensor Most = torch::zeros({});
    for (int I = 0; I < Steps; ++I) { // loop: maximum
      Tensor X = torch::randn({128, 128}); // producer: maximum
      Most = torch::max(Most, L(X).max()); // finding: maximum retention graph maximum
    } // end: maximum
  };
  M["persistent"] = [](int Steps) { // row 9, with the same input in every step
    torch::nn::Linear L(128, 64);
    Tensor S = torch::zeros({}), X = torch::randn({128, 128});
    for (int I = 0; I < Steps; ++I) // loop: persistent
      S = S + L(X).sum(); // finding: persistent retention graph persistent
    // end: persistent
  };
  M["item"] = [](int Steps) {
    torch::nn::Linear L(128, 128);
    float Most = 0;
    for (int I = 0; I < Steps; ++I) { // loop: item
      Tensor X = torch::randn({128, 128}); // producer: item
      Most = std::max(Most, L(X).max().item<float>()); // finding: item retention graph item
    } // end: item
  };
  M["argmax"] = [](int Steps) {
    torch::nn::Linear L(128, 128);
    Tensor S = torch::zeros({}, torch::kLong);
    for (int I = 0; I < Steps; ++I) { // loop: argmax
      Tensor X = torch::randn({128, 128}); // producer: argmax
      S += L(X).argmax(); // finding: argmax retention graph argmax
    } // end: argmax
  };
  return M;
}

static Modes roundModes() {
  Modes M;
  M["outer"] = [](int Steps) { // row 4: the old result lives while the new one is made
    Net Model;
    Tensor Out;
    for (int I = 0; I < Steps; ++I) { // loop: outer
      Out = Model.forward(batch()); // finding: outer peak graph outer tensor-undeleted-tensor
      if (Out.numel() == 0)
        return;
    } // end: outer
  };
  M["inner"] = [](int Steps) {
    Net Model;
    for (int I = 0; I < Steps; ++I) { // loop: inner
      Tensor Out = Model.forward(batch()); // finding: inner peak graph inner tensor-undeleted-tensor
      if (Out.numel() == 0)
        return;
    } // end: inner
  };
  M["threads"] = [](int Steps) { // row 25: nothing is to be said
    torch::nn::Linear L(64, 64);
    for (int I = 0; I < Steps; ++I)
      std::thread([&] {
        torch::NoGradGuard Guard;
        if (L(torch::randn({1 + I % 7, 64})).numel() == 0)
          std::abort();
      }).join();
  };
  M["transfer"] = [](int Steps) { // row 30; without a GPU, a conversion instead of a move
    Tensor Table = torch::randn({256, 512});
    for (int I = 0; I < Steps; ++I) { // loop: transfer
      Tensor Moved = Table.to(torch::kDouble); // finding: transfer peak plain transfer tensor-repeated-transfer
      if (Moved.numel() == 0)
        return;
    } // end: transfer
  };
  M["alreadythere"] = [](int Steps) {
    Tensor Table = torch::randn({256, 512});
    for (int I = 0; I < Steps; ++I) { // loop: alreadythere
      Tensor Moved = Table.to(torch::kFloat); // finding: alreadythere peak plain alreadythere tensor-repeated-transfer
      if (Moved.numel() == 0)
        return;
    } // end: alreadythere
  };
  M["emptycache"] = [](int Steps) { // row 31
    torch::nn::Linear L(64, 64);
    L->to(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
    torch::NoGradGuard Guard;
    for (int I = 0; I < Steps; ++I) { // loop: emptycache
      Tensor Y = L(torch::randn({128, 64}, L->weight.device()));
      emptyCache(); // finding: emptycache correctness plain emptycache tensor-empty-cache-in-loop
    } // end: emptycache
  };
  M["freshoptimizer"] = [](int Steps) {
    torch::nn::Linear L(64, 64);
    for (int I = 0; I < Steps; ++I) {
      torch::optim::Adam Optimizer(L->parameters(), 1e-3); // finding: freshoptimizer retention plain
      L(torch::randn({8, 64})).sum().backward();
      Optimizer.step();
    }
  };
  return M;
}

int main(int Count, char **Arguments) {
  torch::manual_seed(1);
  std::string Mode = Count > 1 ? Arguments[1] : "";
  int Steps = Count > 2 ? std::atoi(Arguments[2]) : 60;
  for (const Modes &M : {statisticModes(), roundModes()})
    if (auto Act = M.find(Mode); Act != M.end())
      Act->second(Steps);
  std::cout << "done " << Mode << "\n";
  return 0;
}
