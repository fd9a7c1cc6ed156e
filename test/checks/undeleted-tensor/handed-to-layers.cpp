// A layer is handed the tensor, and cannot delete the object that it stands in.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

bool accepts(const Tensor &);
void consume(Tensor *);

int run(torch::nn::Linear *layer, int64_t n) {
  auto *input = new Tensor(torch::empty({n, 64})); // expected-warning {{the tensor that 'input' points to is not deleted on every path}} [tensor-undeleted-tensor]
  auto result = (*layer)->forward(*input).detach();
  if (result.size(0) != n)
    return -1; // expected-path {{this way out leaves it behind}}
  delete input;
  return 0;
}

//===-- Near misses -----------------------------------------------------------===//

int runs_and_deletes(torch::nn::Linear *layer, int64_t n) {
  auto *input = new Tensor(torch::empty({n, 64}));
  auto result = (*layer)->forward(*input).detach();
  delete input;
  return result.size(0) != n;
}

int hands_on(torch::nn::Linear *layer, int64_t n) {
  auto *input = new Tensor(torch::empty({n, 64}));
  auto result = (*layer)->forward(*input).detach();
  consume(input);
  return result.size(0) != n;
}
