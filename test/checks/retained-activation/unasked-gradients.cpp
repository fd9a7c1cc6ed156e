// Tensors that are told to need no gradient.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct Image {
  unsigned char *data;
};

// A sum of what was computed from such inputs has no graph that grows; from a tensor that is
// asked for a gradient it has.
float sums(const std::vector<Image> &images) {
  Tensor weight = torch::ones({64}), sum = torch::zeros({1});
  Tensor with_graph = torch::zeros({1}); // expected-path {{is declared here}}
  weight = weight.set_requires_grad(true);
  for (const Image &image : images) {
    auto x = torch::from_blob(image.data, {1, 64}).set_requires_grad(false);
    sum = sum + (x * 2).sum();
    with_graph = with_graph + (x * weight).sum(); // expected-warning {{'with_graph'}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
  return sum.item<float>() + with_graph.item<float>();
}
