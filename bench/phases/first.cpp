// Programs of several phases. Each takes "leak" or "clean": the clean twin does the same, and
// keeps no more than it needs. Written before the runs looked for more than one loop beside the
// steps; measure.py counts what is listed.
#include <torch/torch.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

using torch::Tensor;

static torch::nn::Sequential makeNet(int in = 64, int out = 10) {
  return torch::nn::Sequential(torch::nn::Linear(in, 32), torch::nn::ReLU(),
                               torch::nn::Linear(32, out));
}
static Tensor batch(int n = 16, int in = 64) { return torch::randn({n, in}); }

static double trainOnce(torch::nn::Sequential &net, torch::optim::Optimizer &opt) {
  opt.zero_grad();
  Tensor loss = net->forward(batch()).pow(2).mean();
  loss.backward();
  opt.step();
  return loss.item<double>();
}

static void evaluateBatches(torch::nn::Sequential &net, int n) {
  torch::NoGradGuard off;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += net->forward(batch(64)).mean().item<double>();
  std::printf("%f\n", s);
}

// Trains with an evaluation after each epoch, then serves a few requests with a cache.
static void answerFromCache(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int e = 0; e < 4; ++e) {
    for (int i = 0; i < 25; ++i)
      trainOnce(net, opt);
    evaluateBatches(net, 12);
  }
  torch::NoGradGuard off;
  std::map<std::string, Tensor> cache;
  std::deque<std::string> order;
  for (int r = 0; r < 60; ++r) {
    std::string id = "request" + std::to_string(r);
    cache[id] = net->forward(batch(8)).softmax(1);
    order.push_back(id);
    if (!leak && order.size() > 8) {
      cache.erase(order.front());
      order.pop_front();
    }
  }
}

struct Log {
  std::vector<Tensor> Entries;
  bool Keep = false;
  void add(const Tensor &t) {
    if (!Keep)
      Entries.clear();
    Entries.push_back(t);
  }
};

// Serves first, by a model that was loaded, and then fine-tunes it.
static void serveThenTrain(bool leak) {
  auto net = makeNet();
  Log log;
  log.Keep = leak;
  double s = 0;
  for (int r = 0; r < 80; ++r) {
    Tensor y = net->forward(batch(8)).log_softmax(1); // its graph stays with it
    log.add(y);
    s += y.sum().item<double>();
  }
  torch::optim::SGD opt(net->parameters(), 0.01);
  for (int i = 0; i < 60; ++i)
    s += trainOnce(net, opt);
  std::printf("%f\n", s);
}

// Serves between training and a last test.
static void serveInTheMiddle(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int i = 0; i < 50; ++i)
    trainOnce(net, opt);
  std::vector<Tensor> history;
  {
    torch::NoGradGuard off;
    for (int r = 0; r < 70; ++r) {
      history.push_back(net->forward(batch(8)).softmax(1));
      if (!leak && history.size() == 10)
        history.clear();
    }
  }
  evaluateBatches(net, 40);
}

struct Metric {
  std::vector<Tensor> Outputs;
  double value() const {
    double s = 0;
    for (const Tensor &t : Outputs)
      s += t.item<double>();
    return s;
  }
};

// A metric that is never reset, over all epochs; serving follows.
static void metricOverEpochs(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  Metric metric;
  for (int e = 0; e < 4; ++e) {
    for (int i = 0; i < 20; ++i)
      trainOnce(net, opt);
    torch::NoGradGuard off;
    if (!leak)
      metric.Outputs.clear();
    for (int i = 0; i < 15; ++i)
      metric.Outputs.push_back(net->forward(batch(32)).mean());
    std::printf("%f\n", metric.value());
  }
  torch::NoGradGuard off;
  double s = 0;
  for (int r = 0; r < 100; ++r)
    s += net->forward(batch(4)).amax().item<double>();
  std::printf("%f\n", s);
}

// A copy of the parameters for each epoch, against one of the best.
static void checkpoints(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  std::vector<std::vector<Tensor>> all;
  double best = 1e9;
  for (int e = 0; e < 30; ++e) {
    double s = 0;
    for (int i = 0; i < 6; ++i)
      s += trainOnce(net, opt);
    evaluateBatches(net, 3);
    if (!leak && s >= best)
      continue;
    best = std::min(s, best);
    if (!leak)
      all.clear();
    all.emplace_back();
    for (const Tensor &p : net->parameters())
      all.back().push_back(p.detach().clone());
  }
}

