// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// Elements that each step chooses anew, and those that every step comes back to.
#include <torch/torch.h>
#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

struct Transition {
  torch::Tensor observed;
  torch::Tensor priority; // expected-path {{'priority' is declared here and outlives the step}} expected-path {{'priority' is declared here and outlives the step}} expected-path {{'priority' is declared here and outlives the step}}
  double reward;
};

//===-- Another element, or perhaps another one ----------------------------===//

class Replay {
public:
  explicit Replay(size_t capacity) : capacity_(capacity) {}

  // The objects are new, and not those that are held.
  void add(Transition t) {
    t.priority = torch::ones({1});
    if (items_.size() < capacity_)
      items_.push_back(std::move(t));
    else
      items_[next_] = std::move(t);
    next_ = (next_ + 1) % capacity_;
  }
  void update(const std::vector<size_t> &chosen, const torch::Tensor &errors) {
    auto sizes = errors.abs();
    for (size_t k = 0; k < chosen.size(); ++k)
      items_[chosen[k]].priority = sizes[k].clone(); // expected-note {{what is added to 'priority' (a member) still carries its graph}} [tensor-retained-activation]
  }
  double total() const {
    double sum = 0;
    for (const auto &t : items_)
      sum += t.priority.item<double>();
    return sum;
  }

private:
  size_t capacity_;
  size_t next_ = 0;
  std::vector<Transition> items_;
};

void train(torch::nn::Linear &net, torch::optim::SGD &opt, Replay &replay, torch::Tensor x,
           std::vector<size_t> chosen) {
  for (int step = 0; step < 100; ++step) {
    auto errors = net(x) - 1; // expected-path {{the graph starts here}}
    auto loss = errors.pow(2).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    replay.add({x, x, 0.5});
    replay.update(chosen, errors); // expected-path {{called here in every step}}
  }
  std::cout << replay.total();
}

class Ring {
public:
  explicit Ring(size_t n) : all_(n) {}
  void add(const torch::Tensor &loss) {
    all_[next_] = loss; // expected-note {{what is added to 'all_' (a member) still carries its graph}} [tensor-retained-activation]
    next_ = (next_ + 1) % all_.size();
  }
  double mean() const { return torch::stack(all_).mean().item<double>(); }

private:
  std::vector<torch::Tensor> all_; // expected-path {{'all_' is declared here and outlives the step}}
  size_t next_ = 0;
};

double meanOfLast(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x) {
  Ring last(50);
  for (int step = 0; step < 100; ++step) {
    auto loss = net(x).sum(); // expected-path {{the graph starts here}}
    opt.zero_grad();
    loss.backward();
    opt.step();
    last.add(loss); // expected-path {{called here in every step}}
  }
  return last.mean();
}

void byOrder(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x,
             const std::vector<size_t> &order) {
  std::vector<Transition> items(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    auto loss = net(x).sum(); // expected-path {{the graph starts here}}
    opt.zero_grad();
    loss.backward();
    opt.step();
    items[order[i]].priority = loss; // expected-note {{what is added to 'priority' (a member) still carries its graph}} [tensor-retained-activation]
  }
  for (auto &each : items)
    std::cout << each.priority.item<double>();
}

// A number that is named first, and a loop over those that are chosen.
void namedFirst(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x,
                const std::vector<size_t> &chosen) {
  std::vector<torch::Tensor> losses(100); // expected-path {{'losses' is declared here and outlives the step}}
  std::vector<Transition> items(100);
  for (size_t each : chosen) {
    const size_t slot = each + 1;
    auto loss = net(x).sum(); // expected-path {{the graph starts here}} expected-path {{the graph starts here}}
    opt.zero_grad();
    loss.backward();
    opt.step();
    losses[slot] = loss; // expected-note {{what is added to 'losses' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
    items.at(each).priority = loss; // expected-note {{what is added to 'priority' (a member) still carries its graph}} [tensor-retained-activation]
  }
  std::cout << torch::stack(losses).mean().item<double>() << items[0].priority.item<double>();
}

