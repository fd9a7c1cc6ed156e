// What a virtual method, a std::function or a pointer to a function calls: one body, or one of
// several that the file sees.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

using torch::Tensor;

Tensor next_batch(int step);
void consume(float value);

//===-- Virtual methods ---------------------------------------------------===//

struct Metric {
  virtual ~Metric() = default;
  virtual void update(const Tensor &value) = 0;
  virtual float value() const = 0;
};

struct Mean : Metric {
  void update(const Tensor &value) override {
    sum_ = sum_ + value; // expected-warning {{'sum_' (a member) is computed from itself}} [tensor-retained-activation]
  }
  float value() const override { return sum_.item<float>(); }
  Tensor sum_ = torch::zeros({}); // expected-path {{}}
};

void evaluate(torch::nn::Linear net, Metric &metric) {
  for (int i = 0; i < 100; ++i)
    metric.update(net->forward(next_batch(i)).sum()); // expected-path {{}} expected-path {{}}
  consume(metric.value());
}

// Two bodies: either may run.
struct Loss {
  virtual ~Loss() = default;
  virtual void add(const Tensor &value) = 0;
};

struct Sum : Loss {
  void add(const Tensor &value) override {
    sum_ = sum_ + value; // expected-warning {{'sum_' (a member) is computed from itself}} [tensor-retained-activation]
  }
  Tensor sum_ = torch::zeros({}); // expected-path {{}}
};

struct Number : Loss {
  void add(const Tensor &value) override { sum_ += value.item<float>(); }
  float sum_ = 0;
};

void either(torch::nn::Linear net, Loss &loss) {
  for (int i = 0; i < 100; ++i)
    loss.add(net->forward(next_batch(i)).sum()); // expected-path {{}} expected-path {{}}
}

// Two bodies, of which none keeps a graph.
struct Gauge {
  virtual ~Gauge() = default;
  virtual void add(const Tensor &value) = 0;
  virtual Tensor shown() const = 0;
};

struct LastValue : Gauge {
  void add(const Tensor &value) override { last_ = value.detach(); }
  Tensor shown() const override { return last_; }
  Tensor last_;
};

struct LastNumber : Gauge {
  void add(const Tensor &value) override { last_ = value.item<float>(); }
  Tensor shown() const override { return torch::full({}, last_); }
  float last_ = 0;
};

void gauged(torch::nn::Linear net, Gauge &gauge) {
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 100; ++i)
    gauge.add(net->forward(next_batch(i)).sum());
  consume(gauge.shown().item<float>());
}

// One of the bodies lets go of what the other one keeps.
struct Stage {
  virtual ~Stage() = default;
  virtual void run(std::vector<Tensor> &kept, const Tensor &value) = 0;
};

struct Keep : Stage {
  void run(std::vector<Tensor> &kept, const Tensor &value) override { kept.push_back(value); }
};

struct Flush : Stage {
  void run(std::vector<Tensor> &kept, const Tensor &value) override {
    consume(value.item<float>());
    kept.clear();
  }
};

void staged(torch::nn::Linear net, torch::optim::SGD &optimizer,
            const std::vector<std::unique_ptr<Stage>> &stages) {
  std::vector<Tensor> kept;
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    auto y = net->forward(next_batch(i)).sum();
    y.backward();
    optimizer.step();
    for (auto &stage : stages)
      stage->run(kept, y);
  }
}

// What one of them returns with its graph, the caller does not differentiate.
struct Scorer {
  virtual ~Scorer() = default;
  virtual Tensor score(const Tensor &x) = 0;
};

struct Constant : Scorer {
  Tensor score(const Tensor &x) override { return torch::ones_like(x); }
};

struct Learned : Scorer {
  Tensor score(const Tensor &x) override { return net_->forward(x); } // expected-path {{}}
  torch::nn::Linear net_{4, 4};
};

void best_scores(Scorer &scorer) {
  std::vector<Tensor> best; // expected-path {{}}
  for (int i = 0; i < 100; ++i)
    best.push_back(scorer.score(next_batch(i)).max()); // expected-warning {{'best' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
  consume(torch::stack(best).max().item<float>());
}

void best_scores_without_graph(Scorer &scorer) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> best;
  for (int i = 0; i < 100; ++i)
    best.push_back(scorer.score(next_batch(i)).max());
  consume(torch::stack(best).max().item<float>());
}

