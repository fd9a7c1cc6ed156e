// Views of a member that each step replaces: what is kept of it pins the one of that step.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

class Camera {
public:
  void next() {
    frame_ = torch::rand({1024, 1024}); // the whole
    heads_.push_back(frame_.slice(0, 0, 8)); // expected-warning {{a view of 'frame_' is kept in 'heads_' (a member) and pins all of 'frame_': about 4 MiB per step}} [tensor-retained-activation]
  }
  Tensor head(int i) { return heads_[i]; }

private:
  Tensor frame_;
  std::vector<Tensor> heads_; // expected-path {{'heads_' is declared here}}
};

// Near misses: one whole for all of them; a copy of the part.
class Once {
public:
  void next(bool begins) {
    if (begins)
      frame_ = torch::rand({1024, 1024});
    heads_.push_back(frame_.slice(0, 0, 8)); // expected-note {{'heads_' (a member) grows with every step}} [tensor-retained-activation]
  }
  Tensor head(int i) { return heads_[i]; }

private:
  Tensor frame_;
  std::vector<Tensor> heads_; // expected-path {{'heads_' is declared here}}
};
class Copies {
public:
  void next() {
    frame_ = torch::rand({1024, 1024});
    heads_.push_back(frame_.slice(0, 0, 8).clone()); // expected-note {{'heads_' (a member) grows with every step}} [tensor-retained-activation]
  }
  Tensor head(int i) { return heads_[i]; }

private:
  Tensor frame_;
  std::vector<Tensor> heads_; // expected-path {{'heads_' is declared here}}
};

void run(Camera &camera, Once &once, Copies &copies) {
  for (int step = 0; step < 100; ++step) {
    camera.next(); // expected-path {{called here in every step}}
    once.next(step == 0);
    copies.next();
  }
}