//===-- The same ones again, or without a graph ------------------------------===//

class Detached {
public:
  void update(const std::vector<size_t> &chosen, const torch::Tensor &errors) {
    auto sizes = errors.detach().abs();
    for (size_t k = 0; k < chosen.size(); ++k)
      items_[chosen[k]].priority = sizes[k].clone();
  }
  double first() const { return items_[0].priority.item<double>(); }

private:
  std::vector<Transition> items_;
};

void trainDetached(torch::nn::Linear &net, torch::optim::SGD &opt, Detached &replay,
                   torch::Tensor x, std::vector<size_t> chosen) {
  for (int step = 0; step < 100; ++step) {
    auto errors = net(x) - 1;
    auto loss = errors.pow(2).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    replay.update(chosen, errors);
  }
  std::cout << replay.first();
}

// What each layer gave in the last pass: the next pass puts its own there.
class Layers : public torch::nn::Module {
public:
  torch::Tensor forward(torch::Tensor x) {
    for (size_t i = 0; i < layers_.size(); ++i) {
      x = layers_[i]->forward(x);
      outputs_[i] = x;
      steps_[i].observed = x;
    }
    return x;
  }

private:
  std::vector<torch::nn::Linear> layers_;
  std::vector<torch::Tensor> outputs_;
  std::vector<Transition> steps_;
};

// The rounds begin at the first element again.
class Unrolled {
public:
  torch::Tensor run(torch::nn::Linear &net, torch::Tensor x) {
    for (int t = 0; t < 8; ++t) {
      x = net(x);
      states_[t] = x;
    }
    return states_[7];
  }

private:
  std::vector<torch::Tensor> states_;
};

void trainUnrolled(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x) {
  Unrolled model;
  for (int step = 0; step < 100; ++step) {
    auto loss = model.run(net, x).sum();
    opt.zero_grad();
    loss.backward();
    opt.step();
  }
}

// One slot, whose number never changes.
void oneSlot(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x, int slot) {
  std::vector<torch::Tensor> last(4);
  for (int step = 0; step < 100; ++step) {
    auto loss = net(x).sum();
    opt.zero_grad();
    loss.backward();
    opt.step();
    last[slot] = loss;
  }
  std::cout << last[0].item<double>();
}

// Two buffers that take turns.
void takeTurns(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x) {
  std::vector<torch::Tensor> last(2);
  for (int step = 0; step < 100; ++step) {
    auto loss = net(x).sum();
    opt.zero_grad();
    loss.backward();
    opt.step();
    last[step % 2] = loss;
  }
  std::cout << last[0].item<double>();
}

// The graphs go with the list, or are cut off at the end of the step.
void forEachEpoch(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x,
                  const std::vector<size_t> &order) {
  for (int epoch = 0; epoch < 10; ++epoch) {
    std::vector<torch::Tensor> outputs(order.size());
    for (size_t i = 0; i < order.size(); ++i)
      outputs[order[i]] = net(x);
    auto loss = torch::stack(outputs).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
  }
}

void cutAtOnce(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x,
               const std::vector<size_t> &order) {
  std::vector<torch::Tensor> outputs(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    outputs[order[i]] = net(x).sum();
    opt.zero_grad();
    outputs[order[i]].backward();
    opt.step();
    outputs[order[i]] = outputs[order[i]].detach();
  }
  std::cout << torch::stack(outputs).mean().item<double>();
}

// Somebody runs what they hold together.
void runTogether(torch::nn::Linear &net, torch::optim::SGD &opt, torch::Tensor x,
                 const std::vector<size_t> &order) {
  std::vector<torch::Tensor> outputs(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    outputs[order[i]] = net(x).sum();
  opt.zero_grad();
  torch::stack(outputs).sum().backward();
  opt.step();
}
