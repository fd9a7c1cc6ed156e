// Gradients reach step() and nothing on the way round the loop resets them (row 26).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

void train_sgd(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) { // expected-path {{the loop is here}}
    auto loss = torch::mse_loss(model->forward(x), y);
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer.step(); // expected-warning {{optimizer}} [tensor-missing-zero-grad]
  }
}

template <typename DataLoader>
void train_epoch(torch::nn::Linear model, DataLoader &loader, torch::optim::Optimizer &optimizer,
                 torch::Device device) {
  model->train();
  for (auto &batch : loader) { // expected-path {{the loop is here}}
    auto data = batch.data.to(device), targets = batch.target.to(device);
    auto output = model->forward(data);
    auto loss = torch::nll_loss(output, targets);
    loss.backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer.step(); // expected-warning {{optimizer}} [tensor-missing-zero-grad]
  }
}

void train_mnist(torch::nn::Linear model) {
  auto loader = torch::data::make_data_loader(
      torch::data::datasets::MNIST("./data").map(torch::data::transforms::Stack<>()), 64);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-3));
  for (size_t epoch = 1; epoch <= 10; ++epoch)
    train_epoch(model, *loader, optimizer, torch::kCPU);
}

// The generator's optimizer is reset, the discriminator's is not.
void train_gan(torch::nn::Linear generator, torch::nn::Linear discriminator, torch::Tensor real) {
  torch::optim::Adam generator_optimizer(generator->parameters());
  torch::optim::Adam discriminator_optimizer(discriminator->parameters());
  for (int step = 0; step < 100; ++step) { // expected-path {{the loop is here}}
    auto fake = generator->forward(torch::randn({64, 100}));
    auto d_fake = discriminator->forward(fake.detach()).mean();
    auto d_loss = d_fake - discriminator->forward(real).mean();
    d_loss.backward(); // expected-path {{gradients are added to the old ones here}}
    discriminator_optimizer.step(); // expected-warning {{discriminator_optimizer}} [tensor-missing-zero-grad]

    generator_optimizer.zero_grad();
    auto g_loss = -discriminator->forward(fake).mean();
    g_loss.backward();
    generator_optimizer.step();
  }
}

class Trainer {
public:
  explicit Trainer(torch::nn::Linear model)
      : model_(model),
        optimizer_(std::make_unique<torch::optim::AdamW>(model->parameters())) {}

  void run(torch::Tensor x, torch::Tensor y) {
    for (int step = 0; step < 100; ++step) { // expected-path {{the loop is here}}
      auto loss = torch::mse_loss(model_(x), y);
      loss.backward(); // expected-path {{gradients are added to the old ones here}}
      optimizer_->step(); // expected-warning {{optimizer_}} [tensor-missing-zero-grad]
    }
  }

private:
  torch::nn::Linear model_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

// Reset once before the loop: every later step sees the sum of all gradients.
void reset_only_before_the_loop(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  optimizer.zero_grad();
  for (int step = 0; step < 100; ++step) { // expected-path {{the loop is here}}
    torch::mse_loss(model->forward(x), y).backward(); // expected-path {{gradients are added to the old ones here}}
    optimizer.step(); // expected-warning {{optimizer}} [tensor-missing-zero-grad]
  }
}

// LBFGS evaluates the closure several times a step: each evaluation adds to the last.
void closure(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::LBFGS optimizer(model->parameters());
  for (int step = 0; step < 20; ++step) { // expected-path {{the loop is here}}
    optimizer.step([&] { // expected-warning {{optimizer}} [tensor-missing-zero-grad]
      auto loss = torch::mse_loss(model->forward(x), y);
      loss.backward(); // expected-path {{gradients are added to the old ones here}}
      return loss;
    });
  }
}