// Two trainings; the second keeps its losses with their graphs.
static void fineTuning(bool leak) {
  auto net = makeNet();
  torch::optim::Adam pre(net->parameters(), 1e-3);
  for (int i = 0; i < 80; ++i)
    trainOnce(net, pre);
  auto head = torch::nn::Linear(10, 3);
  torch::optim::SGD opt(head->parameters(), 0.01);
  std::vector<Tensor> losses;
  for (int i = 0; i < 60; ++i) {
    opt.zero_grad();
    Tensor loss = head->forward(net->forward(batch()).detach()).pow(2).mean();
    loss.backward();
    opt.step();
    losses.push_back(leak ? loss : loss.detach().mean());
    if (!leak && losses.size() > 5)
      losses.erase(losses.begin());
  }
}

static std::vector<Tensor> Activations;

// Warms up without gradients, trains with a hook that keeps activations, evaluates.
static void hookedTraining(bool leak) {
  auto net = makeNet();
  {
    torch::NoGradGuard off;
    for (int i = 0; i < 30; ++i)
      net->forward(batch(8));
  }
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int i = 0; i < 60; ++i) {
    opt.zero_grad();
    Tensor h = torch::relu(net->forward(batch()));
    if (!leak)
      Activations.clear();
    Activations.push_back(h.detach().clone());
    h.mean().backward();
    opt.step();
  }
  evaluateBatches(net, 50);
}

static std::mutex ResultsMutex;
static std::map<int, Tensor> Results;

static void worker(torch::nn::Sequential net, int first, bool leak) {
  torch::NoGradGuard off;
  for (int r = first; r < first + 60; ++r) {
    Tensor y = net->forward(batch(8)).softmax(1);
    std::lock_guard<std::mutex> lock(ResultsMutex);
    Results[r] = y;
    if (!leak && Results.size() > 6)
      Results.erase(Results.begin());
  }
}

// Trains, evaluates, and then two threads serve.
static void servedByThreads(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int e = 0; e < 3; ++e) {
    for (int i = 0; i < 20; ++i)
      trainOnce(net, opt);
    evaluateBatches(net, 15);
  }
  std::thread a(worker, net, 0, leak), b(worker, net, 1000, leak);
  a.join();
  b.join();
}

// Users with messages each, after a training: the state of each message stays.
static void conversations(bool leak) {
  auto net = makeNet(64, 64);
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int i = 0; i < 40; ++i)
    trainOnce(net, opt);
  evaluateBatches(net, 20);
  torch::NoGradGuard off;
  std::vector<Tensor> states;
  for (int user = 0; user < 6; ++user) {
    if (!leak)
      states.clear();
    Tensor h = torch::zeros({1, 64});
    for (int m = 0; m < 14; ++m) {
      h = torch::tanh(net->forward(h) + 1);
      states.push_back(h);
    }
  }
}

static std::map<std::string, Tensor> Memo;

static Tensor search(torch::nn::Sequential &net, const std::string &path, int depth) {
  Tensor v = net->forward(batch(4)).sigmoid();
  Memo[path] = v;
  if (depth)
    for (char c : {'l', 'r'})
      v = torch::maximum(v, search(net, path + c, depth - 1));
  return v;
}

// A search by recursion for each query, with a table that should be one query's.
static void searches(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int e = 0; e < 3; ++e) {
    for (int i = 0; i < 20; ++i)
      trainOnce(net, opt);
    evaluateBatches(net, 12);
  }
  torch::NoGradGuard off;
  for (int q = 0; q < 30; ++q) {
    if (!leak)
      Memo.clear();
    std::printf("%f\n", search(net, "q" + std::to_string(q), 2).amax().item<float>());
  }
}

struct Events {
  std::vector<std::function<float()>> Listeners;
};

// Callbacks that are registered per batch of an evaluation between the epochs.
static void callbacks(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  Events events;
  for (int e = 0; e < 5; ++e) {
    for (int i = 0; i < 15; ++i)
      trainOnce(net, opt);
    torch::NoGradGuard off;
    for (int i = 0; i < 12; ++i) {
      Tensor y = net->forward(batch(32)).softmax(1);
      if (!leak)
        events.Listeners.clear();
      events.Listeners.push_back([y] { return y.amax().item<float>(); });
      std::printf("%f\n", events.Listeners.back()());
    }
  }
  evaluateBatches(net, 100);
}

// Three kinds of inference after each other, no training.
static void calibrateServeReport(bool leak) {
  auto net = makeNet();
  torch::NoGradGuard off;
  double s = 0;
  for (int i = 0; i < 30; ++i)
    s += net->forward(batch(64)).abs().mean().item<double>();
  std::deque<Tensor> recent;
  for (int r = 0; r < 120; ++r) {
    recent.push_back(net->forward(batch(8)).softmax(1));
    if (!leak && recent.size() > 16)
      recent.pop_front();
  }
  for (int i = 0; i < 30; ++i)
    s += net->forward(batch(64)).std().item<double>();
  std::printf("%f\n", s);
}

