// A network that no optimizer steps, by none of its names: it was handed to the object that keeps
// it.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <memory>
#include <utility>
#include <vector>

using torch::Tensor;

Tensor next_batch();

class Tagger : public torch::nn::Module {
public:
  virtual Tensor scores(const Tensor &x) = 0;
};
class LinearTagger : public Tagger {
public:
  LinearTagger() { register_module("out", out_); }
  Tensor scores(const Tensor &x) override { return out_->forward(x); }

private:
  torch::nn::Linear out_{64, 64};
};

class SoftTargets {
public:
  explicit SoftTargets(torch::nn::Linear teacher) : teacher_(std::move(teacher)) {
    teacher_->eval();
  }
  Tensor of(const Tensor &x) { return torch::softmax(teacher_->forward(x), -1); } // expected-note {{'teacher_' is in no optimizer}} [tensor-missing-zero-grad]

private:
  torch::nn::Linear teacher_;
};

void distill() {
  torch::nn::Linear teacher(64, 64), student(64, 64);
  SoftTargets soft(teacher);
  torch::optim::SGD optimizer(student->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    auto x = next_batch();
    optimizer.zero_grad();
    (soft.of(x) * student->forward(x)).sum().backward(); // expected-path {{gradients are added here}}
    optimizer.step();
  }
}

// Made where it is handed over, and kept by a class that trains a head behind it.
class FineTuner {
public:
  explicit FineTuner(torch::nn::Linear backbone)
      : backbone_(std::move(backbone)), optimizer_(head_->parameters(), 0.1) {}
  void fit(const Tensor &x) {
    optimizer_.zero_grad();
    auto loss = head_->forward(backbone_->forward(x)).sum(); // expected-note {{'backbone_' is in no optimizer}} [tensor-missing-zero-grad]
    loss.backward(); // expected-path {{gradients are added here}}
    optimizer_.step();
  }

private:
  torch::nn::Linear backbone_;
  torch::nn::Linear head_{64, 8};
  torch::optim::SGD optimizer_;
};

void fine_tune() {
  FineTuner tuner(torch::nn::Linear(64, 64));
  for (int step = 0; step < 100; ++step)
    tuner.fit(next_batch());
}

// Behind a pointer to its base class, in an object on the heap.
class Criterion {
public:
  explicit Criterion(std::shared_ptr<Tagger> teacher) : teacher_(std::move(teacher)) {}
  Tensor of(const Tensor &x, const Tensor &mine) { return (teacher_->scores(x) * mine).sum(); } // expected-note {{'teacher_' is in no optimizer}} [tensor-missing-zero-grad]

private:
  std::shared_ptr<Tagger> teacher_;
};

void distill_by_base() {
  auto teacher = std::make_shared<LinearTagger>();
  torch::nn::Linear student(64, 64);
  auto criterion = std::make_unique<Criterion>(teacher);
  torch::optim::SGD optimizer(student->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    auto x = next_batch();
    optimizer.zero_grad();
    criterion->of(x, student->forward(x)).backward(); // expected-path {{gradients are added here}}
    optimizer.step();
  }
}

// Which of two overrides runs is not told apart.
class Scorer : public torch::nn::Module {
public:
  virtual Tensor scores(const Tensor &x) = 0;
};
class PlainScorer : public Scorer {
public:
  PlainScorer() { register_module("plain", plain_); }
  Tensor scores(const Tensor &x) override { return plain_->forward(x); }

private:
  torch::nn::Linear plain_{64, 64};
};
class DoubleScorer : public Scorer {
public:
  DoubleScorer() { register_module("twice", twice_); }
  Tensor scores(const Tensor &x) override { return twice_->forward(x) * 2; }

private:
  torch::nn::Linear twice_{64, 64};
};
class ScoreCriterion {
public:
  explicit ScoreCriterion(std::shared_ptr<Scorer> teacher) : teacher_(std::move(teacher)) {}
  Tensor of(const Tensor &x, const Tensor &mine) { return (teacher_->scores(x) * mine).sum(); } // expected-note {{'teacher_' is in no optimizer}} [tensor-missing-zero-grad]

private:
  std::shared_ptr<Scorer> teacher_;
};

