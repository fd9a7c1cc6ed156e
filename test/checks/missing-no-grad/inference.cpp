// Inference and evaluation with grad mode on (rows 2 and 3).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/script.h>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void consume(float value);

//===-- Nothing differentiates the result ---------------------------------===//

static void infer(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    auto y = net->forward(next_batch()); // expected-warning {{what 'net' computes here is never differentiated}} [tensor-missing-no-grad]
    consume(y.sum().item<float>());
  }
}

static void eval_is_no_guard(torch::nn::Linear net) {
  net->eval(); // expected-path {{'eval()' does not turn grad mode off}}
  auto y = net->forward(next_batch()); // expected-warning {{'net'}} [tensor-missing-no-grad]
  consume(y.max().item<float>());
}

static void once(torch::nn::Linear net) {
  consume(net->forward(next_batch()).sum().item<float>()); // expected-note {{'net'}} [tensor-missing-no-grad]
}

// One guard would mend both: said once.
static void two_networks(torch::nn::Linear first, torch::nn::Linear second) {
  for (int i = 0; i < 100; ++i) {
    auto h = first->forward(next_batch()); // expected-warning {{'first'}} [tensor-missing-no-grad]
    auto y = second->forward(h);
    consume(y.sum().item<float>());
  }
}

static Tensor predict(torch::nn::Linear net, Tensor x) { return net->forward(x).softmax(1); }

static void through_a_function(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i)
    consume(predict(net, next_batch()).max().item<float>()); // expected-warning {{never differentiated}} [tensor-missing-no-grad]
}

// A guard that ended, and one that begins too late.
static void guard_in_another_scope(torch::nn::Linear net) {
  {
    torch::NoGradGuard no_grad;
    consume(net->forward(next_batch()).sum().item<float>());
  }
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>()); // expected-warning {{'net'}} [tensor-missing-no-grad]
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

static void validate_while_training(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int epoch = 0; epoch < 10; ++epoch) {
    optimizer.zero_grad();
    net->forward(next_batch()).sum().backward();
    optimizer.step();
  }
  for (int i = 0; i < 10; ++i) {
    auto score = net->forward(next_batch()).sum(); // expected-warning {{'net'}} [tensor-missing-no-grad]
    consume(score.item<float>());
  }
}

// Only ever read as detached values.
static void rollout(torch::nn::Linear actor, torch::nn::Linear critic) {
  std::vector<Tensor> values;
  for (int i = 0; i < 100; ++i) {
    auto value = critic->forward(next_batch()); // expected-warning {{'critic'}} [tensor-missing-no-grad]
    values.push_back(value.detach());
  }
  consume(torch::cat(values).sum().item<float>());
}

// Detached in the statement that computes them: only the forward pass itself has all activations.
static void rollout_at_once(torch::nn::Linear actor, torch::nn::Linear critic) {
  Tensor state = next_batch();
  for (int i = 0; i < 100; ++i)
    state = critic->forward(state).relu().detach(); // expected-note {{what 'critic' computes here is never differentiated, yet grad mode is on; its graph is built only to be dropped by 'detach()'}} [tensor-missing-no-grad]
  consume(state.sum().item<float>());
}

static void script(torch::jit::Module module) {
  for (int i = 0; i < 100; ++i)
    consume(module.forward({next_batch()}).toTensor().sum().item<float>()); // expected-note {{unless it was frozen}} [tensor-missing-no-grad]
}

// Others may call it, under a guard or not.
void of_a_library(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>()); // expected-note {{'net'}} [tensor-missing-no-grad]
}

struct HeadImpl : torch::nn::Module {
  torch::nn::Linear fc{8, 8};
  Tensor forward(Tensor x) { return fc->forward(x).relu(); }
};
TORCH_MODULE(Head);

static void own_module(Head head) {
  for (int i = 0; i < 100; ++i)
    consume(head->forward(next_batch()).sum().item<float>()); // expected-warning {{what 'head' computes}} [tensor-missing-no-grad]
}

//===-- Near misses --------------------------------------------------------===//

static void guarded(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

using InferenceScope = c10::InferenceMode;

static void guarded_by_an_alias(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    InferenceScope scope;
    consume(net->forward(next_batch()).sum().item<float>());
  }
}

