// A module run in other ways than a plain call: through a member pointer, a function
// that is named forward, a base class. The analysis must understand or leave them.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {}
  Tensor forward(Tensor x) { return fc(x); }
  static Tensor log_prob(Tensor x) { return x.log(); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

void static_method(Net net, Tensor x) {
  std::vector<Tensor> kept;
  for (int i = 0; i < 10; ++i)
    kept.push_back(NetImpl::log_prob(net->forward(x)).detach());
}

void qualified(NetImpl &net, Tensor x) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 10; ++i)
    kept.push_back(net.NetImpl::forward(x)); // expected-warning {{kept}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
}

void through_a_member_pointer(NetImpl &net, Tensor x) {
  Tensor (NetImpl::*run)(Tensor) = &NetImpl::forward;
  std::vector<Tensor> kept;
  for (int i = 0; i < 10; ++i)
    kept.push_back((net.*run)(x).detach());
}
