// A stored function that is given tensors and gives one computes a loss; others may reset.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <functional>

using torch::Tensor;

Tensor next_batch();

template <typename Model> class Trainer {
public:
  using Loss = std::function<Tensor(const Tensor &, const Tensor &, double)>;
  Trainer(Model model, Loss loss);
  void run(int n) {
    for (int i = 0; i < n; ++i) // expected-path {{the loop is here}}
      step(next_batch()); // expected-path {{called here in every round}}
  }

private:
  void step(Tensor x) {
    loss_(model_->forward(x), x, 0.5).backward(); // expected-path {{gradients are added to the old ones here}}
    opt_.step(); // expected-warning {{'opt_' steps in every round of this loop}} [tensor-missing-zero-grad]
  }
  Model model_;
  torch::optim::SGD opt_;
  Loss loss_;
};

void train(torch::nn::Linear net, Trainer<torch::nn::Linear>::Loss loss) {
  Trainer<torch::nn::Linear>(net, loss).run(100);
}

//===-- Near misses -----------------------------------------------------------===//

class WithCallback {
public:
  WithCallback(torch::nn::Linear model, std::function<void(const Tensor &)> before);
  void run(int n) {
    for (int i = 0; i < n; ++i) {
      auto x = next_batch();
      before_(x);
      model_->forward(x).sum().backward();
      opt_.step();
    }
  }

private:
  torch::nn::Linear model_;
  torch::optim::SGD opt_;
  std::function<void(const Tensor &)> before_;
};

class WithClosure {
public:
  WithClosure(torch::nn::Linear model, std::function<Tensor()> closure);
  void run(int n) {
    for (int i = 0; i < n; ++i) {
      closure_().backward();
      opt_.step();
    }
  }

private:
  torch::nn::Linear model_;
  torch::optim::SGD opt_;
  std::function<Tensor()> closure_;
};

void call(WithCallback &first, WithClosure &second) {
  first.run(10);
  second.run(10);
}
