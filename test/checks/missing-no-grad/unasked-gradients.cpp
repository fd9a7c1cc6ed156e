// An input of which somebody says that it needs no gradient has none, and says nothing of the
// parameters of the network that it is given to.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct Image {
  int rows, cols;
  unsigned char *data;
};

std::vector<float> scoresOf(const Tensor &computed) {
  return {computed[0].item<float>(), computed[1].item<float>()};
}

class Detector {
public:
  std::vector<float> detect(const Image &image) {
    auto x = torch::from_blob(image.data, {1, 64});
    x = x.set_requires_grad(false);
    auto scores = net_->forward(x.to(torch::kCUDA)); // expected-note {{what 'net_' computes here is never differentiated}} [tensor-missing-no-grad]
    return scoresOf(scores);
  }
  // What was just made is no parameter: the network is not frozen.
  std::vector<float> detect_made(const Image &image) {
    auto x = torch::from_blob(image.data, {1, 64}).to(torch::kCUDA).set_requires_grad(false);
    auto scores = net_->forward(x); // expected-note {{is never differentiated}} [tensor-missing-no-grad]
    return scoresOf(scores);
  }

  //===-- Near misses -----------------------------------------------------===//

  // What is asked for is the gradient of the input.
  Tensor saliency(const Image &image) {
    auto x = torch::from_blob(image.data, {1, 64}).set_requires_grad(true);
    net_->forward(x).sum().backward();
    return x.grad();
  }
  std::vector<float> guarded(const Image &image) {
    torch::NoGradGuard no_grad;
    return scoresOf(net_->forward(torch::from_blob(image.data, {1, 64}).set_requires_grad(false)));
  }

private:
  torch::nn::Linear net_{64, 64};
};
