// The discriminator's step differentiates the generator too, for nothing.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();

void undetached() {
  torch::nn::Linear G(64, 64), D(64, 1);
  torch::optim::Adam g_optimizer(G->parameters(), 0.1), d_optimizer(D->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    auto real = D->forward(next_batch()).mean();
    auto fake = G->forward(next_batch()); // expected-note {{the backward pass runs through 'G' too}} [tensor-missing-no-grad]
    auto d_loss = D->forward(fake).mean() - real;
    d_optimizer.zero_grad();
    d_loss.backward(); // expected-path {{the backward pass is here}}
    d_optimizer.step();

    fake = G->forward(next_batch());
    auto g_loss = D->forward(fake).mean();
    g_optimizer.zero_grad();
    g_loss.backward();
    g_optimizer.step();
  }
}

void detached() {
  torch::nn::Linear G(64, 64), D(64, 1);
  torch::optim::Adam g_optimizer(G->parameters(), 0.1), d_optimizer(D->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    auto fake = G->forward(next_batch());
    d_optimizer.zero_grad();
    D->forward(fake.detach()).mean().backward();
    d_optimizer.step();

    g_optimizer.zero_grad();
    D->forward(fake).mean().backward();
    g_optimizer.step();
  }
}

// One backward pass for both, each with its own optimizer.
void actor_and_critic() {
  torch::nn::Linear actor(64, 64), critic(64, 1);
  torch::optim::Adam a_optimizer(actor->parameters(), 0.1), c_optimizer(critic->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    a_optimizer.zero_grad();
    c_optimizer.zero_grad();
    critic->forward(actor->forward(next_batch())).mean().backward();
    c_optimizer.step();
    a_optimizer.step();
  }
}
