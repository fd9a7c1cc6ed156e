// Resetting one optimizer does not excuse the other, whoever calls the methods.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

class ActorCritic {
public:
  void learn(Tensor state, Tensor wanted) {
    actor_optimizer_.zero_grad();
    actor_->forward(state).mean().backward(); // expected-path {{gradients are added to the old ones here}}
    actor_optimizer_.step();
    torch::mse_loss(critic_->forward(state), wanted).backward();
    critic_optimizer_.step(); // expected-note {{'critic_optimizer_' steps in every call}} [tensor-missing-zero-grad]
  }

private:
  torch::nn::Linear actor_{8, 2}, critic_{8, 1};
  torch::optim::Adam actor_optimizer_{actor_->parameters(), 1e-3};
  torch::optim::Adam critic_optimizer_{critic_->parameters(), 1e-3};
};
