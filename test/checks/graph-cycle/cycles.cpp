// Autograd graphs that refer to themselves (rows 10 to 13 and 15), each beside what
// frees itself.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

//===-- backward with create_graph ----------------------------------------===//

static void penalty(torch::nn::Linear net, Tensor x) {
  net->forward(x).pow(2).sum().backward({}, c10::nullopt, true); // expected-warning {{'create_graph' gives every gradient a graph}} [tensor-graph-cycle]
}

static void penalty_of_all(torch::nn::Linear net, Tensor x) {
  auto loss = net->forward(x).sum();
  torch::autograd::backward({loss}, {}, /*retain_graph=*/true, /*create_graph=*/true); // expected-warning {{create_graph}} [tensor-graph-cycle]
}

static Tensor penalty_by_grad(torch::nn::Linear net, Tensor x) {
  auto y = net->forward(x).sum();
  return torch::autograd::grad({y}, {x}, {}, true, /*create_graph=*/true)[0].pow(2).sum();
}

// zero_grad detaches the old gradients: the next step breaks the cycle.
static void penalty_with_reset(torch::nn::Linear net, Tensor x) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    optimizer.zero_grad();
    net->forward(x).pow(2).sum().backward({}, c10::nullopt, true);
    optimizer.step();
  }
}

static void plain_backward(torch::nn::Linear net, Tensor x) {
  net->forward(x).sum().backward({}, /*retain_graph=*/true, /*create_graph=*/false);
}

//===-- Arithmetic on gradients -------------------------------------------===//

static void decay(torch::nn::Linear net) {
  for (auto &p : net->parameters())
    p.mutable_grad() = p.grad() + 0.1 * p; // expected-warning {{the gradient of}} [tensor-graph-cycle]
}

static void decay_in_place(torch::nn::Linear net) {
  for (auto &p : net->parameters())
    p.grad().add_(p, 0.1); // expected-warning {{with grad mode on}} [tensor-graph-cycle]
}

static void decay_guarded(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  for (auto &p : net->parameters())
    p.grad().add_(p, 0.1);
}

static void decay_of_the_data(torch::nn::Linear net) {
  for (auto &p : net->parameters())
    p.mutable_grad() = p.grad() + 0.1 * p.data();
}

static void clip(torch::nn::Linear net) {
  for (auto &p : net->parameters())
    p.grad().mul_(0.5);
}

//===-- Hooks --------------------------------------------------------------===//

static void hook_on_itself(torch::nn::Linear net, Tensor x) {
  auto y = net->forward(x);
  y.register_hook([y](Tensor grad) { return grad * y; }); // expected-warning {{the hook captures what belongs to the graph of 'y'}} [tensor-graph-cycle]
  y.sum().backward();
}

static void hook_on_what_follows(torch::nn::Linear net, Tensor x) {
  auto y = net->forward(x);
  auto z = y.relu();
  y.register_hook([z](Tensor grad) { return grad * z; }); // expected-warning {{'y'}} [tensor-graph-cycle]
  z.sum().backward();
}

static void hook_on_what_came_before(torch::nn::Linear net, Tensor x) {
  auto y = net->forward(x);
  auto z = y.relu();
  z.register_hook([y](Tensor grad) { return grad * y; });
  z.sum().backward();
}

static void hook_by_reference(torch::nn::Linear net, Tensor x) {
  auto y = net->forward(x);
  y.register_hook([&y](Tensor grad) { return grad * y; });
  y.sum().backward();
}

static void hook_on_detached(torch::nn::Linear net, Tensor x) {
  auto y = net->forward(x);
  y.register_hook([y = y.detach()](Tensor grad) { return grad * y; });
  y.sum().backward();
}

static void hook_taken_away(torch::nn::Linear net, Tensor x) {
  auto y = net->forward(x);
  auto handle = y.register_hook([y](Tensor grad) { return grad * y; });
  y.sum().backward();
  y.remove_hook(handle);
}

//===-- Outputs in saved_data ---------------------------------------------===//

struct Exp : torch::autograd::Function<Exp> {
  static Tensor forward(torch::autograd::AutogradContext *ctx, Tensor x) {
    auto y = x.exp();
    ctx->saved_data["y"] = y; // expected-warning {{'y' is an output of this function}} [tensor-graph-cycle]
    return y;
  }
};

struct ExpSaved : torch::autograd::Function<ExpSaved> {
  static Tensor forward(torch::autograd::AutogradContext *ctx, Tensor x) {
    auto y = x.exp();
    ctx->save_for_backward({y});
    ctx->saved_data["x"] = x;
    ctx->saved_data["scale"] = 2.0;
    return y;
  }
};

//===-- In-place residuals --------------------------------------------------===//

static void residual(torch::nn::Linear lin, Tensor h) {
  h += torch::relu(lin->forward(h)); // expected-warning {{'h' is written in place with what was computed from it}} [tensor-graph-cycle] expected-path {{the node that keeps it is made here}}
}

static void residual_by_steps(torch::nn::Linear lin, Tensor h) {
  auto r = lin->forward(h); // expected-path {{the node that keeps it}}
  r = torch::sigmoid(r);
  h.mul_(r); // expected-warning {{'h'}} [tensor-graph-cycle]
}