static void guarded_by_an_argument(torch::nn::Linear net) {
  torch::AutoGradMode mode(false);
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

static void guarded_maybe(torch::nn::Linear net, bool training) {
  torch::AutoGradMode mode(training);
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

#define NO_GRAD_SCOPE torch::NoGradGuard no_grad_of_scope

static void guarded_by_a_macro(torch::nn::Linear net) {
  NO_GRAD_SCOPE;
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

static void switched_off(torch::nn::Linear net) {
  torch::GradMode::set_enabled(false);
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

// All its callers hold a guard.
static void guarded_by_callers(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

static void caller(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  guarded_by_callers(net);
}

static void trained(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i)
    net->forward(next_batch()).sum().backward();
}

// The function that returns the loss ran it backward.
static Tensor train_step(torch::nn::Linear net, torch::optim::Optimizer &optimizer) {
  optimizer.zero_grad();
  auto loss = net->forward(next_batch()).sum();
  loss.backward();
  optimizer.step();
  return loss;
}

static void trained_in_a_function(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i)
    consume(train_step(net, optimizer).item<float>());
}

static void run_backward(Tensor loss) { loss.backward(); }

static void trained_by_a_helper(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i)
    run_backward(net->forward(next_batch()).sum());
}

void somewhere_else(const Tensor &loss);

static void handed_on(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i)
    somewhere_else(net->forward(next_batch()).sum());
}

static void returned_by_reference(torch::nn::Linear net, Tensor &out) {
  for (int i = 0; i < 100; ++i)
    out = net->forward(next_batch());
}

static void frozen() {
  torch::nn::Linear net(8, 8);
  for (auto &p : net->parameters())
    p.requires_grad_(false);
  for (int i = 0; i < 100; ++i)
    consume(net->forward(next_batch()).sum().item<float>());
}

struct NormalizeImpl : torch::nn::Module {
  Tensor forward(Tensor x) { return (x - 0.5) / 0.25; }
};
TORCH_MODULE(Normalize);

// A module whose forward is in this file.
struct NetImpl : torch::nn::Module {
  torch::nn::Linear fc{8, 8};
  Tensor forward(Tensor x) { return fc->forward(x).relu(); }
};
TORCH_MODULE(Net);

static void own_module_trained(Net net) {
  for (int i = 0; i < 100; ++i) {
    auto loss = net->forward(next_batch()).sum();
    loss.backward();
  }
}

// A getter, or a forward pass by another name: nobody here knows.
struct StatisticsImpl : torch::nn::Module {
  torch::nn::Linear fc{8, 8};
  Tensor mean() const;
};
TORCH_MODULE(Statistics);

static void read_out(Statistics statistics) {
  for (int i = 0; i < 100; ++i)
    consume(statistics->mean().sum().item<float>());
}

// The result is an object, whose methods nobody here knows.
struct Distribution;
struct PolicyImpl : torch::nn::Module {
  torch::nn::Linear fc{8, 8};
  std::unique_ptr<Distribution> forward(Tensor x);
};
TORCH_MODULE(Policy);
Tensor log_prob(const Distribution &of);

static void differentiated_through_an_object(Policy policy) {
  for (int i = 0; i < 100; ++i) {
    auto distribution = policy->forward(next_batch());
    log_prob(*distribution).sum().backward();
  }
}

static void without_parameters(Normalize normalize) {
  for (int i = 0; i < 100; ++i)
    consume(normalize->forward(next_batch()).sum().item<float>());
}

struct Predictor {
  torch::NoGradGuard no_grad; // as long as the object lives
  torch::nn::Linear net{8, 8};
  void run() {
    for (int i = 0; i < 100; ++i)
      consume(net->forward(next_batch()).sum().item<float>());
  }
};

int main() {
  torch::nn::Linear net(8, 8);
  torch::jit::Module module;
  Normalize normalize;
  Net own;
  Statistics statistics;
  Policy policy;
  differentiated_through_an_object(policy);
  read_out(statistics);
  Head head;
  own_module_trained(own);
  own_module(head);
  Tensor out;
  infer(net);
  eval_is_no_guard(net);
  once(net);
  two_networks(net, net);
  through_a_function(net);
  guard_in_another_scope(net);
  validate_while_training(net);
  rollout(net, net);
  script(module);
  guarded(net);
  guarded_by_an_alias(net);
  guarded_by_an_argument(net);
  guarded_maybe(net, false);
  guarded_by_a_macro(net);
  caller(net);
  trained(net);
  trained_in_a_function(net);
  trained_by_a_helper(net);
  handed_on(net);
  returned_by_reference(net, out);
  frozen();
  without_parameters(normalize);
  Predictor().run();
  switched_off(net);
}

// Indices carry no graph, wherever they go.
struct ActingPolicy {
  Tensor act(Tensor state) {
    Tensor q = net->forward(state); // expected-note {{never differentiated}} [tensor-missing-no-grad]
    return std::get<1>(q.max(1));
  }
  Tensor act_bound(Tensor state) {
    auto [value, action] = net->forward(state).max(1); // expected-note {{never differentiated}} [tensor-missing-no-grad]
    return action;
  }
  Tensor act_tied(Tensor state) {
    Tensor value, action;
    std::tie(value, action) = net->forward(state).max(1); // expected-note {{never differentiated}} [tensor-missing-no-grad]
    return action;
  }
  Tensor value_of(Tensor state) { return std::get<0>(net->forward(state).max(1)); }
  Tensor bound_value_of(Tensor state) {
    auto [value, action] = net->forward(state).max(1);
    return value;
  }
  torch::nn::Linear net{nullptr};
};
