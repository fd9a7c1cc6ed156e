// What stands in an object that others ask: its getters, its first call, the pointer that it is
// behind.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <memory>
#include <string>
#include <torch/torch.h>
#include <tuple>

using torch::Tensor;

Tensor next_batch();
void consume(float value);

//===-- A getter that nobody differentiates ----------------------------------===//

class RunningMean {
public:
  void push(const Tensor &value) {
    ++count_;
    if (count_ == 1)
      mean_ = value;
    else
      mean_ = mean_ + (value - mean_) / count_; // expected-warning {{'mean_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation]
  }
  Tensor mean() const { return mean_; }

private:
  Tensor mean_; // expected-path {{'mean_' is declared here and outlives the step}}
  int count_ = 0;
};

void printed(torch::nn::Linear net) {
  RunningMean statistic;
  for (int i = 0; i < 1000; ++i) {
    statistic.push(net->forward(next_batch()).mean()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
    consume(statistic.mean().item<float>());
  }
}

//===-- Near misses: the graph is used, or begins anew --------------------------===//

class Sum {
public:
  void push(const Tensor &value) { sum_ = sum_ + value; }
  Tensor sum() const { return sum_; }

private:
  Tensor sum_ = torch::zeros({});
};

void differentiated(torch::nn::Linear net) {
  Sum all;
  for (int i = 0; i < 4; ++i)
    all.push(net->forward(next_batch()).mean());
  all.sum().backward();
}

Tensor handed_out(torch::nn::Linear net) {
  Sum all;
  for (int i = 0; i < 4; ++i)
    all.push(net->forward(next_batch()).mean());
  return all.sum();
}

class MeanOfEpoch {
public:
  void push(const Tensor &value) {
    ++count_;
    if (count_ == 1)
      mean_ = value;
    else
      mean_ = mean_ + (value - mean_) / count_;
  }
  void begin() { count_ = 0; }
  Tensor mean() const { return mean_; }

private:
  Tensor mean_;
  int count_ = 0;
};

void by_epoch(torch::nn::Linear net) {
  MeanOfEpoch statistic;
  for (int epoch = 0; epoch < 10; ++epoch) {
    statistic.begin();
    for (int i = 0; i < 8; ++i)
      statistic.push(net->forward(next_batch()).mean());
    consume(statistic.mean().item<float>());
  }
}

// The same in templates, and with the number on the left.
class MeanByTemplate {
public:
  template <typename T> void push(const T &value) {
    ++count_;
    if (1 == count_)
      mean_ = value;
    else
      mean_ = mean_ + (value - mean_) / count_;
  }
  template <typename T> void begin(T count) { count_ = count; }
  Tensor mean() const { return mean_; }

private:
  Tensor mean_;
  int count_ = 0;
};

void by_epoch_of_template(torch::nn::Linear net) {
  MeanByTemplate statistic;
  for (int epoch = 0; epoch < 10; ++epoch) {
    statistic.begin(0);
    for (int i = 0; i < 8; ++i)
      statistic.push(net->forward(next_batch()).mean());
    consume(statistic.mean().item<float>());
  }
}

class MeanOfAll {
public:
  template <typename T> void push(const T &value) {
    ++count_;
    if (1 == count_)
      mean_ = value;
    else
      mean_ = mean_ + (value - mean_) / count_; // expected-warning {{'mean_' (a member) is computed from itself and still carries its graph}} [tensor-retained-activation]
  }
  Tensor mean() const { return mean_; }

private:
  Tensor mean_; // expected-path {{'mean_' is declared here and outlives the step}}
  int count_ = 0;
};

void never_begun_again(torch::nn::Linear net) {
  MeanOfAll statistic;
  for (int i = 0; i < 8000; ++i) {
    statistic.push(net->forward(next_batch()).mean()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
    consume(statistic.mean().item<float>());
  }
}

//===-- Behind a shared pointer --------------------------------------------------===//

class Agent {
public:
  Agent() : state_(std::make_shared<State>()) {}
  int64_t act(const Tensor &observation) {
    auto q = state_->net->forward(observation); // expected-path {{the graph starts here}}
    state_->best.push_back(q.max()); // expected-warning {{'best' (a member) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
    return q.argmax().item<int64_t>();
  }

private:
  struct State {
    torch::nn::Linear net{4, 2};
    std::vector<Tensor> best; // expected-path {{'best' is declared here and outlives the step}}
  };
  std::shared_ptr<State> state_;
};

void play(Agent &agent) {
  for (int i = 0; i < 1000; ++i)
    consume(agent.act(next_batch()));
}

struct Shared {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
};

void emptied_under_another_name(torch::nn::Linear net) {
  auto kept = std::make_shared<Shared>();
  auto same = kept;
  for (int i = 0; i < 100; ++i) {
    kept->all.push_back(net->forward(next_batch())); // expected-note {{never run backward}} [tensor-retained-activation] expected-path {{the graph starts here}}
    same->all.clear();
  }
}

class Cleared {
public:
  Cleared() : state_(std::make_shared<Shared>()) {}
  void add(torch::nn::Linear net) { state_->all.push_back(net->forward(next_batch())); } // expected-note {{never run backward}} [tensor-retained-activation] expected-path {{the graph starts here}}
  void end() { state_->all.clear(); }

private:
  std::shared_ptr<Shared> state_;
};

//===-- An average of each parameter under its name --------------------------------===//

class Average {
public:
  explicit Average(const torch::nn::Module &model) {
    for (const auto &p : model.named_parameters())
      shadow_[p.key()] = p.value().detach().clone();
  }
  void update(const torch::nn::Module &model) {
    for (const auto &p : model.named_parameters())
      shadow_[p.key()] = 0.9 * shadow_[p.key()] + 0.1 * p.value(); // expected-note {{'shadow_' (a member) is computed from itself}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  void update_without_grad(const torch::nn::Module &model) {
    torch::NoGradGuard no_grad;
    for (const auto &p : model.named_parameters())
      shadow_[p.key()] = 0.9 * shadow_[p.key()] + 0.1 * p.value();
  }
  void copy(const torch::nn::Module &model) {
    for (const auto &p : model.named_parameters())
      shadow_[p.key()] = 0.5 * p.value();
  }

private:
  std::map<std::string, Tensor> shadow_; // expected-path {{'shadow_' is declared here and outlives the step}}
};

//===-- A backward pass empties no list ----------------------------------------------===//

class Replay {
public:
  void add(Tensor state, float reward) { all_.emplace_back(state, reward); } // expected-note {{'all_' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
  const std::tuple<Tensor, float> &sample(size_t i) { return all_[i]; }

private:
  std::vector<std::tuple<Tensor, float>> all_; // expected-path {{'all_' is declared here and outlives the step}}
};

class BoundedReplay {
public:
  void add(Tensor state, float reward) {
    all_.emplace_back(state, reward);
    if (all_.size() > 1000)
      all_.erase(all_.begin());
  }
  const std::tuple<Tensor, float> &sample(size_t i) { return all_[i]; }

private:
  std::vector<std::tuple<Tensor, float>> all_;
};

template <typename Buffer> void learn(torch::nn::Linear q, Buffer &buffer) {
  torch::optim::SGD optimizer(q->parameters(), 0.1);
  for (int i = 0; i < 1000; ++i) {
    buffer.add(next_batch(), 1);
    const auto &[state, reward] = buffer.sample(i / 2);
    optimizer.zero_grad();
    (q->forward(state) - reward).pow(2).mean().backward();
    optimizer.step();
  }
}

void learn_both(torch::nn::Linear q) {
  Replay replay;
  learn(q, replay);
  BoundedReplay bounded;
  learn(q, bounded);
}
