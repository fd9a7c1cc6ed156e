// A reset() that only the constructor calls empties nothing that was ever filled.
//
// RUN: %check_tensor %s
#include <thread>
#include <torch/torch.h>
#include <vector>

class Log {
public:
  Log() { reset(); }
  void reset() { values.clear(); }
  void add(const at::Tensor &t) { values.push_back(t); } // expected-note {{what is added to 'values' (a member) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  size_t size() const { return values.size(); }

private:
  std::vector<at::Tensor> values; // expected-path {{'values' is declared here and outlives the step}}
};

static Log history;

void train(torch::nn::Linear net, torch::optim::SGD &sgd) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::randn({32, 10})).pow(2).mean(); // expected-path {{the graph starts here}}
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    history.add(loss); // expected-path {{called here in every step}}
  }
}

// Near misses: it is called later as well.

class Epochs {
public:
  Epochs() { reset(); }
  void reset() { values.clear(); }
  void add(const at::Tensor &t) { values.push_back(t); }
  size_t size() const { return values.size(); }

private:
  std::vector<at::Tensor> values;
};

static Epochs epochs;

void train_in_epochs(torch::nn::Linear net, torch::optim::SGD &sgd) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::randn({32, 10})).pow(2).mean();
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    epochs.add(loss);
    if (i % 10 == 0)
      epochs.reset();
  }
}

class Windows {
public:
  Windows() { reset(); }
  void add(const at::Tensor &t) {
    values.push_back(t);
    if (values.size() == 10)
      roll();
  }
  size_t size() const { return values.size(); }

private:
  void reset() { values.clear(); }
  void roll() { reset(); }
  std::vector<at::Tensor> values;
};

static Windows windows;

void train_in_windows(torch::nn::Linear net, torch::optim::SGD &sgd) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::randn({32, 10})).pow(2).mean();
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    windows.add(loss);
  }
}

// The constructor starts it on a thread, which goes on for as long as the object lives.
class Drained {
public:
  Drained() : thread_(&Drained::drain, this) {}
  void add(const at::Tensor &t) { values.push_back(t); }
  size_t size() const { return values.size(); }

private:
  void drain() {
    while (true)
      values.clear();
  }
  std::vector<at::Tensor> values;
  std::thread thread_;
};

static Drained drained;

void train_drained(torch::nn::Linear net, torch::optim::SGD &sgd) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::randn({32, 10})).pow(2).mean();
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    drained.add(loss);
  }
}

// By way of another method it is still for constructors alone.

class Runs {
public:
  Runs() { begin(); }
  void add(const at::Tensor &t) { values.push_back(t); } // expected-note {{what is added to 'values' (a member) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  size_t size() const { return values.size(); }

private:
  void begin() { reset(); }
  void reset() { values.clear(); }
  std::vector<at::Tensor> values; // expected-path {{'values' is declared here and outlives the step}}
};

static Runs runs;

void train_in_runs(torch::nn::Linear net, torch::optim::SGD &sgd) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::randn({32, 10})).pow(2).mean(); // expected-path {{the graph starts here}}
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    runs.add(loss); // expected-path {{called here in every step}}
  }
}
