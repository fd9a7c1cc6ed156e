// Each fix-it: applied, compiled, and checked again. What is shown not to be the
// same program gets none.
//
// RUN: cp %s %t.cpp
// RUN: %tensorleak check --fix --no-cache %t.cpp -- %mock_flags >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=SAID <%t.err
// RUN: grep -v CHECK %t.cpp | FileCheck %s
// RUN: %clangxx -fsyntax-only -w %mock_flags %t.cpp
// RUN: not %tensorleak check -q --no-cache %t.cpp -- %mock_flags | FileCheck %s --check-prefix=AGAIN --implicit-check-not=warning:
// RUN: not %tensorleak check -q --no-cache %s -- %mock_flags | FileCheck %s --check-prefix=TWICE
//
// SAID: 5 findings fixed in 1 file
// TWICE-COUNT-5: warning:
// AGAIN: warning: what 'net' computes here
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

static float total = 0;
static Tensor next_batch() { return torch::ones({4, 8}); }
static void consume(float value) { total += value; }
void elsewhere();

// CHECK-LABEL: static void evaluate(
static void evaluate(torch::nn::Linear net) {
  // CHECK: for (int i = 0; i < 100; ++i) {
  // CHECK-NEXT: {{^}}    torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i) {
    consume(net->forward(next_batch()).sum().item<float>());
  }
}

// It is laid out as the lines around it are.
// CHECK-LABEL: static void evaluate_wide(
static void evaluate_wide(torch::nn::Linear net)
{
        // CHECK: {{^}}                torch::NoGradGuard no_grad;
        for (int i = 0; i < 100; ++i)
        {
                consume(net->forward(next_batch()).sum().item<float>());
        }
}

// What runs elsewhere may need its gradients.
static void evaluate_beside(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    elsewhere();
    consume(net->forward(next_batch()).sum().item<float>()); // NOLINT
  }
}

// CHECK-LABEL: static void keep(
static void keep(torch::nn::Linear net) {
  std::vector<Tensor> kept;
  for (int i = 0; i < 100; ++i) {
    auto y = net->forward(next_batch()); // nothing else to say of it until the line below is mended
    // CHECK: kept.push_back(y.detach());
    kept.push_back(y);
    // CHECK: kept.push_back(y.relu().detach());
    kept.push_back(y.relu());
  }
  consume(kept.size());
}

// CHECK-LABEL: static float cool(
static float cool() {
  torch::NoGradGuard no_grad;
  auto field = torch::ones({8192, 8192});
  for (int i = 0; i < 100; ++i)
    // CHECK: field -= 1;
    field = field - 1;
  return field.sum().item<float>();
}

int main() {
  torch::nn::Linear net(8, 8);
  evaluate(net);
  evaluate_wide(net);
  evaluate_beside(net);
  keep(net);
  consume(cool());
}