// Rounds of generating and scoring: too few to count, but each with a loop of its own.
static void generateAndScore(bool leak) {
  auto net = makeNet();
  torch::NoGradGuard off;
  std::vector<Tensor> scores;
  for (int round = 0; round < 5; ++round) {
    Tensor x = torch::zeros({1, 64});
    for (int t = 0; t < 40; ++t)
      x = torch::cat({x.narrow(1, 10, 54), net->forward(x)}, 1).tanh();
    if (!leak)
      scores.clear();
    for (int i = 0; i < 20; ++i)
      scores.push_back(net->forward(batch(4)).softmax(1));
  }
}

// Buffers of new[] under tensors, after a calibration and before nothing else.
static void borrowedBuffers(bool leak) {
  auto net = makeNet();
  torch::NoGradGuard off;
  for (int i = 0; i < 40; ++i)
    net->forward(batch(64));
  for (int r = 0; r < 50; ++r) {
    float *p = new float[64 * 16]();
    Tensor x = torch::from_blob(p, {16, 64});
    std::printf("%f\n", net->forward(x).sum().item<float>());
    if (!leak)
      delete[] p;
  }
}

// Every ten steps a validation whose losses keep their graphs.
static void validationInTraining(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  std::vector<Tensor> curve;
  for (int i = 0; i < 60; ++i) {
    trainOnce(net, opt);
    if (i % 10)
      continue;
    for (int j = 0; j < 12; ++j) {
      Tensor loss = net->forward(batch(32)).pow(2).mean();
      if (leak)
        curve.push_back(loss);
      else
        std::printf("%f\n", loss.item<double>());
    }
  }
  evaluateBatches(net, 30);
}

// Text is generated now and then in a training; the cache of keys should be one text's.
static void generationInTraining(bool leak) {
  auto net = makeNet(64, 64);
  torch::optim::Adam opt(net->parameters(), 1e-3);
  std::vector<Tensor> keys;
  for (int i = 0; i < 60; ++i) {
    trainOnce(net, opt);
    if (i % 6)
      continue;
    torch::NoGradGuard off;
    if (!leak)
      keys.clear();
    Tensor h = torch::zeros({1, 64});
    for (int t = 0; t < 16; ++t) {
      h = net->forward(h).tanh();
      keys.push_back(h);
    }
  }
}

// Very few requests after the training.
static void aFewRequests(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int e = 0; e < 3; ++e) {
    for (int i = 0; i < 20; ++i)
      trainOnce(net, opt);
    evaluateBatches(net, 20);
  }
  torch::NoGradGuard off;
  std::vector<Tensor> kept;
  for (int r = 0; r < 26; ++r) {
    Tensor y = net->forward(batch(8)).softmax(1);
    if (!leak)
      kept.clear();
    kept.push_back(y);
  }
}

// Buffers that are made when they are first needed: by shape, or by request.
static void lazyBuffers(bool leak) {
  auto net = makeNet();
  torch::optim::Adam opt(net->parameters(), 1e-3);
  for (int e = 0; e < 3; ++e) {
    for (int i = 0; i < 20; ++i)
      trainOnce(net, opt);
    evaluateBatches(net, 10);
  }
  torch::NoGradGuard off;
  std::map<int, Tensor> buffers;
  for (int r = 0; r < 90; ++r) {
    int n = 1 + r % 12;
    Tensor &buffer = buffers[leak ? r : n];
    if (!buffer.defined())
      buffer = torch::empty({n, 10});
    buffer.copy_(net->forward(batch(n)));
  }
}

int main(int argc, char **argv) {
  torch::manual_seed(1);
  torch::set_num_threads(1);
  const std::map<std::string, void (*)(bool)> All = {
#define PROGRAM(Name) {#Name, Name},
      PROGRAM(answerFromCache) PROGRAM(serveThenTrain) PROGRAM(serveInTheMiddle)
          PROGRAM(metricOverEpochs) PROGRAM(checkpoints) PROGRAM(fineTuning) PROGRAM(hookedTraining)
              PROGRAM(servedByThreads) PROGRAM(conversations) PROGRAM(searches) PROGRAM(callbacks)
                  PROGRAM(calibrateServeReport) PROGRAM(generateAndScore) PROGRAM(borrowedBuffers)
                      PROGRAM(validationInTraining) PROGRAM(generationInTraining)
                          PROGRAM(aFewRequests) PROGRAM(lazyBuffers)};
  if (argc < 3) {
    for (const auto &[Name, Run] : All)
      std::puts(Name.c_str());
    return 0;
  }
  All.at(argv[1])(!std::strcmp(argv[2], "leak"));
}
