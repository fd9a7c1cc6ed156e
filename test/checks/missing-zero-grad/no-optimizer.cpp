// A network that no optimizer steps collects gradients for ever (row 27).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

void perceptual_loss(Tensor image) {
  torch::nn::Linear features(64, 64);
  features->eval();
  torch::optim::Adam optimizer({image.requires_grad_(true)}, 0.1);
  auto target = torch::rand({64});
  for (int step = 0; step < 100; ++step) {
    auto loss = torch::zeros({1});
    auto extracted = features->forward(image); // expected-note {{'features' is in no optimizer}} [tensor-missing-zero-grad]
    for (int i = 0; i < 3; ++i)
      loss += torch::mse_loss(extracted[i], target);
    optimizer.zero_grad();
    loss.backward(); // expected-path {{gradients are added here}}
    optimizer.step();
  }
}

//===-- Near misses -------------------------------------------------------===//

void frozen(Tensor image) {
  torch::nn::Linear features(64, 64);
  for (auto &p : features->parameters())
    p.requires_grad_(false);
  torch::optim::Adam optimizer({image.requires_grad_(true)}, 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    features->forward(image).sum().backward();
    optimizer.step();
  }
}

void stepped() {
  torch::nn::Linear net(64, 64);
  torch::optim::Adam optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    net->forward(next_batch()).sum().backward();
    optimizer.step();
  }
}

/// A criterion has no parameters: there are no gradients of its own.
void criterion_without_parameters() {
  torch::nn::Linear net(64, 64);
  torch::nn::BCEWithLogitsLoss criterion;
  auto other = torch::nn::MSELoss();
  torch::optim::Adam optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    auto output = net->forward(next_batch());
    auto loss = criterion(output, torch::rand({64})) + other(output, torch::rand({64}));
    loss.backward();
    optimizer.step();
  }
}

/// Whether the tensor is a parameter is for its constructor to say, which is elsewhere.
struct YoloLossImpl : torch::nn::Module {
  explicit YoloLossImpl(Tensor anchors);
  Tensor forward(Tensor output);
  Tensor anchors;
};
/// Here there is a layer.
struct PerceptualLossImpl : YoloLossImpl {
  explicit PerceptualLossImpl(Tensor anchors);
  Tensor forward(Tensor output);
  torch::nn::Linear features{nullptr};
};
void criterion_from_elsewhere() {
  torch::nn::Linear net(64, 64);
  YoloLossImpl criterion(torch::rand({64}));
  PerceptualLossImpl perceptual(torch::rand({64}));
  torch::optim::Adam optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    criterion.forward(net->forward(next_batch())).backward();
    perceptual.forward(net->forward(next_batch())).backward(); // expected-note {{'perceptual' is in no optimizer}} [tensor-missing-zero-grad] expected-path {{gradients are added here}}
    optimizer.step();
  }
}

void stepped_by_a_list() {
  torch::nn::Linear first(64, 64), second(64, 64);
  std::vector<Tensor> all = first->parameters();
  for (const Tensor &p : second->parameters())
    all.push_back(p);
  torch::optim::Adam optimizer(all, 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    second->forward(first->forward(next_batch())).sum().backward();
    optimizer.step();
  }
}

struct Trainer {
  explicit Trainer(torch::nn::Linear net);
  void step();
};

void stepped_by_somebody() {
  torch::nn::Linear net(64, 64), other(64, 64);
  Trainer trainer(net);
  torch::optim::SGD optimizer(other->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    other->forward(net->forward(next_batch())).sum().backward();
    optimizer.step();
    trainer.step();
  }
}

void under_a_guard(torch::nn::Linear net) {
  torch::nn::Linear features(64, 64);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    Tensor x;
    {
      torch::NoGradGuard no_grad;
      x = features->forward(next_batch());
    }
    optimizer.zero_grad();
    net->forward(x).sum().backward();
    optimizer.step();
  }
}

// Another name of a network that an optimizer steps.
void another_name() {
  torch::nn::Linear net(64, 64);
  auto same = net;
  torch::optim::Adam optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    same->forward(next_batch()).sum().backward();
    optimizer.step();
  }
}
