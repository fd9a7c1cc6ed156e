// What a member looks like when a method begins is what all stores of the file leave there.
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

/// Made by the constructor, and computed from itself.
class Decay {
public:
  Decay() : u_(torch::zeros({8192, 8192})) {}
  void step() {
    u_ = u_ * 0.99; // expected-warning {{256 MiB while 'u_' dies here; the in-place form '*='}} [tensor-out-of-place-op] expected-fix {{*=}}
  }
  void run() {
    torch::NoGradGuard guard;
    for (int i = 0; i < 100; ++i)
      step();
  }

private:
  Tensor u_;
};

/// In the body of the constructor, with another member.
class Sum {
public:
  Sum() {
    u_ = torch::zeros({8192, 8192});
    v_ = torch::ones({8192, 8192});
  }
  void step() {
    torch::NoGradGuard guard;
    u_ = u_ + v_; // expected-warning {{256 MiB while 'u_' dies here; the in-place form '+='}} [tensor-out-of-place-op] expected-fix {{+=}}
  }

private:
  Tensor u_, v_;
};

/// The size is the caller's; the dtype is not.
class Sized {
public:
  Sized(int n) : u_(torch::zeros({n, n})), v_(torch::ones({n, n})) {}
  void step() {
    u_ = u_ + v_ * 2; // expected-note {{the in-place form '+='}} [tensor-out-of-place-op]
  }
  void run() {
    torch::NoGradGuard guard;
    for (int i = 0; i < 100; ++i)
      step();
  }

private:
  Tensor u_, v_;
};

/// What one member's getter returns is that member's, whichever was asked about last.
class Both {
public:
  Both() : u_(torch::zeros({8192, 8192})), v_(torch::zeros({8192, 8192})) {}
  const Tensor &v() const { return v_; }
  void first() {
    torch::NoGradGuard guard;
    v_ = v_ * 2; // expected-note {{256 MiB while 'v_' dies here}} [tensor-out-of-place-op] expected-fix {{*=}}
  }
  void second() {
    torch::NoGradGuard guard;
    u_ = u_ * 2; // expected-warning {{256 MiB while 'u_' dies here}} [tensor-out-of-place-op] expected-fix {{*=}}
  }
  void with_itself() {
    torch::NoGradGuard guard;
    v_ = v_ + v().t();
  }

private:
  Tensor u_, v_;
};

//===-- Near misses ---------------------------------------------------------===//

/// Another method makes it an integer.
class Retyped {
public:
  Retyped() : u_(torch::zeros({8192, 8192})) {}
  void round() { u_ = u_.to(torch::kLong); }
  void step() {
    torch::NoGradGuard guard;
    u_ = u_ / 2;
  }

private:
  Tensor u_;
};

/// Whoever has the object can store another.
class Open {
public:
  Open() : u_(torch::zeros({8192, 8192})) {}
  void set(Tensor other) { u_ = other; }
  void step() {
    torch::NoGradGuard guard;
    u_ = u_ / 2;
  }

private:
  Tensor u_;
};

/// Nothing is known of what the store makes.
Tensor smooth(const Tensor &);
class Unseen {
public:
  Unseen() : u_(torch::zeros({8192, 8192})) {}
  void smoothen() { u_ = smooth(u_); }
  void step() {
    torch::NoGradGuard guard;
    u_ = u_ / 2;
  }

private:
  Tensor u_;
};

/// The rest of the expression is computed from what stands there, and stored back at its end.
class Blended {
public:
  explicit Blended(double keep)
      : keep_(keep), u_(torch::zeros({8192, 8192})), v_(torch::ones({8192, 8192})) {}
  void blend() {
    torch::NoGradGuard guard;
    u_ = u_ * keep_ + v_; // expected-warning {{'u_ * keep_' makes a second tensor of 256 MiB while 'u_' dies here}} [tensor-out-of-place-op] expected-warning {{'u_ * keep_ + v_' makes a second tensor of 256 MiB while the temporary 'u_ * keep_' dies here}} [tensor-out-of-place-op]
  }

private:
  double keep_;
  Tensor u_, v_;
};

/// What stood there is read again before the next is stored, or may be by its other name.
class ReadAgain {
public:
  explicit ReadAgain(double keep)
      : keep_(keep), u_(torch::zeros({8192, 8192})), w_(torch::zeros({8192, 8192})), same_(w_) {}
  void step() {
    torch::NoGradGuard guard;
    u_ = u_ * keep_ + u_; // expected-warning {{'u_ * keep_ + u_' makes a second tensor of 256 MiB while the temporary 'u_ * keep_' dies here}} [tensor-out-of-place-op]
    w_ = w_ * keep_ + same_; // expected-warning {{'w_ * keep_ + same_' makes a second tensor of 256 MiB while the temporary 'w_ * keep_' dies here}} [tensor-out-of-place-op]
  }

private:
  double keep_;
  Tensor u_, w_, same_;
};

/// It grows.
class Appended {
public:
  Appended() : u_(torch::zeros({1, 8192})) {}
  void add(const Tensor &row) {
    torch::NoGradGuard guard;
    u_ = torch::cat({u_, torch::zeros({1, 8192})});
  }
  void step() {
    torch::NoGradGuard guard;
    u_ = u_ / 2;
  }

private:
  Tensor u_;
};

/// Under grad the in-place form can keep memory.
class WithGrad {
public:
  WithGrad()
      : u_(torch::zeros({8192, 8192})), w_(torch::ones({8192, 8192}, torch::requires_grad())) {}
  Tensor step() {
    auto y = u_ + w_;
    return y;
  }

private:
  Tensor u_, w_;
};

/// Broadcasting makes the sum larger than what dies.
class Broadcast {
public:
  Broadcast() : u_(torch::zeros({8192, 8192})), row_(torch::ones({1, 8192})) {}
  void step() {
    torch::NoGradGuard guard;
    auto sum = row_ + u_;
    u_.copy_(sum);
  }

private:
  Tensor u_, row_;
};

int main(int argc, char **) {
  Decay().run();
  Sum().step();
  Blended(0.9).blend();
  ReadAgain(0.9).step();
  Sized(argc * 100).run();
}
