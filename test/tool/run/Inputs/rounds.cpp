// Programs without optimizer, backward pass or mark, a mode each: what they keep from round to
// round, and their harmless twins. The second argument is the number of rounds.
#include "TwoLayers.h"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using torch::Tensor;

struct Net : TwoLayers {
  Tensor forward(Tensor X) { return Out(torch::relu(In(X))); }
};

static Tensor request(int Rows = 16) { return torch::randn({Rows, 256}); }

/// Remembers what it answered.
struct Server {
  Net Model;
  std::vector<Tensor> Answers;
  void answer(bool Keeps) {
    torch::NoGradGuard Guard;
    Tensor Y = Model.forward(request()).softmax(1);
    if (Keeps)
      Answers.push_back(Y.clone()); // keeps: server
  }
};

static void server(int Rounds) {
  Server TheServer;
  for (int I = 0; I < Rounds; ++I)
    TheServer.answer(/*Keeps=*/true);
}

static void cleanserver(int Rounds) {
  Server TheServer;
  for (int I = 0; I < Rounds; ++I)
    TheServer.answer(/*Keeps=*/false);
}

static void evaluation(int Rounds) {
  Net Model;
  std::vector<Tensor> Losses;
  for (int I = 0; I < Rounds; ++I) {
    Tensor Y = Model.forward(request());
    Losses.push_back((Y - 1).pow(2).mean());
  }
}

static void detached(int Rounds) {
  Net Model;
  double Sum = 0;
  for (int I = 0; I < Rounds; ++I) {
    Tensor Y = Model.forward(request());
    Sum += (Y - 1).pow(2).mean().item<double>();
  }
}

/// A state that is made anew in each round, a row larger.
static void streaming(int Rounds) {
  torch::NoGradGuard Guard;
  Net Model;
  Tensor State = torch::zeros({0, 256});
  for (int I = 0; I < Rounds; ++I) {
    Tensor X = torch::randn({1, 256});
    State = torch::cat({State, X}); // keeps: streaming
    Model.forward(X);
  }
}

/// The same state, dropped at the end of each request.
static void session(int Rounds) {
  torch::NoGradGuard Guard;
  Net Model;
  for (int I = 0; I < Rounds; ++I) {
    Tensor State = torch::zeros({0, 256});
    for (int Token = 0; Token < 12; ++Token) {
      State = torch::cat({State, torch::randn({1, 256})});
      Model.forward(State);
    }
  }
}

static std::mutex Mutex;
static std::vector<Tensor> Log;

static void serveInThread(Net &Model, int Rounds) {
  torch::NoGradGuard Guard;
  for (int I = 0; I < Rounds; ++I) {
    Tensor Y = Model.forward(request());
    Tensor Row = Y.sum(0); // keeps: pool
    std::lock_guard<std::mutex> Lock(Mutex);
    Log.push_back(Row);
  }
}

static void pool(int Rounds) {
  torch::set_num_threads(1);
  Net Model;
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([&] { serveInThread(Model, Rounds); });
  for (std::thread &T : Threads)
    T.join();
}

/// Fills, and is full.
static void cache(int Rounds) {
  torch::NoGradGuard Guard;
  Net Model;
  std::map<int, Tensor> Positions;
  for (int I = 0; I < Rounds; ++I) {
    int Rows = 8 * (1 + (I * 7) % 10);
    if (!Positions.count(Rows))
      Positions[Rows] = torch::randn({Rows, 256});
    Model.forward(request(Rows) + Positions[Rows]);
  }
}

/// Data that is read once, as in a program that converts it.
static void load(int Rounds) {
  std::vector<Tensor> Data;
  for (int I = 0; I < Rounds; ++I)
    Data.push_back(torch::empty({64, 64}).fill_(I));
}

/// Warms up for most of the time, and serves then.
static void serveAfterWarmUp(int Rounds, bool Keeps) {
  torch::NoGradGuard Guard;
  Net Model;
  for (int I = 0; I < 4 * Rounds; ++I)
    Model.forward(torch::zeros({16, 256}));
  Server TheServer;
  for (int I = 0; I < Rounds; ++I)
    TheServer.answer(Keeps);
}
static void lastpart(int Rounds) { serveAfterWarmUp(Rounds, /*Keeps=*/true); }
static void cleanlastpart(int Rounds) { serveAfterWarmUp(Rounds, /*Keeps=*/false); }

/// A few prompts of many tokens each, and a state that is never, or always, begun anew.
static void generate(int Rounds, bool Keeps) {
  torch::NoGradGuard Guard;
  Net Model;
  Tensor Past = torch::zeros({0, 256});
  for (int Prompt = 0; Prompt < 8; ++Prompt) {
    Tensor Token = torch::randn({1, 256});
    for (int I = 0; I < Rounds; ++I) {
      Token = torch::tanh(Token);
      Past = torch::cat({Past, Token}); // keeps: tokens
    }
    if (!Keeps)
      Past = torch::zeros({0, 256});
  }
}
static void tokens(int Rounds) { generate(Rounds, /*Keeps=*/true); }
static void cleantokens(int Rounds) { generate(Rounds, /*Keeps=*/false); }

/// Each answer knows the one before.
struct Entry {
  Tensor Value;
  std::shared_ptr<Entry> Before;
};
static void chained(int Rounds) {
  torch::NoGradGuard Guard;
  Net Model;
  std::shared_ptr<Entry> Last;
  for (int I = 0; I < Rounds; ++I) {
    auto Now = std::make_shared<Entry>();
    Now->Value = Model.forward(request()).sum(0); // keeps: chained
    Now->Before = Last;
    Last = Now;
  }
}

int main(int Count, char **Arguments) {
  const std::map<std::string, std::function<void(int)>> Modes{
      {"server", server},       {"cleanserver", cleanserver}, {"evaluation", evaluation},
      {"detached", detached},   {"streaming", streaming},     {"session", session},
      {"pool", pool},           {"cache", cache},             {"load", load},
      {"lastpart", lastpart},   {"cleanlastpart", cleanlastpart},
      {"tokens", tokens},       {"cleantokens", cleantokens},
      {"chained", chained}};
  Modes.at(Arguments[1])(Count > 2 ? std::atoi(Arguments[2]) : 60);
  std::cout << "done\n";
  return 0;
}
