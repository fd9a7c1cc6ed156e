// Hooks, modules and parameter groups that are added in every step (rows 14 and 21).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

void hook_in_every_step(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    auto x = next_batch();
    net->weight.register_hook([x](Tensor grad) { return grad * x.sum(); }); // expected-warning {{'weight' (a member) gets one more hook in every step}} [tensor-retained-activation]
    net->forward(x).sum().backward();
  }
}

void module_in_every_step(std::shared_ptr<torch::nn::Module> net) { // expected-path {{'net' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto layer = net->register_module("layer" + std::to_string(i), torch::nn::Linear(8, 8)); // expected-warning {{'net' (the caller's) gets one more part in every step}} [tensor-retained-activation]
    layer->forward(next_batch()).sum().backward();
  }
}

void group_in_every_step(torch::nn::Linear net, torch::optim::SGD &optimizer) { // expected-path {{'optimizer' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    torch::nn::Linear head(8, 8);
    optimizer.add_param_group(torch::optim::OptimizerParamGroup(head->parameters())); // expected-warning {{'optimizer'}} [tensor-retained-activation]
    optimizer.zero_grad();
    head->forward(net->forward(next_batch())).sum().backward();
    optimizer.step();
  }
}

static void clip(std::vector<Tensor> parameters, double limit) {
  for (auto &p : parameters)
    p.register_hook([limit](Tensor grad) { return grad.clamp(-limit, limit); }); // expected-note {{'net' (declared outside the loop) gets one more hook in every step}} [tensor-retained-activation]
}

void hooks_in_every_epoch() {
  torch::nn::Linear net(8, 8); // expected-path {{'net' is declared here and outlives the step}}
  for (int epoch = 0; epoch < 100; ++epoch) {
    clip(net->parameters(), 1); // expected-path {{}}
    net->forward(next_batch()).sum().backward();
  }
}

void hooks_of_parameters_in_every_step() {
  torch::nn::Linear net(8, 8); // expected-path {{'net' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    for (auto &p : net->parameters())
      p.register_hook([](Tensor grad) { return grad.clamp(-1, 1); }); // expected-note {{'net' (declared outside the loop) gets one more hook in every step}} [tensor-retained-activation]
    net->forward(next_batch()).sum().backward();
  }
}

void hook_of_a_tensor_in_every_step(Tensor weight) { // expected-path {{'weight' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto x = next_batch();
    weight.register_hook([x](Tensor grad) { return grad * x.sum(); }); // expected-warning {{'weight' (the caller's) gets one more hook in every step}} [tensor-retained-activation]
    (weight * x).sum().backward();
  }
}

//===-- Near misses --------------------------------------------------------===//

void hooks_before_the_loop(torch::nn::Linear net) {
  for (auto &p : net->parameters())
    p.register_hook([](Tensor grad) { return grad.clamp(-1, 1); });
  for (int i = 0; i < 100; ++i)
    net->forward(next_batch()).sum().backward();
}

static void clip_once(std::vector<Tensor> parameters, double limit) {
  for (auto &p : parameters)
    p.register_hook([limit](Tensor grad) { return grad.clamp(-limit, limit); });
}

void hooks_in_the_first_epoch() {
  torch::nn::Linear net(8, 8);
  for (int epoch = 0; epoch < 100; ++epoch) {
    if (epoch == 0)
      clip_once(net->parameters(), 1);
    net->forward(next_batch()).sum().backward();
  }
}

void hooks_of_a_network_per_round() {
  for (int round = 0; round < 100; ++round) {
    torch::nn::Linear net(8, 8);
    for (auto &p : net->parameters())
      p.register_hook([](Tensor grad) { return grad.clamp(-1, 1); });
    net->forward(next_batch()).sum().backward();
  }
}

void hook_on_what_the_step_made(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    auto y = net->forward(next_batch());
    y.register_hook([](Tensor grad) { return grad * 2; });
    y.sum().backward();
  }
}

void hook_taken_away(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    auto x = next_batch();
    auto handle = net->weight.register_hook([x](Tensor grad) { return grad * x.sum(); });
    net->forward(x).sum().backward();
    net->weight.remove_hook(handle);
  }
}

