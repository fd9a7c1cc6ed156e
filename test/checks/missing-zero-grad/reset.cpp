// Every way to reset gradients that correct programs use. Nothing to say here.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

void at_the_start(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
  }
}

void after_the_step(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
    optimizer.zero_grad();
  }
}

void except_after_the_last_step(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  const int max_iter = 100;
  for (int it = 0; it < max_iter; ++it) {
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
    if (it + 1 < max_iter)
      optimizer.zero_grad();
  }
}

void under_a_guard(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    torch::mse_loss(model->forward(x), y).backward();
    {
      torch::NoGradGuard no_grad;
      optimizer.step();
      optimizer.zero_grad();
    }
  }
}

void on_the_module(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::Adam optimizer(model->parameters(), 1e-3);
  for (int step = 0; step < 100; ++step) {
    model->zero_grad();
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
  }
}

void by_hand(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    for (auto &p : model->parameters())
      if (p.grad().defined())
        p.grad().zero_();
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
  }
}

void by_dropping(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
    for (auto &p : model->parameters())
      p.mutable_grad() = torch::Tensor();
  }
}

static void reset_gradients(torch::optim::Optimizer &optimizer) { optimizer.zero_grad(); }

void in_a_helper(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    reset_gradients(optimizer);
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
  }
}

// A helper that updates and resets: the loop itself names neither.
static void update(torch::optim::Optimizer &optimizer, const torch::Tensor &loss) {
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
}

void all_in_a_helper(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step)
    update(optimizer, torch::mse_loss(model->forward(x), y));
}

class Trainer {
public:
  explicit Trainer(torch::nn::Linear model)
      : model_(model),
        optimizer_(std::make_unique<torch::optim::AdamW>(model->parameters())) {}

  void run(torch::Tensor x, torch::Tensor y) {
    for (int step = 0; step < 100; ++step) {
      begin_step();
      torch::mse_loss(model_(x), y).backward();
      optimizer_->step();
    }
  }

private:
  void begin_step() { optimizer_->zero_grad(); }
  torch::nn::Linear model_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

// What a virtual call does is not known: it may reset.
struct Hooks {
  virtual ~Hooks() = default;
  virtual void before_step(torch::optim::Optimizer &optimizer) = 0;
};

void in_a_virtual_call(torch::nn::Linear model, Hooks &hooks, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    hooks.before_step(optimizer);
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
  }
}

// Nor what a function in another file does with an optimizer that it is given.
void log_and_reset(torch::optim::Optimizer &optimizer);

void in_another_file(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
    log_and_reset(optimizer);
  }
}

void closure(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::LBFGS optimizer(model->parameters());
  for (int step = 0; step < 20; ++step) {
    optimizer.step([&] {
      optimizer.zero_grad();
      auto loss = torch::mse_loss(model->forward(x), y);
      loss.backward();
      return loss;
    });
  }
}

void fresh_optimizer_and_model_each_time(torch::Tensor x, torch::Tensor y) {
  for (int trial = 0; trial < 10; ++trial) {
    torch::nn::Linear model(8, 1);
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    torch::mse_loss(model->forward(x), y).backward();
    optimizer.step();
  }
}

// One step, no loop: there is nothing that could pile up.
void single_step(torch::nn::Linear model, torch::Tensor x, torch::Tensor y) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  torch::mse_loss(model->forward(x), y).backward();
  optimizer.step();
}

// Two modules, one optimizer over both: resetting each module is enough.
void both_modules(torch::nn::Linear encoder, torch::nn::Linear decoder, torch::Tensor x) {
  auto parameters = encoder->parameters();
  for (auto &p : decoder->parameters())
    parameters.push_back(p);
  torch::optim::Adam optimizer(parameters, 1e-3);
  for (int step = 0; step < 100; ++step) {
    encoder->zero_grad();
    decoder->zero_grad();
    torch::mse_loss(decoder->forward(encoder->forward(x)), x).backward();
    optimizer.step();
  }
}
