// What is handed to a function that takes it only where its result says so, and its near misses.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <memory>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

class Replay {
public:
  ~Replay() {
    for (Tensor *each : all)
      delete each;
  }
  bool push(Tensor *state) {
    if (all.size() == 1000)
      return false;
    all.push_back(state);
    return true;
  }

private:
  std::vector<Tensor *> all;
};

bool refused(Replay &replay) {
  Tensor *state = new Tensor(torch::rand({1000, 1000})); // expected-warning {{the tensor that 'state' points to is not deleted on every path}} [tensor-undeleted-tensor]
  if (!replay.push(state)) // expected-path {{'push' takes it only where it returns true}}
    return false; // expected-path {{this way out leaves it behind}}
  return true;
}

bool deletedWhereRefused(Replay &replay) {
  Tensor *state = new Tensor(torch::rand({1000, 1000}));
  if (!replay.push(state)) {
    delete state;
    return false;
  }
  return true;
}

bool refusedReleased(Replay &replay) {
  auto state = std::make_unique<Tensor>(torch::rand({1000, 1000}));
  return replay.push(state.release()); // expected-warning {{that this call returns is lost where 'push' does not take it; call 'delete' there}} [tensor-undeleted-tensor] expected-path {{'push' takes it only where it returns true}}
}

bool releasedWhereTaken(Replay &replay) {
  auto state = std::make_unique<Tensor>(torch::rand({1000, 1000}));
  if (!replay.push(state.get()))
    return false;
  state.release();
  return true;
}
