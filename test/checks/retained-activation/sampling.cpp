// A state that is computed from itself in a file that trains nothing; what is made of it goes to
// code that is not seen.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void play(const Tensor &sample);
void change(Tensor &state);
struct Collector {
  void add(const Tensor &output);
  void finish();
};

void generate(torch::nn::GRUCell cell, torch::nn::Linear head) {
  auto x = torch::zeros({1, 64});
  auto h = torch::zeros({1, 512}); // expected-path {{'h' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    h = cell->forward(x, h); // expected-note {{'h' (declared outside the loop) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
    x = torch::softmax(head->forward(h), -1).detach();
    play(torch::softmax(head->forward(h), -1));
  }
}

//===-- Near misses ---------------------------------------------------------===//

void generate_without_grad(torch::nn::GRUCell cell, torch::nn::Linear head) {
  torch::NoGradGuard no_grad;
  auto x = torch::zeros({1, 64});
  auto h = torch::zeros({1, 512});
  for (int i = 0; i < 1000; ++i) {
    h = cell->forward(x, h);
    play(head->forward(h));
  }
}

void changed(torch::nn::GRUCell cell) {
  auto h = torch::zeros({1, 512});
  for (int i = 0; i < 1000; ++i) {
    h = cell->forward(torch::zeros({1, 64}), h);
    change(h);
  }
}

void differentiated_after_the_loop(torch::nn::GRUCell cell) {
  auto h = torch::zeros({1, 512});
  for (int i = 0; i < 10; ++i)
    h = cell->forward(torch::zeros({1, 64}), h);
  play(h);
}

void collected(torch::nn::GRUCell cell) {
  Collector all;
  auto h = torch::zeros({1, 512});
  for (int i = 0; i < 10; ++i) {
    h = cell->forward(torch::zeros({1, 64}), h);
    all.add(h);
  }
  all.finish();
}
