// Persistent buffers that take a graph in (row 16) or grow by themselves (row 20),
// and views that pin their base (row 18).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <array>
#include <torch/torch.h>

#include <vector>

using torch::Tensor;

Tensor load_batch(int step);

// Row 16.
void running_mean(torch::nn::Linear net) {
  auto buffer = torch::zeros({128, 64}); // expected-path {{'buffer' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    buffer.add_(net(load_batch(i))); // expected-warning {{buffer}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

void slots(torch::nn::Linear net) {
  auto rollout = torch::zeros({100, 64}); // expected-path {{'rollout' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    rollout[i] = net(load_batch(i)); // expected-warning {{rollout}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

class Tracker {
public:
  void update(torch::nn::Linear net, Tensor x) {
    features_.copy_(features_ * 0.9 + net(x)); // expected-warning {{features_}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }

private:
  Tensor features_ = torch::zeros({128, 64}); // expected-path {{'features_' is declared here and outlives the step}}
};

// Row 20: quadratic copying and linear growth, graph or not.
Tensor gather_all() {
  Tensor all = torch::empty({0, 64}); // expected-path {{'all' is declared here and outlives the step}}
  torch::NoGradGuard no_grad;
  while (true) {
    auto x = load_batch(0);
    all = torch::cat({all, x}); // expected-note {{all}} [tensor-retained-activation]
  }
  return all;
}

// Row 18: 256 bytes are wanted, the whole batch stays.
void first_rows(std::vector<Tensor> &cache) { // expected-path {{'cache' is declared here and outlives the step}}
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i) {
    auto big = torch::randn({128, 64});
    cache.push_back(big[0]); // expected-warning {{big}} [tensor-retained-activation]
  }
}

// However long a row is, the batch is 128 times that.
void first_rows_of_any_length(std::vector<Tensor> &cache, int64_t length) { // expected-path {{'cache' is declared here and outlives the step}}
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i) {
    auto big = torch::randn({128, length});
    cache.push_back(big[0]); // expected-warning {{pins all of 'big': about 512 * length bytes}} [tensor-retained-activation]
  }
}

// The whole of it, and a part of it once more.
Tensor doubled_up() {
  Tensor all = torch::empty({0, 64}); // expected-path {{'all' is declared here and outlives the step}}
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i)
    all = torch::cat({all, all.slice(0, 0, 8) + load_batch(i)}); // expected-note {{all}} [tensor-retained-activation]
  return all;
}

//===-- Near misses -------------------------------------------------------===//

// A queue that is cut where it is filled.
class Queue {
public:
  void push(torch::nn::Linear net, Tensor x) {
    auto keys = net(x).detach();
    queue_ = torch::cat({keys, queue_.slice(0, 0, 4096 - keys.size(0))});
    recent_ = torch::cat({recent_.narrow(0, 1, 63), keys[0].unsqueeze(0)}, 0);
  }

private:
  Tensor queue_ = torch::randn({4096, 64}), recent_ = torch::zeros({64, 64});
};

void train(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  Queue queue;
  for (int i = 0; i < 100; ++i)
    queue.push(net, load_batch(i));
}

// A half and all of it are worth no copy.
std::vector<Tensor> halves(int64_t length) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> parts(100);
  for (int i = 0; i < 100; ++i) {
    auto big = torch::randn({2, length});
    parts[i] = big[0];
  }
  return parts;
}

void running_mean_detached(torch::nn::Linear net) {
  auto buffer = torch::zeros({128, 64});
  for (int i = 0; i < 100; ++i)
    buffer.add_(net(load_batch(i)).detach());
}

// Rollout storage that is allocated once and written under a guard.
void slots_under_guard(torch::nn::Linear net) {
  auto rollout = torch::zeros({100, 64});
  for (int i = 0; i < 100; ++i) {
    torch::NoGradGuard no_grad;
    rollout[i] = net(load_batch(i));
  }
}

// The buffer belongs to the step.
void within_a_step(torch::nn::Linear net, torch::optim::Optimizer &optimizer) {
  for (int i = 0; i < 100; ++i) {
    auto buffer = torch::zeros({128, 64});
    buffer.add_(net(load_batch(i)));
    optimizer.zero_grad();
    buffer.mean().backward();
    optimizer.step();
  }
}

// Sliding window: cat, then cut to a fixed length.
void window(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  auto context = torch::zeros({0, 64});
  for (int i = 0; i < 100; ++i) {
    context = torch::cat({context, net(load_batch(i))});
    if (context.size(0) > 512)
      context = context.slice(0, context.size(0) - 512);
  }
}

