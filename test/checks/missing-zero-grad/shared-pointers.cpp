// What a shared pointer points to is used as if it were there itself: `->`, `*` and get()
// are no unknown functions.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

void never_reset(std::shared_ptr<torch::nn::LinearImpl> net, Tensor x) {
  auto optimizer = std::make_shared<torch::optim::SGD>(net->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) { // expected-path {{the loop is here}}
    net->forward(x).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer->step(); // expected-warning {{'optimizer' steps in every round of this loop}} [tensor-missing-zero-grad]
  }
}

void never_reset_through_a_reference(std::shared_ptr<torch::nn::LinearImpl> net,
                                     std::shared_ptr<torch::optim::Optimizer> optimizer,
                                     Tensor x) {
  for (int i = 0; i < 10; ++i) { // expected-path {{the loop is here}}
    net->forward(x).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    (*optimizer).step(); // expected-warning {{'optimizer' steps in every round of this loop}} [tensor-missing-zero-grad]
  }
}

//===-- Near misses ---------------------------------------------------------===//

void reset(std::shared_ptr<torch::nn::LinearImpl> net, Tensor x) {
  auto optimizer = std::make_shared<torch::optim::SGD>(net->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    optimizer->zero_grad();
    net->forward(x).sum().backward();
    optimizer->step();
  }
}

void reset_by_the_module(std::shared_ptr<torch::nn::LinearImpl> net, Tensor x) {
  auto optimizer = std::make_shared<torch::optim::SGD>(net->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    net->forward(x).sum().backward();
    optimizer->step();
    net->zero_grad();
  }
}

void somebody_else(const std::shared_ptr<torch::optim::SGD> &optimizer);
void by_pointer(torch::optim::SGD *optimizer);

void handed_on(std::shared_ptr<torch::nn::LinearImpl> net, Tensor x) {
  auto optimizer = std::make_shared<torch::optim::SGD>(net->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    somebody_else(optimizer);
    net->forward(x).sum().backward();
    optimizer->step();
  }
}

void handed_on_by_pointer(std::shared_ptr<torch::nn::LinearImpl> net, Tensor x) {
  auto optimizer = std::make_shared<torch::optim::SGD>(net->parameters(), 0.1);
  for (int i = 0; i < 10; ++i) {
    by_pointer(optimizer.get());
    net->forward(x).sum().backward();
    optimizer->step();
  }
}

// A factory makes a new one; what another function hands out may be anybody's.
std::shared_ptr<torch::optim::Optimizer> made(bool plain, std::vector<Tensor> parameters) {
  if (plain)
    return std::make_shared<torch::optim::SGD>(parameters, 0.1);
  auto adam = std::make_shared<torch::optim::Adam>(parameters, 0.1);
  return adam;
}
std::shared_ptr<torch::optim::Optimizer> made_again(std::vector<Tensor> parameters) {
  return made(true, parameters);
}

void of_a_factory(torch::nn::Linear net, Tensor x) {
  auto optimizer = made(false, net->parameters());
  while (true) { // expected-path {{the loop is here}}
    auto loss = net->forward(x).sum();
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer->step(); // expected-warning {{'optimizer' steps in every round of this loop}} [tensor-missing-zero-grad]
    if (loss.item<float>() < 1)
      break;
  }
}

void of_a_factory_of_factories(torch::nn::Linear net, Tensor x) {
  auto optimizer = made_again(net->parameters());
  for (int i = 0; i < 10; ++i) { // expected-path {{the loop is here}}
    net->forward(x).sum().backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer->step(); // expected-warning {{'optimizer' steps in every round of this loop}} [tensor-missing-zero-grad]
  }
}

void of_a_factory_reset(torch::nn::Linear net, Tensor x) {
  auto optimizer = made(false, net->parameters());
  for (int i = 0; i < 10; ++i) {
    optimizer->zero_grad();
    net->forward(x).sum().backward();
    optimizer->step();
  }
}

static std::shared_ptr<torch::optim::Optimizer> shared;
std::shared_ptr<torch::optim::Optimizer> registered(std::vector<Tensor> parameters) {
  auto adam = std::make_shared<torch::optim::Adam>(parameters, 0.1);
  shared = adam;
  return adam;
}
void reset_shared() { shared->zero_grad(); }

void of_a_factory_that_keeps_it(torch::nn::Linear net, Tensor x) {
  auto optimizer = registered(net->parameters());
  for (int i = 0; i < 10; ++i) {
    reset_shared();
    net->forward(x).sum().backward();
    optimizer->step();
  }
}

std::shared_ptr<torch::optim::Optimizer> without_end(int n, std::vector<Tensor> parameters) {
  auto other = without_end(n - 1, parameters);
  return other;
}

void of_no_factory(torch::nn::Linear net, Tensor x) {
  auto optimizer = without_end(9, net->parameters());
  for (int i = 0; i < 10; ++i) {
    net->forward(x).sum().backward();
    optimizer->step();
  }
}

void through_another_name(std::shared_ptr<torch::nn::LinearImpl> net, Tensor x) {
  auto optimizer = std::make_shared<torch::optim::SGD>(net->parameters(), 0.1);
  auto same = optimizer;
  for (int i = 0; i < 10; ++i) {
    same->zero_grad();
    net->forward(x).sum().backward();
    optimizer->step();
  }
}

void same_network(std::shared_ptr<torch::nn::LinearImpl> net, Tensor x) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto same = net;
  for (int i = 0; i < 10; ++i) {
    same->zero_grad();
    net->forward(x).sum().backward();
    optimizer.step();
  }
}
