// Which stores let go of what there was: in the first round alone, or where there was nothing,
// none does; nor does what happens to the newest entries.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <deque>
#include <iostream>

using torch::Tensor;

static Tensor optional_first(torch::nn::Linear net, int n) {
  torch::NoGradGuard g;
  Tensor all; // expected-path {{'all' is declared here and outlives the step}}
  bool first = true;
  for (int i = 0; i < n; ++i) {
    auto y = net(torch::rand({4, 8}));
    if (first) {
      all = y;
      first = false;
      continue;
    }
    all = torch::cat({all, y}); // expected-note {{'all' (declared outside the loop)}} [tensor-retained-activation]
  }
  return all;
}
static double undefined_first(torch::nn::Linear net, int n) {
  torch::NoGradGuard g;
  Tensor all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    auto y = net(torch::rand({4, 8}));
    if (!all.defined())
      all = y;
    else
      all = torch::cat({all, y}); // expected-note {{'all' (declared outside the loop)}} [tensor-retained-activation]
  }
  return all.sum().item<double>();
}
static double total_first(torch::nn::Linear net, int n) {
  Tensor total; // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    auto loss = net(torch::rand({4, 8})).sum(); // expected-path {{the graph starts here}}
    total = i == 0 ? loss : total + loss; // expected-warning {{'total' (declared outside the loop)}} [tensor-retained-activation]
  }
  return total.item<double>();
}
static double total_if(torch::nn::Linear net, int n) {
  Tensor total; // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    auto loss = net(torch::rand({4, 8})).sum(); // expected-path {{the graph starts here}}
    if (total.defined())
      total = total + loss; // expected-warning {{'total' (declared outside the loop)}} [tensor-retained-activation]
    else
      total = loss;
  }
  return total.item<double>();
}
static double total_by_name(torch::nn::Linear net, int n) {
  Tensor total; // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    bool first = !total.defined();
    auto loss = net(torch::rand({4, 8})).sum(); // expected-path {{the graph starts here}}
    if (first)
      total = loss;
    else
      total = total + loss; // expected-warning {{'total' (declared outside the loop)}} [tensor-retained-activation]
  }
  return total.item<double>();
}
static double asked_too_early(torch::nn::Linear net, int n) {
  Tensor total;
  double all = 0;
  for (int i = 0; i < n; ++i) {
    const bool is_empty = !total.defined();
    total = total.defined() ? total : torch::zeros({});
    total = total + net(torch::rand({4, 8})).sum();
    if (is_empty) {
      all += total.item<double>();
      total = torch::zeros({}); // it holds something by now
    }
  }
  return all;
}
static double another_answer(torch::nn::Linear net, int n) {
  Tensor total = [] { return torch::zeros({}); }();
  for (int i = 0; i < n; ++i) {
    bool is_empty = !total.defined();
    is_empty |= i % 10 == 0;
    if (is_empty)
      total = torch::zeros({});
    total = total + net(torch::rand({4, 8})).sum();
  }
  return total.item<double>();
}
static void hidden(torch::nn::GRUCell cell, int n) {
  Tensor h; // expected-path {{'h' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    if (!h.defined())
      h = torch::zeros({4, 8});
    h = cell(torch::rand({4, 8}), h); // expected-warning {{'h' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    std::cout << h.sum().item<float>();
  }
}
struct Tracker {
  Tensor total; // expected-path {{'total' is declared here and outlives the step}}
  void add(Tensor loss) {
    if (total.numel() == 0)
      total = loss;
    else
      total = total + loss; // expected-warning {{'total' (a member)}} [tensor-retained-activation]
  }
  void step(torch::nn::Linear net) { add(net(torch::rand({4, 8})).sum()); } // expected-path {{the graph starts here}} expected-path {{called here in every step}}
};
static void newest(torch::nn::Linear net, torch::optim::SGD &opt) {
  std::vector<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    outs.push_back(net(torch::rand({4, 8}))); // expected-note {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    opt.zero_grad();
    outs.back().pow(2).sum().backward();
    opt.step();
  }
}
static void newest_two(torch::nn::Linear net, torch::optim::SGD &opt) {
  std::deque<Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    outs.push_back(net(torch::rand({4, 8}))); // expected-note {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    if (outs.size() < 2)
      continue;
    auto it = outs.rbegin();
    opt.zero_grad();
    (*it - (*(it + 1)).detach()).pow(2).sum().backward();
    opt.step();
  }
}
static void by_index(torch::nn::Linear net, torch::optim::SGD &opt) {
  std::map<int, Tensor> outs; // expected-path {{'outs' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    outs[i] = net(torch::rand({4, 8})); // expected-note {{'outs' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    opt.zero_grad();
    outs[i].sum().backward();
    opt.step();
  }
}
static void zeroed(torch::nn::Linear net) {
  auto total = torch::zeros({}); // expected-path {{'total' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    total += net(torch::rand({4, 8})).sum(); // expected-warning {{'total' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  total.zero_();
}
static void zeroed_in_loop(torch::nn::Linear net) {
  auto sum = torch::zeros({4, 8}); // expected-path {{'sum' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    sum = sum + net(torch::rand({4, 8})); // expected-warning {{'sum' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    if (i % 10 == 0)
      sum.mul_(0.5);
  }
}
static void decay(Tensor data) {
  for (int i = 0; i < 10; ++i) {
    auto w = torch::ones({64, 64}, torch::requires_grad());
    data.mm(w).sum().backward();
    w.mutable_grad() = w.grad() + 0.1 * w;
    w.mutable_grad().fill_(0);
  }
}