static void residual_of_a_product(Tensor h) {
  auto w = torch::ones({256, 256}, torch::requires_grad());
  h += torch::matmul(h, w); // expected-warning {{'h'}} [tensor-graph-cycle] expected-path {{the node that keeps it is made here}}
}

static void residual_out_of_place(torch::nn::Linear lin, Tensor h) {
  h = h + torch::relu(lin->forward(h));
}

static void residual_guarded(torch::nn::Linear lin, Tensor h) {
  torch::NoGradGuard no_grad;
  h += torch::relu(lin->forward(h));
}

// relu keeps its result, not its input.
static void residual_of_relu(Tensor x) {
  auto h = x.requires_grad_(true) * 2;
  h += torch::relu(h);
}

static void product_with_a_constant(Tensor h) {
  auto w = torch::ones({256, 256});
  h += torch::matmul(h, w);
}

// What was kept is the old tensor: 'h' is another one by now.
static void rebound(torch::nn::Linear lin, Tensor h) {
  auto r = lin->forward(h);
  h = h.clone();
  h += r;
}

// With the cycle, this would raise an error: so there is none.
static void trained(torch::nn::Linear lin, Tensor h) {
  h += lin->forward(h);
  h.sum().backward();
}

static void of_another(torch::nn::Linear lin, Tensor h, Tensor x) { h += lin->forward(x); }

// Nobody here calls it: a caller may hold a guard.
void residual_of_a_library(torch::nn::Linear lin, Tensor h) {
  h += torch::relu(lin->forward(h)); // expected-note {{'h'}} [tensor-graph-cycle] expected-path {{the node that keeps it is made here}}
}

//===-- What lets go of a gradient's graph, and what does not --------------===//

static void zeros_after(Tensor data) {
  for (int song = 0; song < 100; ++song) {
    auto mixing = torch::zeros({256, 256}, torch::requires_grad());
    data.mm(mixing).pow(2).sum().backward();
    mixing.mutable_grad() = mixing.grad() + 0.01 * mixing; // expected-warning {{the gradient of 'mixing'}} [tensor-graph-cycle]
    mixing.mutable_grad().zero_();
  }
}

static void another_is_reset(Tensor data) {
  for (int song = 0; song < 100; ++song) {
    auto kept = torch::zeros({256, 256}, torch::requires_grad());
    auto freed = torch::zeros({256, 256}, torch::requires_grad());
    data.mm(kept + freed).pow(2).sum().backward();
    kept.mutable_grad() = kept.grad() + 0.01 * kept; // expected-warning {{the gradient of 'kept'}} [tensor-graph-cycle]
    freed.mutable_grad() = freed.grad() + 0.01 * freed;
    freed.mutable_grad() = Tensor();
  }
}

// What has a gradient to compute with is a leaf that requires one.
struct Lens {
  Tensor kernel = torch::ones({64, 64}, torch::requires_grad());
};
static void focus(Lens &lens, Tensor image) {
  image.mm(lens.kernel).sum().backward();
  lens.kernel.mutable_grad() = lens.kernel.grad().mul(0.5).add(lens.kernel); // expected-warning {{the gradient of 'kernel'}} [tensor-graph-cycle]
  lens.kernel.mutable_grad() = lens.kernel.grad().mul(0.5).add(lens.kernel.detach());
}

static void lets_go(Tensor data) {
  for (int song = 0; song < 100; ++song) {
    auto a = torch::zeros({256, 256}, torch::requires_grad());
    auto b = torch::zeros({256, 256}, torch::requires_grad());
    data.mm(a + b).sum().backward();
    a.mutable_grad() = a.grad() + 0.01 * a;
    a.mutable_grad().reset();
    b.mutable_grad() = b.grad() + 0.01 * b;
    b.mutable_grad().detach_();
  }
}

static void calls(torch::nn::Linear net, Tensor x) {
  zeros_after(x);
  another_is_reset(x);
  lets_go(x);
  Lens lens;
  focus(lens, x);
}

int main() {
  calls(torch::nn::Linear(4, 4), torch::ones({4, 256}));
  torch::nn::Linear net(256, 256);
  auto x = torch::randn({128, 256});
  penalty(net, x);
  penalty_of_all(net, x);
  penalty_by_grad(net, x);
  penalty_with_reset(net, x);
  plain_backward(net, x);
  decay(net);
  decay_in_place(net);
  decay_guarded(net);
  decay_of_the_data(net);
  clip(net);
  hook_on_itself(net, x);
  hook_on_what_follows(net, x);
  hook_on_what_came_before(net, x);
  hook_by_reference(net, x);
  hook_on_detached(net, x);
  hook_taken_away(net, x);
  residual(net, x);
  residual_by_steps(net, x);
  residual_of_a_product(x);
  residual_out_of_place(net, x);
  residual_guarded(net, x);
  residual_of_relu(x);
  product_with_a_constant(x);
  rebound(net, x);
  trained(net, x);
  of_another(net, x, x);
}