void distill_one_of_two() {
  auto teacher = std::make_shared<DoubleScorer>();
  torch::nn::Linear student(64, 64);
  ScoreCriterion criterion(teacher);
  torch::optim::SGD optimizer(student->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    auto x = next_batch();
    optimizer.zero_grad();
    criterion.of(x, student->forward(x)).backward(); // expected-path {{gradients are added here}}
    optimizer.step();
  }
}

//===-- Near misses -------------------------------------------------------===//

// An optimizer has it by its first name.
class SteppedTargets {
public:
  explicit SteppedTargets(torch::nn::Linear net) : net_(std::move(net)) {}
  Tensor of(const Tensor &x) { return net_->forward(x); }

private:
  torch::nn::Linear net_;
};

void both_are_stepped() {
  torch::nn::Linear other(64, 64), student(64, 64);
  SteppedTargets soft(other);
  std::vector<Tensor> all = student->parameters();
  for (const Tensor &p : other->parameters())
    all.push_back(p);
  torch::optim::SGD optimizer(all, 0.1);
  for (int step = 0; step < 100; ++step) {
    auto x = next_batch();
    optimizer.zero_grad();
    (soft.of(x) * student->forward(x)).sum().backward();
    optimizer.step();
  }
}

// It was frozen by its first name.
class FrozenTargets {
public:
  explicit FrozenTargets(torch::nn::Linear net) : net_(std::move(net)) {}
  Tensor of(const Tensor &x) { return net_->forward(x); }

private:
  torch::nn::Linear net_;
};

void frozen_first() {
  torch::nn::Linear teacher(64, 64), student(64, 64);
  for (auto &p : teacher->parameters())
    p.requires_grad_(false);
  FrozenTargets soft(teacher);
  torch::optim::SGD optimizer(student->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    auto x = next_batch();
    optimizer.zero_grad();
    (soft.of(x) * student->forward(x)).sum().backward();
    optimizer.step();
  }
}

// Somebody whose code is not in view has it too; a list of them all has it.
class KnownTargets {
public:
  explicit KnownTargets(torch::nn::Linear net) : net_(std::move(net)) {}
  Tensor of(const Tensor &x) { return net_->forward(x); }

private:
  torch::nn::Linear net_;
};
class ListedTargets {
public:
  explicit ListedTargets(torch::nn::Linear net) : net_(std::move(net)) {}
  Tensor of(const Tensor &x) { return net_->forward(x); }

private:
  torch::nn::Linear net_;
};
void train_elsewhere(torch::nn::Linear net);

void known_elsewhere(std::vector<torch::nn::Linear> &trained) {
  torch::nn::Linear first(64, 64), second(64, 64), student(64, 64);
  KnownTargets known(first);
  train_elsewhere(first);
  ListedTargets listed(second);
  trained.push_back(second);
  torch::optim::SGD optimizer(student->parameters(), 0.1);
  for (int step = 0; step < 100; ++step) {
    auto x = next_batch();
    optimizer.zero_grad();
    (known.of(x) * listed.of(x) * student->forward(x)).sum().backward();
    optimizer.step();
  }
}

// Who makes such an object, and of what, is not in view.
class UnseenTargets {
public:
  explicit UnseenTargets(torch::nn::Linear net)
      : net_(std::move(net)), optimizer_(head_->parameters(), 0.1) {}
  void fit(const Tensor &x) {
    optimizer_.zero_grad();
    head_->forward(net_->forward(x)).sum().backward();
    optimizer_.step();
  }

private:
  torch::nn::Linear net_;
  torch::nn::Linear head_{64, 8};
  torch::optim::SGD optimizer_;
};

// The optimizer is made for a base class.
class Steps {
public:
  explicit Steps(std::unique_ptr<torch::optim::Optimizer> optimizer)
      : optimizer_(std::move(optimizer)) {}
  void step(const Tensor &x) {
    optimizer_->zero_grad();
    loss(x).backward();
    optimizer_->step();
  }

protected:
  virtual Tensor loss(const Tensor &x) = 0;

private:
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

class Regression : public Steps {
public:
  explicit Regression(torch::nn::Linear net)
      : Steps(std::make_unique<torch::optim::SGD>(net->parameters(), 0.1)), net_(net) {}

protected:
  Tensor loss(const Tensor &x) override {
    return net_->forward(x).sum();
  }

private:
  torch::nn::Linear net_;
};

void regress() {
  Regression trainer(torch::nn::Linear(64, 8));
  for (int step = 0; step < 100; ++step)
    trainer.step(next_batch());
}
