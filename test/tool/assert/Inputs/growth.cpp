// Tests about memory, of which half hold.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tensorleak/expect.h"

#include <thread>
#include <vector>

namespace {

struct Server {
  std::vector<torch::Tensor> History;
  std::vector<torch::Tensor> Last{8};
  torch::Tensor Sum = torch::zeros({});
  torch::nn::Linear Net{16, 16};
  int Served = 0;

  torch::Tensor answer() { return torch::ones({32, 32}); } // 4 KiB

  void keep() { History.push_back(answer()); }
  void ring() { Last[size_t(Served++) % Last.size()] = answer(); }
  void cache() {
    if (Served++ < 12)
      keep();
  }
  void addUp() { Sum = Sum + Net(torch::randn({4, 16})).pow(2).mean(); }
  void train(torch::optim::SGD &Optimizer) {
    Optimizer.zero_grad();
    Net(torch::randn({4, 16})).pow(2).mean().backward();
    Optimizer.step();
  }
};

Server TheServer;

} // namespace

TEST(Growth, Keeps) {
  Server S;
  TENSORLEAK_EXPECT_NO_GROWTH(60) { S.keep(); } // assertion: keeps
}

TEST(Growth, KeepsInGlobal) {
  TENSORLEAK_EXPECT_NO_GROWTH(60) { TheServer.keep(); }
}

TEST(Growth, AddsUpGraphs) {
  Server S;
  TENSORLEAK_EXPECT_NO_GROWTH(60) {
    torch::Tensor Loss = S.Net(torch::randn({4, 16})).pow(2).mean();
    Loss.backward({}, /*retain_graph=*/true);
    S.Sum = S.Sum + Loss;
  }
}

TEST(Growth, Trains) {
  Server S;
  torch::optim::SGD Optimizer(S.Net->parameters(), 1e-3);
  TENSORLEAK_EXPECT_NO_GROWTH(30) {
    for (int I = 0; I < 3; ++I)
      S.train(Optimizer);
  }
}

TEST(Growth, Ring) {
  Server S;
  TENSORLEAK_EXPECT_NO_GROWTH(60) { S.ring(); }
}

TEST(Growth, Cache) {
  Server S;
  TENSORLEAK_EXPECT_NO_GROWTH(60) { S.cache(); }
}

TEST(Growth, Answers) {
  Server S;
  TENSORLEAK_EXPECT_NO_GROWTH(20) { EXPECT_EQ(S.answer().numel(), 1024); }
}

TEST(Growth, Threads) {
  std::vector<torch::Tensor> Kept;
  TENSORLEAK_EXPECT_NO_GROWTH(40) {
    std::thread Worker([&] { Kept.push_back(torch::ones({64, 64})); });
    std::thread Other([] { torch::ones({128, 64}); });
    Worker.join();
    Other.join();
  }
}

TEST(Growth, Nested) {
  Server S;
  int Round = 0;
  TENSORLEAK_EXPECT_NO_GROWTH(20) {
    std::vector<torch::Tensor> Batch;
    if (Round++ == 10)
      TENSORLEAK_EXPECT_NO_GROWTH(20) Batch.push_back(S.answer());
  }
}

TEST(Growth, TooFew) {
  TENSORLEAK_EXPECT_NO_GROWTH(5) TheServer.answer();
}

TEST(Growth, LeftEarly) {
  TENSORLEAK_EXPECT_NO_GROWTH(60) {
    TheServer.answer();
    break;
  }
}

TEST(Growth, FailsInside) {
  TENSORLEAK_EXPECT_NO_GROWTH(60) { ASSERT_TRUE(TheServer.answer().numel() == 3); }
}

TEST(Growth, AfterThem) {
  Server S;
  TENSORLEAK_EXPECT_NO_GROWTH(30) S.answer();
}

TEST(Peak, Below) {
  torch::Tensor Before = torch::ones({1024, 1024});
  TENSORLEAK_EXPECT_PEAK_BELOW(1 << 20) torch::ones({256, 128}); // 128 KiB
}

TEST(Peak, Above) {
  torch::Tensor Before = torch::ones({1024, 1024});
  TENSORLEAK_EXPECT_PEAK_BELOW(1 << 20) {
    torch::Tensor A = torch::ones({512, 512}); // 1 MiB
    torch::Tensor B = A + A;
  }
}

TEST(Peak, StillHeld) {
  torch::Tensor Kept;
  TENSORLEAK_EXPECT_PEAK_BELOW(1000) Kept = torch::ones({256});
}

TEST(Peak, ExactlyThat) {
  torch::Tensor Kept;
  TENSORLEAK_EXPECT_PEAK_BELOW(1024) Kept = torch::ones({256});
}

TEST(Peak, Nested) {
  TENSORLEAK_EXPECT_PEAK_BELOW(3 << 20) {
    torch::Tensor A = torch::ones({512, 512});
    TENSORLEAK_EXPECT_PEAK_BELOW(1 << 20) { // 2 MiB, above A
      torch::ones({512, 1024});
    }
    TENSORLEAK_EXPECT_PEAK_BELOW(1 << 20) torch::ones({512, 256});
  }
}

TEST(Peak, LowerThanBefore) {
  { torch::ones({2048, 1024}); }
  TENSORLEAK_EXPECT_PEAK_BELOW(4096) torch::ones({32});
}
