// A private member that one method alone fills and reads is a local variable that lives as
// long as the object.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <functional>

using torch::Tensor;

static double total(const Tensor &t) { return t.sum().item<double>(); }

class Codebook {
public:
  explicit Codebook(torch::Device device) : raw_(torch::rand({8192, 4096}).to(device)) { // expected-note {{'raw_' keeps 128 MiB for the life of its object, but only 'Codebook' reads it}} [tensor-undeleted-tensor]
    torch::NoGradGuard no_grad;
    total_ = raw_.sum().item<double>(); // expected-path {{last use}}
  }
  void learn() {
    torch::NoGradGuard no_grad;
    corpus_ = torch::rand({8192, 4096}); // expected-note {{but only 'learn' reads it; make it a local variable}} [tensor-undeleted-tensor]
    centers_ = corpus_.view({64, 128, 4096}).mean(1); // expected-path {{last use}}
  }
  const Tensor &centers() const { return centers_; }

private:
  Tensor raw_, corpus_, centers_;
  double total_ = 0;
};

//===-- Near misses ----------------------------------------------------------===//

class UsedElsewhere {
public:
  void fill() { total(data_ = torch::rand({8192, 4096})); }
  void use() const { total(data_); }

private:
  Tensor data_;
};

// The next call reads what this one leaves.
class Remembered {
public:
  void step() {
    if (data_.defined())
      total(data_);
    data_ = torch::rand({8192, 4096});
    total(data_);
  }

private:
  Tensor data_;
};

class SeenThroughAView {
public:
  void fill() {
    data_ = torch::rand({8192, 4096});
    total(data_);
    part_ = data_.slice(0, 0, 2048);
  }
  void use() const { total(part_); }

private:
  Tensor data_, part_;
};

class HandedOut {
public:
  Tensor fill() {
    data_ = torch::rand({8192, 4096});
    total(data_);
    return data_;
  }

private:
  Tensor data_;
};

class Visible {
public:
  void fill() {
    data = torch::rand({8192, 4096});
    total(data);
  }
  Tensor data;
};

class ReadByALambda {
public:
  void fill() {
    data_ = torch::rand({8192, 4096});
    total(data_);
    later_ = [this] { total(data_); };
  }
  void use() { later_(); }

private:
  Tensor data_;
  std::function<void()> later_;
};

class LetGoOf {
public:
  void fill() {
    data_ = torch::rand({8192, 4096});
    total(data_);
    data_.reset();
  }

private:
  Tensor data_;
};

// In another file.
class NotSeenWhole {
public:
  void fill() {
    data_ = torch::rand({8192, 4096});
    total(data_);
  }
  void use();

private:
  Tensor data_;
};
