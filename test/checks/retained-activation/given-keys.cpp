// Who calls gives the key: the same in each step, or another one.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <string>
#include <torch/torch.h>

using torch::Tensor;

class Log {
public:
  void put(const std::string &name, const Tensor &value) { all_[name] = value; }

private:
  std::map<std::string, Tensor> all_;
};

class History {
public:
  void put(const std::string &name, const Tensor &value) {
    all_[name] = value; // expected-warning {{what is added to 'all_' (a member) still carries its graph}} [tensor-retained-activation]
  }

private:
  std::map<std::string, Tensor> all_; // expected-path {{'all_' is declared here and outlives the step}}
};

static void set(std::map<int, Tensor> &to, int key, const Tensor &value) { to[key] = value; }

static void add(std::map<int, Tensor> &to, int key, const Tensor &value) {
  to[key] = value; // expected-warning {{what is added to 'kept' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
}

static void forward(std::map<int, Tensor> &to, int key, const Tensor &value) {
  set(to, key, value);
}

// The key is made of what is given.
class Named {
public:
  void put(std::string name, const Tensor &value) { all_.emplace(std::move(name), value); }
  void train(const std::string &name, const Tensor &value) { put("train/" + name, value); }

private:
  std::map<std::string, Tensor> all_;
};

static int calls;

static std::string next() { return std::to_string(++calls); }

class Numbered {
public:
  void put(const std::string &name, const Tensor &value) {
    all_[name + next()] = value; // expected-warning {{what is added to 'all_' (a member) still carries its graph}} [tensor-retained-activation]
  }

private:
  std::map<std::string, Tensor> all_; // expected-path {{'all_' is declared here and outlives the step}}
};

// One half of the key stays the same.
static void addPair(std::map<std::pair<int, int>, Tensor> &to, int step, const Tensor &value) {
  to[{0, step}] = value; // expected-warning {{what is added to 'pairs' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
}

void train(torch::nn::Linear net, torch::optim::SGD &optimizer, Tensor x) {
  Log log;
  History history;
  Named named;
  Numbered numbered;
  std::map<std::pair<int, int>, Tensor> pairs; // expected-path {{'pairs' is declared here and outlives the step}}
  std::map<int, Tensor> last, through, kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int step = 0; step < 1000; ++step) {
    optimizer.zero_grad();
    Tensor out = net->forward(x); // expected-path {{the graph starts here}} expected-path {{the graph starts here}} expected-path {{the graph starts here}} expected-path {{the graph starts here}}
    out.sum().backward();
    optimizer.step();
    log.put("out", out);
    history.put("out" + std::to_string(step), out); // expected-path {{called here in every step}}
    named.train("out", out);
    numbered.put("out", out); // expected-path {{called here in every step}}
    addPair(pairs, step, out); // expected-path {{called here in every step}}
    set(last, 0, out);
    forward(through, 1, out);
    add(kept, step, out); // expected-path {{called here in every step}}
  }
}

class Gradients {
public:
  void update(const torch::nn::Module &net) {
    for (const auto &p : net.named_parameters())
      one(p.key(), p.value());
  }

private:
  void one(const std::string &name, const Tensor &value) { all_[name] = value * 2; }
  std::map<std::string, Tensor> all_;
};

void follow(torch::nn::Linear net, torch::optim::SGD &optimizer, Tensor x) {
  Gradients gradients;
  for (int step = 0; step < 1000; ++step) {
    optimizer.zero_grad();
    net->forward(x).sum().backward();
    optimizer.step();
    gradients.update(*net);
  }
}
