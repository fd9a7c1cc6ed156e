// Methods whose bodies are in another file: a const one that gives something hands out what the
// object has; any other may reset gradients.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>

using torch::Tensor;

struct Points {
  Tensor places, opacity;
  std::unique_ptr<torch::optim::Adam> optimizer;

  void load(double rate);
  Tensor drawn(int size) const;
  Tensor next();
  void begin() const;
  Tensor after(torch::optim::Optimizer &optimizer) const;
};

void handed_out(Points points) {
  points.load(0.1);
  for (int step = 0; step < 100; ++step) { // expected-path {{the loop is here}}
    points.drawn(64).pow(2).sum().backward(); // expected-path {{added to the old ones}}
    points.optimizer->step(); // expected-warning {{'optimizer' steps in every round}} [tensor-missing-zero-grad]
  }
}

//===-- Near misses -------------------------------------------------------===//

void reset_in_sight(Points points) {
  for (int step = 0; step < 100; ++step) {
    points.optimizer->zero_grad();
    points.drawn(64).pow(2).sum().backward();
    points.optimizer->step();
  }
}

// It may write members.
void in_a_method(Points points) {
  for (int step = 0; step < 100; ++step) {
    points.next().pow(2).sum().backward();
    points.optimizer->step();
  }
}

// It gives nothing, so it does something: the optimizer behind the pointer is not const.
void in_a_const_method(Points points) {
  for (int step = 0; step < 100; ++step) {
    points.begin();
    points.drawn(64).pow(2).sum().backward();
    points.optimizer->step();
  }
}

// It is handed what it may reset.
void handed_over(Points points) {
  for (int step = 0; step < 100; ++step) {
    points.after(*points.optimizer).pow(2).sum().backward();
    points.optimizer->step();
  }
}
