// Tensors pushed into a container that outlives the step, with their graphs or in
// ever greater number (docs/patterns.md, rows 1 and 19).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <deque>
#include <map>

using torch::Tensor;

Tensor load_batch(int step);

// Row 1: inference keeps every output and, through it, every activation.
std::vector<Tensor> predict(torch::nn::Linear net, int batches) {
  std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < batches; ++i) {
    auto x = load_batch(i);
    outs.push_back(net(x)); // expected-note {{outs}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  return outs;
}

// A clone has a graph too.
void predict_clones(torch::nn::Linear net, std::vector<Tensor> &outs) { // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    outs.push_back(net(load_batch(i)).clone()); // expected-note {{outs}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

// The loss history of a training loop.
void train(torch::nn::Linear net, torch::optim::Optimizer &optimizer) {
  std::vector<Tensor> losses; // expected-path {{'losses' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    auto loss = net(load_batch(i)).pow(2).mean(); // expected-path {{the graph starts here}}
    loss.backward();
    optimizer.step();
    losses.push_back(loss); // expected-note {{losses}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
}

// No backward() at all: the whole graph stays.
class Evaluator {
public:
  void step(torch::nn::Linear net, Tensor x, Tensor y) {
    auto loss = torch::mse_loss(net(x), y); // expected-path {{the graph starts here}}
    history_.push_back(loss); // expected-warning {{history_}} [tensor-retained-activation] expected-fix {{.detach()}}
  }

private:
  std::vector<Tensor> history_; // expected-path {{'history_' is declared here and outlives the step}}
};

// A module that remembers its intermediate results.
struct EncoderImpl : torch::nn::Module {
  EncoderImpl()
      : fc1(register_module("fc1", torch::nn::Linear(784, 256))),
        fc2(register_module("fc2", torch::nn::Linear(256, 64))) {}

  Tensor forward(Tensor x) {
    auto hidden = torch::relu(fc1->forward(x)); // expected-path {{the graph starts here}}
    activations.push_back(hidden); // expected-warning {{activations}} [tensor-retained-activation] expected-fix {{.detach()}}
    return fc2->forward(hidden);
  }

  torch::nn::Linear fc1, fc2;
  std::vector<Tensor> activations; // expected-path {{'activations' is declared here and outlives the step}}
};
TORCH_MODULE(Encoder);

static std::map<int, Tensor> outputs_by_step; // expected-path {{'outputs_by_step' is declared here and outlives the step}}

void record(torch::nn::Linear net, int step) {
  outputs_by_step[step] = net(load_batch(step)); // expected-warning {{outputs_by_step}} [tensor-retained-activation] expected-path {{the graph starts here}}
}

// Row 19: even detached, a buffer that nobody empties grows with every call.
void remember(torch::nn::Linear net, Tensor x) {
  static std::vector<Tensor> seen; // expected-path {{'seen' is declared here and outlives the step}}
  seen.push_back(net(x).detach()); // expected-warning {{seen}} [tensor-retained-activation]
}

struct ReplayBuffer {
  void add(Tensor state) {
    states.push_back(state.detach()); // expected-note {{states}} [tensor-retained-activation]
  }
  std::deque<Tensor> states; // expected-path {{'states' is declared here and outlives the step}}
};

void captured(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  auto keep = [&kept](const Tensor &t) {
    kept.push_back(t * 2); // expected-warning {{kept}} [tensor-retained-activation]
  };
  for (int i = 0; i < 100; ++i)
    keep(net(load_batch(i))); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

// Run backward by the function that made it: only its nodes are left (row 6).
Tensor train_step(torch::nn::Linear net, torch::optim::SGD &optimizer, Tensor x) {
  optimizer.zero_grad();
  Tensor loss = net(x).sum(); // expected-path {{the graph starts here}}
  loss.backward();
  optimizer.step();
  return loss;
}
Tensor evaluated(torch::nn::Linear net, Tensor x) { return net(x).sum(); } // expected-path {{the graph starts here}}
void history_of_steps(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> trained, tested; // expected-path {{'trained' is declared here and outlives the step}} expected-path {{'tested' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    Tensor loss = train_step(net, optimizer, load_batch(i));
    trained.push_back(loss); // expected-note {{autograd nodes}} [tensor-retained-activation] expected-fix {{.detach()}}
    trained.push_back(train_step(net, optimizer, load_batch(i))); // expected-note {{autograd nodes}} [tensor-retained-activation] expected-path {{the graph starts here}}
    tested.push_back(evaluated(net, load_batch(i))); // expected-warning {{every activation}} [tensor-retained-activation]
  }
}

// A rollout that is detached only when it is used: until then it keeps every graph.
class Detaches {
public:
  void act(torch::nn::Linear critic, Tensor state) {
    values_.push_back(critic(state)); // expected-note {{what is added to 'values_' (a member) carries a graph that is never run backward}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }

  Tensor advantages(Tensor returns) {
    auto values = torch::cat(values_).detach();
    values_.clear();
    return returns - values;
  }

private:
  std::vector<Tensor> values_; // expected-path {{'values_' is declared here and outlives the step}}
};
