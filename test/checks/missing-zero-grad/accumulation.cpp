// Gradients that are meant to add up: accumulation over several batches, several
// backward passes per step. Nothing to say here, but for the one that never resets.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

void reset_where_the_window_starts(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  const int window = 4;
  for (int step = 0; step < 100; ++step) {
    if (step % window == 0)
      optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(x), y) / window;
    loss.backward();
    if ((step + 1) % window == 0)
      optimizer.step();
  }
}

void reset_after_the_window(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  optimizer.zero_grad();
  for (int step = 0; step < 100; ++step) {
    auto loss = torch::mse_loss(model->forward(x), y) / 4;
    loss.backward();
    if ((step + 1) % 4 == 0) {
      optimizer.step();
      optimizer.zero_grad();
    }
  }
}

void inner_loop(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::Adam optimizer(model->parameters(), 1e-3);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    for (int micro = 0; micro < 8; ++micro)
      (torch::mse_loss(model->forward(x), y) / 8).backward();
    optimizer.step();
  }
}

void two_losses(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::Adam optimizer(model->parameters(), 1e-3);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    auto output = model->forward(x);
    torch::mse_loss(output, y).backward({}, /*retain_graph=*/true);
    output.abs().mean().backward();
    optimizer.step();
  }
}

// pytorch/examples' DCGAN: two backward passes for the discriminator, both wanted.
void gan(torch::nn::Linear generator, torch::nn::Linear discriminator, torch::Tensor real) {
  torch::optim::Adam generator_optimizer(generator->parameters());
  torch::optim::Adam discriminator_optimizer(discriminator->parameters());
  for (int step = 0; step < 100; ++step) {
    discriminator->zero_grad();
    auto d_loss_real = discriminator->forward(real).mean();
    d_loss_real.backward();
    auto fake = generator->forward(torch::randn({64, 100}));
    auto d_loss_fake = discriminator->forward(fake.detach()).mean();
    d_loss_fake.backward();
    discriminator_optimizer.step();

    generator->zero_grad();
    auto g_loss = discriminator->forward(fake).mean();
    g_loss.backward();
    generator_optimizer.step();
  }
}

// Stepping every fourth batch without ever resetting is no accumulation.
void never_reset(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) { // expected-path {{the loop is here}}
    (torch::mse_loss(model->forward(x), y) / 4).backward(); // expected-path {{gradients are added to the old ones here}}
    if ((step + 1) % 4 == 0)
      optimizer.step(); // expected-warning {{optimizer}} [tensor-missing-zero-grad]
  }
}

// A gradient with respect to the input, no optimizer: the saliency of one image.
torch::Tensor saliency(torch::nn::Linear model, torch::Tensor image) {
  auto input = image.clone().set_requires_grad(true);
  model->forward(input).max().backward();
  return input.grad().abs();
}