struct Stack : torch::nn::Module {
  explicit Stack(int depth) {
    for (int i = 0; i < depth; ++i)
      register_module("layer" + std::to_string(i), torch::nn::Linear(8, 8));
  }
};

void a_new_network_per_epoch() {
  for (int i = 0; i < 10; ++i) {
    torch::nn::Linear net(8, 8);
    torch::optim::SGD optimizer(net->parameters(), 0.1);
    optimizer.zero_grad();
    net->forward(next_batch()).sum().backward();
    optimizer.step();
  }
}

void keep(torch::optim::SGD &optimizer);

void hooks_for_each_optimizer(torch::nn::Linear net) {
  for (double rate : {0.1, 0.01}) {
    net->weight.register_hook([rate](Tensor grad) { return grad * rate; });
    torch::optim::SGD optimizer(net->parameters(), rate);
    keep(optimizer);
  }
}

// A new optimizer for each task has nothing of those before.
class TaskLearner {
public:
  TaskLearner() : trunk(8, 8) { reset(); }
  void begin() {
    head = torch::nn::Linear(8, 8);
    reset();
    optimizer->add_param_group(torch::optim::OptimizerParamGroup(head->parameters()));
  }
  void fit() {
    for (int i = 0; i < 100; ++i) {
      optimizer->zero_grad();
      head->forward(trunk->forward(next_batch())).sum().backward();
      optimizer->step();
    }
  }

private:
  void reset() { optimizer = std::make_unique<torch::optim::SGD>(trunk->parameters(), 0.1); }
  torch::nn::Linear trunk, head{nullptr};
  std::unique_ptr<torch::optim::SGD> optimizer;
};

void learn_tasks() {
  TaskLearner learner;
  for (int task = 0; task < 100; ++task) {
    learner.begin();
    learner.fit();
  }
}

// Made once, if it is not there yet, it keeps them all.
class LazyLearner {
public:
  LazyLearner() : trunk(8, 8) {}
  void begin() {
    head = torch::nn::Linear(8, 8);
    prepare();
    optimizer->add_param_group(torch::optim::OptimizerParamGroup(head->parameters())); // expected-warning {{'optimizer' (a member) gets one more part in every step}} [tensor-retained-activation]
  }
  void fit() {
    for (int i = 0; i < 100; ++i) {
      optimizer->zero_grad();
      head->forward(trunk->forward(next_batch())).sum().backward();
      optimizer->step();
    }
  }

private:
  void prepare() {
    if (!optimizer)
      optimizer = std::make_unique<torch::optim::SGD>(trunk->parameters(), 0.1);
  }
  torch::nn::Linear trunk, head{nullptr};
  std::unique_ptr<torch::optim::SGD> optimizer; // expected-path {{'optimizer' is declared here and outlives the step}}
};

void learn_lazily() {
  LazyLearner learner;
  for (int task = 0; task < 100; ++task) {
    learner.begin(); // expected-path {{called here in every step}}
    learner.fit();
  }
}

//===-- Parts that leave again ------------------------------------------------------===//

void group_taken_out(torch::nn::Linear net, torch::optim::SGD &optimizer, torch::optim::SGD &other) { // expected-path {{'other' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    torch::nn::Linear head(8, 8);
    optimizer.add_param_group(torch::optim::OptimizerParamGroup(head->parameters()));
    other.add_param_group(torch::optim::OptimizerParamGroup(head->parameters())); // expected-warning {{'other' (the caller's) gets one more part in every step}} [tensor-retained-activation]
    optimizer.zero_grad();
    head->forward(net->forward(next_batch())).sum().backward();
    optimizer.step();
    optimizer.param_groups().pop_back();
  }
}

void group_erased(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  for (int i = 0; i < 100; ++i) {
    torch::nn::Linear head(8, 8);
    optimizer.add_param_group(torch::optim::OptimizerParamGroup(head->parameters()));
    optimizer.zero_grad();
    head->forward(net->forward(next_batch())).sum().backward();
    optimizer.step();
    auto &groups = optimizer.param_groups();
    groups.erase(groups.begin() + 1, groups.end());
  }
}
