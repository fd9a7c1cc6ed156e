// Records that a constructor makes: what they hold is what it keeps, not what it is given.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <memory>
#include <string>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void consume(float value);

struct Kept {
  Tensor loss;
  int epoch;
  Kept(Tensor l, int e) : loss(std::move(l)), epoch(e) {}
};

void in_place(torch::nn::Linear net) {
  std::vector<Kept> all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}}
    all.emplace_back(loss, i); // expected-note {{what is added to 'all' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
    loss.backward();
  }
  consume(all.back().loss.item<float>());
}

void behind_a_pointer(torch::nn::Linear net) {
  std::vector<std::shared_ptr<Kept>> all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}}
    all.push_back(std::make_shared<Kept>(loss, i)); // expected-note {{what is added to 'all' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
    loss.backward();
  }
  consume(all.back()->loss.item<float>());
}

void under_a_key(torch::nn::Linear net, const std::vector<std::string> &names) {
  std::map<std::string, Kept> all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}}
    all.emplace(names[i], Kept(loss, i)); // expected-note {{what is added to 'all' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
    loss.backward();
  }
  consume(all.begin()->second.loss.item<float>());
}

// Its base keeps what it hands on: that is not looked at, so it may hold all that it is given.
struct Named : Kept {
  std::string name;
  Named(std::string n, Tensor l) : Kept(l, 0), name(std::move(n)) {}
};
void of_a_base(torch::nn::Linear net) {
  std::vector<Named> all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}}
    all.push_back(Named("loss", loss)); // expected-note {{what is added to 'all' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
    loss.backward();
  }
  consume(all.back().loss.item<float>());
}

//===-- Near misses: the constructor leaves the graph behind ------------------===//

struct Detached {
  Tensor loss;
  int epoch;
  Detached(Tensor l, int e) : loss(l.detach()), epoch(e) {}
};
void detached_in_place(torch::nn::Linear net) {
  std::vector<Detached> all;
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean();
    all.emplace_back(loss, i);
    loss.backward();
  }
  consume(all.back().loss.item<float>());
}
void detached_behind_a_pointer(torch::nn::Linear net) {
  std::vector<std::shared_ptr<Detached>> all;
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean();
    all.push_back(std::make_shared<Detached>(loss, i));
    loss.backward();
  }
  consume(all.back()->loss.item<float>());
}
void detached_under_a_key(torch::nn::Linear net) {
  std::map<int, Detached> all;
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean();
    all.emplace(i, Detached(loss, i));
    loss.backward();
  }
  consume(all.begin()->second.loss.item<float>());
}

struct Figures {
  float loss;
  Tensor classes;
  Figures(const Tensor &l, const Tensor &scores)
      : loss(l.item<float>()), classes(scores.argmax(1)) {}
};
void figures(torch::nn::Linear net) {
  std::vector<Figures> all;
  for (int i = 0; i < 1000; ++i) {
    Tensor scores = net->forward(next_batch());
    Tensor loss = scores.mean();
    all.push_back(Figures(loss, scores));
    loss.backward();
  }
  consume(all.back().loss);
}

// A body that puts it there after the members are made.
struct Assigned {
  Tensor loss;
  explicit Assigned(const Tensor &l) {
    torch::NoGradGuard no_grad;
    loss = l.detach();
  }
};
void assigned(torch::nn::Linear net) {
  std::vector<Assigned> all;
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean();
    all.emplace_back(loss);
    loss.backward();
  }
  consume(all.back().loss.item<float>());
}

//===-- The members of a variable are told apart ---------------------------------===//

struct Output {
  Tensor loss;
  Tensor value;
  explicit Output(Tensor l) : loss(l), value(l.detach()) {}
};
void by_member(torch::nn::Linear net) {
  std::vector<Tensor> values;
  std::vector<Tensor> losses; // expected-path {{'losses' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    Output out(net->forward(next_batch()).mean()); // expected-path {{the graph starts here}}
    values.push_back(out.value);
    losses.push_back(out.loss); // expected-note {{what is added to 'losses' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
    out.loss.backward();
  }
  consume(values.back().item<float>() + losses.back().item<float>());
}

// What the body may put over it, or adds to it, is there as well.
struct Chosen {
  Tensor loss;
  Tensor sum;
  Chosen(const Tensor &l, bool whole) : loss(l.detach()), sum(torch::zeros({})) {
    if (whole)
      loss = l;
    sum.add_(l.detach());
  }
};
void may_be_whole(torch::nn::Linear net, bool whole) {
  std::vector<Tensor> losses; // expected-path {{'losses' is declared here and outlives the step}}
  std::vector<Tensor> sums;
  for (int i = 0; i < 1000; ++i) {
    Tensor loss = net->forward(next_batch()).mean(); // expected-path {{the graph starts here}}
    Chosen out(loss, whole);
    losses.push_back(out.loss); // expected-warning {{what is added to 'losses' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
    sums.push_back(out.sum);
    loss.backward({}, /*retain_graph=*/true);
  }
  consume(losses.back().item<float>() + sums.back().item<float>());
}
