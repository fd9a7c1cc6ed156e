// What looks like container.cpp and keeps nothing: detached, read out, under a
// guard, cleared, bounded, backward-ed and dropped. Nothing to say here.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <deque>
#include <map>

using torch::Tensor;

Tensor load_batch(int step);

std::vector<Tensor> predict_detached(torch::nn::Linear net, int batches) {
  std::vector<Tensor> outs;
  for (int i = 0; i < batches; ++i)
    outs.push_back(net(load_batch(i)).detach());
  return outs;
}

std::vector<Tensor> predict_under_guard(torch::nn::Linear net, int batches) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> outs;
  for (int i = 0; i < batches; ++i)
    outs.push_back(net(load_batch(i)));
  return outs;
}

using InferenceMode = torch::NoGradGuard; // as code for LibTorch < 1.9 wrote it

std::vector<Tensor> predict_behind_alias(torch::nn::Linear net, int batches) {
  InferenceMode guard;
  std::vector<Tensor> outs;
  for (int i = 0; i < batches; ++i)
    outs.push_back(net(load_batch(i)));
  return outs;
}

std::vector<Tensor> predict_grad_mode_off(torch::nn::Linear net, int batches) {
  torch::AutoGradMode grad_mode(false);
  std::vector<Tensor> outs;
  for (int i = 0; i < batches; ++i)
    outs.push_back(net(load_batch(i)));
  return outs;
}

// The guard stands in the caller only.
static void collect(torch::nn::Linear net, std::vector<Tensor> &outs) {
  for (int i = 0; i < 100; ++i)
    outs.push_back(net(load_batch(i)));
}
void evaluate(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> outs;
  collect(net, outs);
}

void read_out(torch::nn::Linear net, torch::optim::Optimizer &optimizer) {
  std::vector<float> losses;
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    auto loss = net(load_batch(i)).pow(2).mean();
    loss.backward();
    optimizer.step();
    losses.push_back(loss.item<float>());
  }
}

struct EncoderImpl : torch::nn::Module {
  EncoderImpl()
      : fc1(register_module("fc1", torch::nn::Linear(784, 256))),
        fc2(register_module("fc2", torch::nn::Linear(256, 64))) {}

  Tensor forward(Tensor x) {
    activations.clear();
    auto hidden = torch::relu(fc1->forward(x));
    activations.push_back(hidden);
    return fc2->forward(hidden);
  }

  torch::nn::Linear fc1, fc2;
  std::vector<Tensor> activations;
};
TORCH_MODULE(Encoder);

// The heads of an attention: put side by side, and a part of the forward pass.
struct HeadsImpl : torch::nn::Module {
  explicit HeadsImpl(int n) {
    for (int i = 0; i < n; ++i)
      heads.push_back(register_module("head" + std::to_string(i), torch::nn::Linear(64, 8)));
  }
  Tensor forward(Tensor x) {
    std::vector<Tensor> outs;
    for (auto &head : heads)
      outs.push_back(head->forward(x));
    return torch::cat(outs, -1);
  }
  std::vector<Tensor> features(Tensor x) {
    std::vector<Tensor> all;
    for (auto &head : heads)
      all.push_back(head->forward(x));
    return all;
  }
  std::vector<torch::nn::Linear> heads;
};
TORCH_MODULE(Heads);

// A map of numbers holds no tensors.
class Vocabulary {
public:
  void add(const std::string &word, int index) { indices_[word] = index; }
  float count(torch::nn::Linear net, const std::string &word) {
    counts_[word] = net(load_batch(indices_[word])).sum().item<float>();
    return counts_[word];
  }

private:
  std::map<std::string, int> indices_;
  std::map<std::string, float> counts_;
};

// Cleared by a method that the loop calls.
class Rollout {
public:
  void act(torch::nn::Linear policy, Tensor state) {
    auto probabilities = policy(state).softmax(-1);
    auto action = probabilities.multinomial(1);
    log_probs_.push_back(probabilities.log().gather(-1, action));
  }

  void finish(torch::optim::Optimizer &optimizer, Tensor returns) {
    optimizer.zero_grad();
    (-(torch::stack(log_probs_) * returns).sum()).backward();
    optimizer.step();
    log_probs_.clear();
  }

private:
  std::vector<Tensor> log_probs_;
};

// Local to the episode: stacked, backward-ed, gone.
void reinforce(torch::nn::Linear policy, torch::optim::Optimizer &optimizer) {
  for (int episode = 0; episode < 100; ++episode) {
    std::vector<Tensor> log_probs;
    for (int t = 0; t < 200; ++t)
      log_probs.push_back(policy(load_batch(t)).log_softmax(-1).select(1, 0));
    auto loss = -torch::stack(log_probs).sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

struct ReplayBuffer {
  explicit ReplayBuffer(size_t capacity) : capacity(capacity) {}
  void add(Tensor state) {
    if (states.size() >= capacity)
      states.pop_front();
    states.push_back(state.detach());
  }
  size_t capacity;
  std::deque<Tensor> states;
};

// The last one only: each step's result replaces the one before.
struct Cached : torch::nn::Module {
  Cached() : fc(register_module("fc", torch::nn::Linear(8, 8))) {}
  Tensor forward(Tensor x) {
    last = fc(x);
    return last;
  }
  torch::nn::Linear fc;
  Tensor last;
};

// Filled once, before the steps.
std::vector<Tensor> load_all(int count) {
  std::vector<Tensor> batches;
  for (int i = 0; i < count; ++i)
    batches.push_back(load_batch(i));
  return batches;
}

// One forward pass of a network of many layers, in a loop over the layers.
Tensor dense_block(std::vector<torch::nn::Linear> &layers, Tensor x) {
  std::vector<Tensor> features{x};
  for (auto &layer : layers)
    features.push_back(torch::relu(layer(torch::cat(features, 1))));
  return torch::cat(features, 1);
}
