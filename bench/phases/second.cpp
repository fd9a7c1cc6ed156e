// More programs of several phases, as first.cpp: here the clean twins keep much for good reason.
#include <torch/torch.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>

using torch::Tensor;

namespace {

struct NetImpl : torch::nn::Module {
  torch::nn::Linear In{nullptr}, Out{nullptr};
  explicit NetImpl(int Width = 48) {
    In = register_module("in", torch::nn::Linear(32, Width));
    Out = register_module("out", torch::nn::Linear(Width, 8));
  }
  Tensor forward(const Tensor &X) { return Out(torch::relu(In(X))); }
};
TORCH_MODULE(Net);

Tensor inputs(int N = 16) { return torch::randn({N, 32}); }

double step(Net &Model, torch::optim::Optimizer &Opt, const Tensor &X) {
  Opt.zero_grad();
  Tensor Loss = Model(X).square().mean();
  Loss.backward();
  Opt.step();
  return Loss.item<double>();
}

// The predictions of this evaluation and of the one before are compared.
void comparesEvaluations(bool Leak) {
  Net Model;
  torch::optim::SGD Opt(Model->parameters(), 0.01);
  std::vector<Tensor> Before, Now;
  std::vector<std::vector<Tensor>> Archive;
  for (int Epoch = 0; Epoch < 6; ++Epoch) {
    for (int I = 0; I < 15; ++I)
      step(Model, Opt, inputs());
    torch::NoGradGuard Off;
    for (int I = 0; I < 12; ++I)
      Now.push_back(Model(inputs(40)));
    if (Leak)
      Archive.push_back(Before);
    Before = std::move(Now);
    Now.clear();
  }
}

// A data set is read, then trained on; read with its augmented copies, of which one is used.
void readsDataFirst(bool Leak) {
  std::vector<Tensor> Data, Raw;
  for (int I = 0; I < 50; ++I) {
    Tensor T = torch::rand({16, 32});
    Data.push_back((T - 0.5).mul(2));
  }
  Net Model;
  torch::optim::SGD Opt(Model->parameters(), 0.01);
  for (int Epoch = 0; Epoch < 3; ++Epoch)
    for (Tensor &T : Data) {
      step(Model, Opt, T);
      if (Leak)
        Raw.push_back(T + 0.1 * torch::randn_like(T));
    }
}

// An index of embeddings is built by the trained network, then searched.
void buildsAnIndex(bool Leak) {
  Net Model;
  torch::optim::Adam Opt(Model->parameters(), 1e-3);
  for (int I = 0; I < 40; ++I)
    step(Model, Opt, inputs());
  torch::NoGradGuard Off;
  std::vector<Tensor> Index, Answers;
  for (int I = 0; I < 60; ++I)
    Index.push_back(Model(inputs(4)));
  Tensor All = torch::cat(Index);
  for (int Query = 0; Query < 80; ++Query) {
    Tensor Scores = torch::mm(All, Model(inputs(1)).t());
    if (Leak)
      Answers.push_back(Scores);
    std::printf("%d ", int(Scores.argmax().item<int64_t>()));
  }
}

// Episodes fill a replay memory of bounded size, then the network learns from it.
void replayMemory(bool Leak) {
  Net Policy;
  torch::optim::Adam Opt(Policy->parameters(), 1e-3);
  std::deque<Tensor> Memory;
  for (int Episode = 0; Episode < 12; ++Episode) {
    {
      torch::NoGradGuard Off;
      Tensor State = torch::zeros({1, 32});
      for (int T = 0; T < 20; ++T) {
        State = torch::cat({Policy(State), torch::randn({1, 24})}, 1);
        Memory.push_back(State);
        if (!Leak && Memory.size() > 60)
          Memory.pop_front();
      }
    }
    for (int I = 0; I < 5; ++I)
      step(Policy, Opt, Memory[size_t(I) * 3]);
  }
}

// Five networks are trained on five parts of the data, and vote.
void votes(bool Leak) {
  std::vector<Net> Models;
  std::vector<std::unique_ptr<torch::optim::Adam>> Optimizers;
  for (int Fold = 0; Fold < 5; ++Fold) {
    Net Model;
    auto Opt = std::make_unique<torch::optim::Adam>(Model->parameters(), 1e-3);
    for (int I = 0; I < 20; ++I)
      step(Model, *Opt, inputs());
    Models.push_back(Model);
  }
  torch::NoGradGuard Off;
  std::map<int, Tensor> Seen;
  for (int R = 0; R < 50; ++R) {
    Tensor Sum = torch::zeros({8, 8});
    Tensor X = inputs(8);
    for (Net &Model : Models)
      Sum += Model(X);
    Seen[Leak ? R : R % 4] = Sum;
  }
}

// The best parameters so far are kept beside the present ones.
void keepsTheBest(bool Leak) {
  Net Model;
  torch::optim::Adam Opt(Model->parameters(), 1e-3);
  std::vector<std::vector<Tensor>> Snapshots;
  double Best = 1e9;
  for (int Epoch = 0; Epoch < 40; ++Epoch) {
    for (int I = 0; I < 5; ++I)
      step(Model, Opt, inputs());
    torch::NoGradGuard Off;
    double Score = 0;
    for (int I = 0; I < 3; ++I)
      Score += Model(inputs()).abs().mean().item<double>();
    if (Leak || Score < Best) {
      if (!Leak)
        Snapshots.clear();
      std::vector<Tensor> Copy;
      for (const Tensor &P : Model->parameters())
        Copy.push_back(P.clone());
      Snapshots.push_back(Copy);
      Best = std::min(Best, Score);
    }
  }
}

// Sessions of a server, each with its state; some end.
class Sessions {
public:
  explicit Sessions(bool Leak) : Leak(Leak) {}
  void message(int User, Net &Model) {
    Tensor &State = States[User];
    State =
        State.defined() ? Model(torch::cat({State, torch::ones({1, 24})}, 1)) : Model(inputs(1));
    if (!Leak && User % 7 == 6)
      States.erase(User - 6), States.erase(User - 5), States.erase(User - 4),
          States.erase(User - 3), States.erase(User - 2), States.erase(User - 1),
          States.erase(User);
  }

private:
  bool Leak;
  std::unordered_map<int, Tensor> States;
};

void warmsUpThenServes(bool Leak) {
  Net Model;
  Model->eval();
  torch::NoGradGuard Off;
  for (int I = 0; I < 30; ++I)
    Model(inputs(128)).sum();
  Sessions S(Leak);
  for (int User = 0; User < 120; ++User)
    S.message(User, Model);
}

// Two servers after each other, in one process: a plain one, and one that batches.
void twoServers(bool Leak) {
  Net Model;
  torch::NoGradGuard Off;
  double Sum = 0;
  for (int I = 0; I < 100; ++I)
    Sum += Model(inputs(2)).sum().item<double>();
  std::vector<Tensor> Pending, Done;
  for (int I = 0; I < 100; ++I) {
    Pending.push_back(inputs(1));
    if (Pending.size() < 5)
      continue;
    Tensor Answers = Model(torch::cat(Pending));
    Pending.clear();
    if (Leak)
      Done.push_back(Answers);
  }
  for (int I = 0; I < 100; ++I)
    Sum += Model(inputs(3)).sum().item<double>();
  std::printf("%f\n", Sum);
}

// A pretrained backbone gives features once; a head is trained on these.
void featuresFirst(bool Leak) {
  Net Backbone;
  std::vector<Tensor> Features;
  for (int I = 0; I < 45; ++I)
    if (Leak) {
      Features.push_back(Backbone(inputs(32))); // with its graph
    } else {
      torch::NoGradGuard Off;
      Features.push_back(Backbone(inputs(32)));
    }
  torch::nn::Linear Head(8, 2);
  torch::optim::SGD Opt(Head->parameters(), 0.1);
  for (int Epoch = 0; Epoch < 4; ++Epoch)
    for (Tensor &F : Features) {
      Opt.zero_grad();
      Tensor Loss = Head(F.detach()).square().mean();
      Loss.backward();
      Opt.step();
    }
}

// Curves of a training, a number for each epoch; or the tensors that they were made of.
void plotsCurves(bool Leak) {
  Net Model;
  torch::optim::SGD Opt(Model->parameters(), 0.01);
  std::vector<float> Curve;
  std::vector<Tensor> Raw;
  for (int Epoch = 0; Epoch < 8; ++Epoch) {
    for (int I = 0; I < 12; ++I)
      step(Model, Opt, inputs());
    torch::NoGradGuard Off;
    for (int I = 0; I < 15; ++I) {
      Tensor Error = Model(inputs(64)).square();
      Curve.push_back(Error.mean().item<float>());
      if (Leak)
        Raw.push_back(Error);
    }
  }
}

// A generator and its judge take turns; pictures of the last turns are kept.
void takesTurns(bool Leak) {
  Net Generator, Judge;
  torch::optim::Adam G(Generator->parameters(), 1e-3), J(Judge->parameters(), 1e-3);
  std::deque<Tensor> Pictures;
  for (int Turn = 0; Turn < 10; ++Turn) {
    for (int I = 0; I < 6; ++I)
      step(Judge, J, inputs());
    for (int I = 0; I < 6; ++I)
      step(Generator, G, inputs());
    for (int I = 0; I < 11; ++I) {
      Tensor Picture = Generator(inputs(1));
      Pictures.push_back(Leak ? Picture : Picture.detach());
      while (!Leak && Pictures.size() > 25)
        Pictures.pop_front();
    }
  }
}

// Batches are prepared by another thread while the network learns; then it is asked.
void preparesAside(bool Leak) {
  Net Model;
  torch::optim::SGD Opt(Model->parameters(), 0.01);
  for (int I = 0; I < 40; ++I) {
    auto Next = std::async(std::launch::async, [] { return inputs() * 2; });
    step(Model, Opt, Next.get());
  }
  torch::NoGradGuard Off;
  std::vector<std::shared_ptr<Tensor>> Kept;
  for (int I = 0; I < 60; ++I) {
    auto Answer = std::make_shared<Tensor>(Model(inputs(8)));
    if (Leak || Kept.empty())
      Kept.push_back(Answer);
  }
}

// A tree search: a tree for each move, which is given up after it.
struct Node {
  Tensor State;
  std::vector<std::shared_ptr<Node>> Children;
  std::shared_ptr<Node> Parent;
};

void playsGames(bool Leak) {
  Net Model;
  torch::NoGradGuard Off;
  for (int Move = 0; Move < 6; ++Move) {
    auto Root = std::make_shared<Node>(Node{Model(inputs(1)), {}, nullptr});
    for (int I = 0; I < 20; ++I) {
      auto Child = std::make_shared<Node>(Node{Model(inputs(1)), {}, nullptr});
      if (Leak)
        Child->Parent = Root;
      Root->Children.push_back(Child);
    }
    for (int I = 0; I < 20; ++I)
      Model(inputs(6)).sum();
  }
}

// Buffers for all the rest of the program, then the work, then a report of all results.
void worksInBuffers(bool Leak) {
  std::vector<Tensor> Buffers, Results;
  for (int I = 0; I < 24; ++I)
    Buffers.push_back(torch::zeros({16, 32}));
  Net Model;
  torch::NoGradGuard Off;
  for (int I = 0; I < 240; ++I) {
    Tensor &B = Buffers[size_t(I) % Buffers.size()];
    B.copy_(Model(B).repeat({1, 4}));
    Tensor Summary = B.sum(0);
    if (Leak)
      Results.push_back(Summary);
  }
  for (int I = 0; I < 30; ++I)
    std::printf("%f ", Buffers[size_t(I) % 24].norm().item<double>());
}

// A schedule with a warm-up: its learning rates are computed by tensors, and then not needed.
void finetunesTwice(bool Leak) {
  Net Model;
  std::vector<std::shared_ptr<torch::optim::Adam>> Old;
  std::vector<Tensor> Moments;
  for (int Stage = 0; Stage < 2; ++Stage) {
    auto Opt = std::make_shared<torch::optim::Adam>(Model->parameters(), 1e-3);
    for (int I = 0; I < 30; ++I) {
      step(Model, *Opt, inputs());
      Tensor Norm = torch::zeros({256});
      for (const Tensor &P : Model->parameters())
        Norm += P.grad().norm();
      if (Leak)
        Moments.push_back(Norm);
    }
    Old.push_back(Opt);
    torch::NoGradGuard Off;
    for (int I = 0; I < 30; ++I)
      Model(inputs()).sum();
  }
}

} // namespace

int main(int argc, char **argv) {
  torch::manual_seed(1);
  torch::set_num_threads(1);
  const std::map<std::string, void (*)(bool)> All = {
#define PROGRAM(Name) {#Name, Name},
      PROGRAM(comparesEvaluations) PROGRAM(readsDataFirst) PROGRAM(buildsAnIndex)
          PROGRAM(replayMemory) PROGRAM(votes) PROGRAM(keepsTheBest) PROGRAM(warmsUpThenServes)
              PROGRAM(twoServers) PROGRAM(featuresFirst) PROGRAM(plotsCurves) PROGRAM(takesTurns)
                  PROGRAM(preparesAside) PROGRAM(playsGames) PROGRAM(worksInBuffers)
                      PROGRAM(finetunesTwice)};
  if (argc < 3) {
    for (const auto &[Name, Run] : All)
      std::puts(Name.c_str());
    return 0;
  }
  All.at(argv[1])(!std::strcmp(argv[2], "leak"));
}
