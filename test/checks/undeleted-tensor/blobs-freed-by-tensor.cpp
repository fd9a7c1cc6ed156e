// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
//
// A tensor leads back to the memory that it was made over: a program that frees it by that way is
// not told that nothing does.
#include <torch/torch.h>
#include <memory>
using torch::Tensor;

Tensor made(int64_t n) {
  auto pixels = std::make_unique<float[]>(n);
  return torch::from_blob(pixels.release(), {n});
}

void ended(Tensor &t) {
  delete[] t.data_ptr<float>();
  t = Tensor();
}
