// What a network copies to the device in its forward pass it copies in every step.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() {
    layer = register_module("layer", torch::nn::Linear(512, 512));
    table_ = torch::zeros({2048, 512}); // on the host, and no buffer that to() moves
    cached_ = torch::zeros({2048, 512});
    wanted_ = torch::zeros({2048, 512});
    moved_ = torch::zeros({2048, 512});
    mean_ = torch::zeros({512});
  }
  Tensor forward(Tensor h) {
    h = h + table_.to(torch::kCUDA); // expected-note {{'table_' is the same in every call of this method and is copied to the device each time: about 4 MiB per call}} [tensor-repeated-transfer]
    if (is_training())
      h = h + wanted_.to(torch::kCUDA); // near miss: in some calls only
    copy_ = cached_.to(torch::kCUDA);   // near miss: it is kept
    h = h + mean_.to(torch::kCUDA);     // near miss: it is small
    return layer->forward(h + moved_.to(torch::kCUDA) + copy_);
  }
  void place() { moved_ = moved_.to(torch::kCUDA); } // near miss: it may be there already

  torch::nn::Linear layer{nullptr};

private:
  Tensor table_; // expected-path {{'table_' is made here, on the host}}
  Tensor cached_, wanted_, moved_, copy_, mean_;
};
TORCH_MODULE(Encoder);

void train(Encoder encoder, torch::optim::Optimizer &optimizer, Tensor x) {
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    encoder->forward(x).sum().backward();
    optimizer.step();
  }
}

//===-- Near miss: once -----------------------------------------------------------===//

struct OnceImpl : torch::nn::Module {
  OnceImpl() { table_ = torch::zeros({2048, 512}); }
  Tensor forward(Tensor h) { return h + table_.to(torch::kCUDA); }

private:
  Tensor table_;
};
TORCH_MODULE(Once);

Tensor once(Once net, Tensor x) { return net->forward(x); }
