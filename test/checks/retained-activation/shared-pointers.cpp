// A shared pointer to tensors has copies, and what is done through another copy is not
// followed.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void consume(float value);

void in_a_container(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    kept.push_back(net->forward(next_batch())); // expected-warning {{'kept'}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  consume(kept.size());
}

//===-- Near misses ---------------------------------------------------------===//

void emptied_through_a_copy(torch::nn::Linear net) {
  auto kept = std::make_shared<std::vector<Tensor>>();
  auto same = kept;
  for (int i = 0; i < 100; ++i) {
    same->push_back(net->forward(next_batch()));
    kept->clear();
  }
}

void differentiated_through_a_copy(torch::nn::Linear net) {
  auto kept = std::make_shared<std::vector<Tensor>>();
  auto same = kept;
  for (int i = 0; i < 100; ++i)
    same->push_back(net->forward(next_batch()));
  torch::stack(*kept).sum().backward();
}

//===-- Pointers to copies --------------------------------------------------===//

struct Entry {
  Tensor loss;
  int step;
};
void copies_behind_pointers(torch::nn::Linear net) {
  std::vector<std::shared_ptr<Tensor>> tensors; // expected-path {{'tensors' is declared here and outlives the step}}
  std::vector<std::shared_ptr<Entry>> entries; // expected-path {{'entries' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}} expected-path {{the graph starts here}}
    Entry entry{loss, i};
    tensors.push_back(std::make_shared<Tensor>(loss)); // expected-warning {{'tensors' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
    entries.push_back(std::make_shared<Entry>(entry)); // expected-warning {{'entries' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
  }
  consume(tensors.size() + entries.size());
}
void detached_behind_pointers(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  std::vector<std::shared_ptr<Tensor>> tensors;
  for (int i = 0; i < 100; ++i)
    tensors.push_back(std::make_shared<Tensor>(net->forward(next_batch()).mean()));
  consume(tensors.size());
}