// The same of a member, whose window is copied so that the rest of it goes.
class Window {
public:
  Tensor observe(torch::nn::Linear &net, const Tensor &reading) {
    torch::NoGradGuard no_grad;
    history_ = torch::cat({history_, reading});
    if (history_.size(0) > 64)
      history_ = history_.narrow(0, history_.size(0) - 64, 64).clone();
    return net(history_).mean();
  }

private:
  Tensor history_ = torch::zeros({0, 64});
};

// A part that is looked at bounds nothing.
class Unbounded {
public:
  Tensor observe(torch::nn::Linear &net, const Tensor &reading) {
    torch::NoGradGuard no_grad;
    history_ = torch::cat({history_, reading}); // expected-warning {{'history_' (a member) grows with every step and is copied whole each time}} [tensor-retained-activation]
    last_ = history_.narrow(0, history_.size(0) - 1, 1).clone();
    return net(history_).mean() + last_;
  }

private:
  Tensor history_ = torch::zeros({0, 64}); // expected-path {{'history_' is declared here and outlives the step}}
  Tensor last_;
};

void first_rows_cloned(std::vector<Tensor> &cache) {
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i) {
    auto big = torch::randn({128, 64});
    cache.push_back(big[0].clone());
  }
}

// A leaf that requires grad is not written in place: LibTorch throws, and keeps nothing.
void parameters_without_a_guard(torch::nn::Linear net, torch::nn::Linear target) {
  auto from = net->parameters();
  auto to = target->parameters();
  for (size_t i = 0; i < from.size(); ++i)
    to[i].mul_(0.9).add_(from[i] * 0.1);
}

// Where a value is written has no gradient; what is written may have one.
void counts_at_positions(torch::nn::Linear net) {
  auto counts = torch::zeros({10}), marked = torch::zeros({10});
  for (int i = 0; i < 100; ++i) {
    auto where = (net(load_batch(i)) * 10).to(torch::kLong);
    counts.index_put_({where}, torch::ones({1}));
    marked.masked_fill_(where > 5, 1);
  }
}

void values_at_positions(torch::nn::Linear net) {
  auto values = torch::zeros({100, 64}); // expected-path {{'values' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    values.index_put_({i}, net(load_batch(i))); // expected-warning {{values}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

// A cache in the elements of an array that each request fills anew, and one that nothing does.
struct FilledCache {
  Tensor keys;
  void append(Tensor x) { keys = keys.defined() ? torch::cat({keys, x}) : x; }
};
struct FillingLayer : torch::nn::Module {
  torch::nn::Linear linear{8, 8};
  Tensor forward(Tensor x, FilledCache &cache) {
    cache.append(linear->forward(x));
    return x.matmul(cache.keys.t());
  }
};
class Filled {
public:
  void answer(int n) {
    torch::NoGradGuard no_grad;
    caches_.fill(FilledCache{});
    for (int i = 0; i < n; ++i)
      feed(load_batch(i));
  }

private:
  void feed(Tensor x) {
    for (size_t i = 0; i < 2; ++i)
      x = layers_[i]->forward(x, caches_[i]);
  }
  std::array<std::shared_ptr<FillingLayer>, 2> layers_;
  std::array<FilledCache, 2> caches_;
};

struct KeptCache {
  Tensor keys; // expected-path {{'keys' is declared here and outlives the step}}
  void append(Tensor x) { keys = keys.defined() ? torch::cat({keys, x}) : x; } // expected-warning {{'keys' (a member) grows with every step and is copied whole each time}} [tensor-retained-activation]
};
struct KeepingLayer : torch::nn::Module {
  torch::nn::Linear linear{8, 8};
  Tensor forward(Tensor x, KeptCache &cache) {
    cache.append(linear->forward(x));
    return x.matmul(cache.keys.t());
  }
};
class Keeping {
public:
  void answer(int n) {
    torch::NoGradGuard no_grad;
    for (int i = 0; i < n; ++i)
      feed(load_batch(i));
  }

private:
  void feed(Tensor x) {
    for (size_t i = 0; i < 2; ++i)
      x = layers_[i]->forward(x, caches_[i]);
  }
  std::array<std::shared_ptr<KeepingLayer>, 2> layers_;
  std::array<KeptCache, 2> caches_;
};

void answers() {
  Filled filled;
  Keeping keeping;
  for (int i = 0; i < 100; ++i) {
    filled.answer(i);
    keeping.answer(i);
  }
}