int use_c4_order() {
  torch::nn::Linear net(8, 8);
  torch::optim::SGD opt(net->parameters(), 0.1);
  torch::nn::GRUCell cell(8, 8);
  optional_first(net, 10);
  undefined_first(net, 10);
  total_first(net, 10);
  total_if(net, 10);
  hidden(cell, 10);
  Tracker t;
  for (int i = 0; i < 100; ++i)
    t.step(net);
  std::cout << t.total;
  newest(net, opt);
  newest_two(net, opt);
  by_index(net, opt);
  zeroed(net);
  zeroed_in_loop(net);
  decay(torch::rand({8, 64}));
  return 0;
}

//===-- Near misses -------------------------------------------------------===//

namespace near_misses {

static double anew(torch::nn::Linear net, int n) {
  torch::NoGradGuard g;
  Tensor all;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    auto y = net(torch::rand({4, 8}));
    if (i % 16 == 0)
      all = y;
    else
      all = torch::cat({all, y});
    s += all.sum().item<double>();
  }
  return s;
}
static double per_epoch(torch::nn::Linear net, int n) {
  Tensor total;
  double sum = 0;
  for (int e = 0; e < n; ++e) {
    for (int i = 0; i < 10; ++i) {
      auto loss = net(torch::rand({4, 8})).sum();
      if (i == 0)
        total = loss;
      else
        total = total + loss;
    }
    total.backward();
    sum += total.item<double>();
  }
  return sum;
}
static void reset_at_full(torch::nn::Linear net) {
  Tensor all;
  torch::NoGradGuard g;
  for (int i = 0; i < 1000; ++i) {
    auto y = net(torch::rand({4, 8}));
    if (!all.defined() || all.size(0) > 100)
      all = y;
    else
      all = torch::cat({all, y});
    std::cout << all.sum().item<float>();
  }
}
static void hidden(torch::nn::GRUCell cell, torch::optim::SGD &opt, int n) {
  Tensor h;
  for (int i = 0; i < n; ++i) {
    if (i % 20 == 0)
      h = torch::zeros({4, 8});
    h = cell(torch::rand({4, 8}), h);
    if (i % 20 == 19) {
      opt.zero_grad();
      h.sum().backward();
      opt.step();
    }
  }
}
static void hidden_done(torch::nn::GRUCell cell, int n) {
  Tensor h = torch::zeros({4, 8});
  for (int i = 0; i < n; ++i) {
    h = cell(torch::rand({4, 8}), h);
    bool done = h.sum().item<float>() > 3;
    if (done)
      h = torch::zeros({4, 8});
  }
}
static void window(torch::nn::Linear net, torch::optim::SGD &opt) {
  std::deque<Tensor> outs;
  for (int i = 0; i < 100; ++i) {
    outs.push_back(net(torch::rand({4, 8})));
    if (outs.size() > 4)
      outs.pop_front();
    opt.zero_grad();
    outs.back().sum().backward();
    opt.step();
  }
}
static void total_backward(torch::nn::Linear net, torch::optim::SGD &opt) {
  Tensor total;
  for (int i = 0; i < 16; ++i) {
    auto loss = net(torch::rand({4, 8})).sum();
    total = total.defined() ? total + loss : loss;
  }
  opt.zero_grad();
  total.backward();
  opt.step();
}
static void grads(Tensor data) {
  for (int i = 0; i < 10; ++i) {
    auto w = torch::ones({64, 64}, torch::requires_grad());
    data.mm(w).sum().backward();
    w.mutable_grad() = w.grad() + 0.1 * w;
    w.mutable_grad() = Tensor();
    auto v = torch::ones({64, 64}, torch::requires_grad());
    data.mm(v).sum().backward();
    v.mutable_grad() = v.grad() + 0.1 * v;
    v.grad().detach_().zero_();
  }
}

int use_c4_order_clean() {
  torch::nn::Linear net(8, 8);
  torch::optim::SGD opt(net->parameters(), 0.1);
  torch::nn::GRUCell cell(8, 8);
  torch::optim::SGD copt(cell->parameters(), 0.1);
  anew(net, 10);
  per_epoch(net, 10);
  reset_at_full(net);
  hidden(cell, copt, 10);
  hidden_done(cell, 10);
  window(net, opt);
  total_backward(net, opt);
  grads(torch::rand({8, 64}));
  return 0;
}

} // namespace near_misses
