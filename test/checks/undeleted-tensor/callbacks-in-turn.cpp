// Callbacks that post each other: the body of one stands in a function that it reaches itself.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <functional>
#include <memory>
#include <queue>
#include <torch/torch.h>

class Tasks {
public:
  void post(std::function<void()> task) { tasks_.push(std::move(task)); }
  void drain() {
    while (!tasks_.empty()) {
      auto task = std::move(tasks_.front());
      tasks_.pop();
      task();
    }
  }

private:
  std::queue<std::function<void()>> tasks_;
};

class Session : public std::enable_shared_from_this<Session> {
public:
  explicit Session(Tasks &tasks) : tasks_(tasks), state_(torch::zeros({1, 1024})) {}
  void open() {
    advance_ = [self = shared_from_this()] { self->emit(); }; // expected-warning {{the object owns itself through 'advance_'}} [tensor-undeleted-tensor]
    schedule();
  }

private:
  void schedule() {
    tasks_.post([self = shared_from_this()] { self->advance_(); });
  }
  void emit() {
    state_ = (state_ * 2).detach();
    if (--left_ > 0)
      schedule();
  }

  Tasks &tasks_;
  torch::Tensor state_;
  std::function<void()> advance_;
  int left_ = 10;
};

// Near miss: it holds itself weakly.
class Released : public std::enable_shared_from_this<Released> {
public:
  explicit Released(Tasks &tasks) : tasks_(tasks), state_(torch::zeros({1, 1024})) {}
  void open() {
    advance_ = [weak = weak_from_this()] {
      if (auto self = weak.lock())
        self->emit();
    };
    schedule();
  }

private:
  void schedule() {
    tasks_.post([self = shared_from_this()] { self->advance_(); });
  }
  void emit() {
    state_ = (state_ * 2).detach();
    if (--left_ > 0)
      schedule();
  }

  Tasks &tasks_;
  torch::Tensor state_;
  std::function<void()> advance_;
  int left_ = 10;
};

void serve() {
  Tasks tasks;
  for (int i = 0; i < 1000; ++i) {
    std::make_shared<Session>(tasks)->open();
    std::make_shared<Released>(tasks)->open();
    tasks.drain();
  }
}