// The only body stores a number.
struct Meter {
  virtual ~Meter() = default;
  virtual void add(const Tensor &value) = 0;
};

struct Mean2 final : Meter {
  void add(const Tensor &value) override { sum_ = sum_ + value.detach(); }
  Tensor sum_ = torch::zeros({});
};

void metered(torch::nn::Linear net, torch::optim::SGD &optimizer, Meter &meter) {
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    auto loss = net->forward(next_batch(i)).sum();
    loss.backward();
    optimizer.step();
    meter.add(loss);
  }
}

//===-- What is put into a std::function ----------------------------------===//

struct Trainer {
  std::function<void(Tensor)> on_step;
  torch::nn::Linear net{4, 4};

  void run(torch::optim::SGD &optimizer) {
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      auto y = net->forward(next_batch(i)); // expected-path {{}}
      y.pow(2).sum().backward();
      optimizer.step();
      if (on_step)
        on_step(y.tanh()); // expected-path {{}}
    }
  }
};

void record(torch::optim::SGD &optimizer) {
  std::vector<Tensor> curve; // expected-path {{}}
  Trainer trainer;
  trainer.on_step = [&](Tensor y) {
    curve.push_back(y); // expected-warning {{'curve' (captured by reference) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  };
  trainer.run(optimizer);
}

// Detached.
struct Recorder {
  std::function<void(Tensor)> on_step;
  torch::nn::Linear net{4, 4};

  void run(torch::optim::SGD &optimizer) {
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      auto y = net->forward(next_batch(i));
      y.pow(2).sum().backward();
      optimizer.step();
      on_step(y);
    }
  }
};

void record_numbers(torch::optim::SGD &optimizer) {
  std::vector<Tensor> curve;
  Recorder recorder;
  recorder.on_step = [&](Tensor y) { curve.push_back(y.detach()); };
  recorder.run(optimizer);
}

// One of two.
struct Switch {
  std::function<void(Tensor)> on_step;
  torch::nn::Linear net{4, 4};

  void run(torch::optim::SGD &optimizer) {
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      auto y = net->forward(next_batch(i)); // expected-path {{}}
      y.pow(2).sum().backward();
      optimizer.step();
      on_step(y); // expected-path {{}}
    }
  }
};

void record_either(torch::optim::SGD &optimizer, bool all) {
  std::vector<Tensor> curve; // expected-path {{}}
  Switch chosen;
  if (all)
    chosen.on_step = [&](Tensor y) {
      curve.push_back(y.tanh()); // expected-warning {{'curve' (captured by reference) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
    };
  else
    chosen.on_step = [](Tensor y) { consume(y.sum().item<float>()); };
  chosen.run(optimizer);
}

//===-- A list of observers -----------------------------------------------===//

class Loop {
public:
  using Callback = std::function<void(const Tensor &)>;
  void subscribe(Callback callback) { callbacks_.push_back(std::move(callback)); }
  void run(torch::nn::Linear net, torch::optim::SGD &optimizer) {
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      auto y = net->forward(next_batch(i)); // expected-path {{}}
      y.sum().backward();
      optimizer.step();
      for (auto &callback : callbacks_)
        callback(y.tanh()); // expected-path {{}}
    }
  }

private:
  std::vector<Callback> callbacks_;
};

void observe(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> seen; // expected-path {{}}
  Loop loop;
  loop.subscribe([&seen](const Tensor &y) {
    seen.push_back(y); // expected-warning {{'seen' (captured by reference) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
  });
  loop.run(net, optimizer);
}

//===-- A lambda that calls itself by its variable's name -----------------===//

int depth_of(int n) {
  std::function<int(int)> depth = [&](int k) { return k < 2 ? k : depth(k - 1) + depth(k - 2); };
  return depth(n);
}

void unroll(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> curve; // expected-path {{}}
  std::function<void(int)> again;
  again = [&](int left) {
    consume(static_cast<float>(curve.size()));
    if (left > 0)
      again(left - 1);
  };
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    auto y = net->forward(next_batch(i)); // expected-path {{}}
    y.sum().backward();
    optimizer.step();
    curve.push_back(y.tanh()); // expected-warning {{'curve' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
    again(3);
  }
}
