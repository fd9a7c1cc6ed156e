// A large tensor stays in scope after its last use while more is allocated (row 29).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

float outlives_its_last_use() {
  torch::NoGradGuard no_grad;
  auto raw = torch::rand({4096, 4096}); // expected-warning {{64 MiB}} [tensor-undeleted-tensor]
  auto mean = raw.mean().item<float>(); // expected-path {{last use}}
  auto work = torch::rand({4096, 4096}); // expected-path {{more is allocated here}}
  work.sub_(mean);
  return work.sum().item<float>();
}

//===-- Near misses -------------------------------------------------------===//

float reset_in_time() {
  torch::NoGradGuard no_grad;
  auto raw = torch::rand({4096, 4096});
  auto mean = raw.mean().item<float>();
  raw.reset();
  auto work = torch::rand({4096, 4096});
  work.sub_(mean);
  return work.sum().item<float>();
}

float in_a_scope_of_its_own() {
  torch::NoGradGuard no_grad;
  float mean;
  {
    auto raw = torch::rand({4096, 4096});
    mean = raw.mean().item<float>();
  }
  auto work = torch::rand({4096, 4096});
  work.sub_(mean);
  return work.sum().item<float>();
}

float moved_away() {
  torch::NoGradGuard no_grad;
  auto raw = torch::rand({4096, 4096});
  auto work = std::move(raw);
  work.sub_(1);
  auto more = torch::rand({4096, 4096});
  return (work.sum() + more.sum()).item<float>();
}

// A view or a second handle keeps the memory in use anyway.
float still_in_use_through_a_view() {
  torch::NoGradGuard no_grad;
  auto raw = torch::rand({4096, 4096});
  auto top = raw.slice(0, 0, 2048);
  auto work = torch::rand({4096, 4096});
  return (top.sum() + work.sum()).item<float>();
}

float nothing_large_afterwards() {
  torch::NoGradGuard no_grad;
  auto raw = torch::rand({4096, 4096});
  auto mean = raw.mean();
  return (mean + torch::rand({1})).item<float>();
}

// The caller's copy keeps it alive whatever happens here.
float parameter(Tensor raw) {
  torch::NoGradGuard no_grad;
  auto mean = raw.mean().item<float>();
  auto work = torch::rand({4096, 4096});
  return work.sub_(mean).sum().item<float>();
}

// Used again in the next iteration.
void loop_carried() {
  torch::NoGradGuard no_grad;
  auto table = torch::rand({4096, 4096});
  for (int i = 0; i < 10; ++i) {
    auto sum = table.sum().item<float>();
    auto work = torch::rand({4096, 4096});
    work.add_(sum);
  }
}

//===-- Results of the last round (row 4) ----------------------------------===//

Tensor next_input();
void show(float value);

void replaced(torch::nn::Linear net) {
  Tensor out; // expected-path {{'out' is declared here}}
  for (int i = 0; i < 100; ++i) {
    out = net->forward(next_input()); // expected-note {{the result of the last round stays alive in 'out'}} [tensor-undeleted-tensor]
    show(out.sum().item<float>());
  }
}

void declared_inside(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    Tensor out = net->forward(next_input());
    show(out.sum().item<float>());
  }
}

void without_a_graph(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  Tensor out;
  for (int i = 0; i < 100; ++i)
    out = net->forward(next_input());
}

// The graph is gone after the backward pass.
void trained(torch::nn::Linear net) {
  Tensor loss;
  for (int i = 0; i < 100; ++i) {
    loss = net->forward(next_input()).sum();
    loss.backward();
  }
}

// The old result is needed for the next one.
void carried_on(torch::nn::Linear net) {
  Tensor out = next_input();
  for (int i = 0; i < 100; ++i)
    out = net->forward(out.detach());
}

// The graph is not gone after a backward pass that retains it.
void retained(torch::nn::Linear net) {
  Tensor loss; // expected-path {{'loss' is declared here}}
  for (int i = 0; i < 100; ++i) {
    loss = net->forward(next_input()).sum(); // expected-note {{the result of the last round stays alive in 'loss'}} [tensor-undeleted-tensor]
    loss.backward({}, /*retain_graph=*/true);
  }
}
