// What functions in view do in each step for the loop that calls them: hooks, parts, sums and
// lists (rows 5, 14 and 21).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <iostream>

using torch::Tensor;

static void watch(Tensor weight, Tensor x) {
  weight.register_hook([x](Tensor g) { return g * x; }); // expected-warning {{'weight' (a member)}} [tensor-retained-activation]
}
static void outer(torch::nn::Linear &net, Tensor x) { watch(net->weight, x); } // expected-path {{called here in every step}}

struct Bank : torch::nn::Module {
  int n = 0;
  void grow() { register_module("head" + std::to_string(n++), torch::nn::Linear(8, 8)); } // expected-warning {{'bank' (declared outside the loop)}} [tensor-retained-activation]
  Tensor forward(Tensor x) {
    grow();
    return x * 2;
  }
};
struct Wrapper {
  std::unique_ptr<torch::optim::Adam> optimizer; // expected-path {{'optimizer' is declared here and outlives the step}}
  torch::nn::Linear net{8, 8};
  Wrapper() { optimizer = std::make_unique<torch::optim::Adam>(net->parameters()); }
  void add(torch::nn::Linear layer) {
    optimizer->add_param_group(torch::optim::OptimizerParamGroup(layer->parameters())); // expected-warning {{'optimizer' (a member)}} [tensor-retained-activation]
  }
  void step(Tensor x) {
    torch::nn::Linear head(8, 8);
    add(head); // expected-path {{called here in every step}}
    optimizer->zero_grad();
    head(net(x)).sum().backward();
    optimizer->step();
  }
};
static void buffers(torch::nn::Module &m, int i, Tensor x) {
  m.register_buffer("b" + std::to_string(i), x); // expected-warning {{'bank' (declared outside the loop)}} [tensor-retained-activation]
}

struct Metrics {
  Tensor total = torch::zeros({}); // expected-path {{'total' is declared here and outlives the step}}
  int n = 0;
  void add(const Tensor &loss) {
    total = total + loss; // expected-warning {{'total' (a member)}} [tensor-retained-activation]
    ++n;
  }
  double mean() const { return total.item<double>() / n; }
};
class Logger {
public:
  void log(Tensor v) { values_.push_back(v); } // expected-warning {{'values_' (a member)}} [tensor-retained-activation] expected-fix {{.detach()}}
  size_t size() const { return values_.size(); }
private:
  std::vector<Tensor> values_; // expected-path {{'values_' is declared here and outlives the step}}
};
static Logger logger;
static void accumulate(Tensor &into, const Tensor &x) { into = into + x; } // expected-warning {{'a' (declared outside the loop)}} [tensor-retained-activation]
static void accumulate_in_place(Tensor &into, const Tensor &x) { into += x; } // expected-warning {{'b' (declared outside the loop)}} [tensor-retained-activation]
static void remember(std::vector<Tensor> &list, Tensor x) {
  list.push_back(std::move(x)); // expected-warning {{'list' (declared outside the loop)}} [tensor-retained-activation]
}
static void outer(std::vector<Tensor> *list, const Tensor &x) { remember(*list, x); } // expected-path {{called here in every step}}
struct Stats { std::map<std::string, std::vector<Tensor>> by; void put(const std::string &k, const Tensor &t) { by[k].push_back(t); } }; // expected-warning {{'by' (a member)}} [tensor-retained-activation] expected-path {{'by' is declared here and outlives the step}} expected-fix {{.detach()}}
template <class T> void record(std::vector<T> &list, const T &x) { list.push_back(x); } // expected-warning {{'other' (declared outside the loop)}} [tensor-retained-activation] expected-fix {{.detach()}}

int use_c2_parts() {
  torch::nn::Linear net(8, 8);
  Bank bank; // expected-path {{'bank' is declared here and outlives the step}}
  Wrapper w;
  torch::nn::Sequential seq(torch::nn::Linear(8, 8));
  for (int i = 0; i < 100; ++i) {
    auto x = torch::rand({4, 8});
    outer(net, x); // expected-path {{called here in every step}}
    w.step(x); // expected-path {{called here in every step}}
    buffers(bank, i, x); // expected-path {{called here in every step}}
    bank.forward(net(x)).sum().backward(); // expected-path {{called here in every step}}
  }
  return 0;
}

int use_c6_metrics() {
  torch::nn::Linear net(8, 1);
  Metrics m;
  Stats stats;
  Tensor a = torch::zeros({}), b = torch::zeros({}); // expected-path {{'a' is declared here and outlives the step}} expected-path {{'b' is declared here and outlives the step}}
  std::vector<Tensor> list, other; // expected-path {{'list' is declared here and outlives the step}} expected-path {{'other' is declared here and outlives the step}}
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({4, 8})).mean(); // expected-path {{the graph starts here}}
    m.add(loss); // expected-path {{called here in every step}}
    logger.log(loss); // expected-path {{called here in every step}}
    accumulate(a, loss); // expected-path {{called here in every step}}
    accumulate_in_place(b, loss); // expected-path {{called here in every step}}
    outer(&list, loss); // expected-path {{called here in every step}}
    stats.put("loss", loss); // expected-path {{called here in every step}}
    record(other, loss); // expected-path {{called here in every step}}
  }
  std::cout << m.mean() << a << b << list.size() << stats.by.size() << other.size();
  return 0;
}

//===-- Near misses -------------------------------------------------------===//

namespace near_misses {

static void watch(Tensor y) {
  y.register_hook([](Tensor g) { return g * 2; });
}
struct Stack : torch::nn::Module {
  explicit Stack(int depth) {
    for (int i = 0; i < depth; ++i)
      add(i);
  }
  void add(int i) {
    layers.push_back(register_module("l" + std::to_string(i), torch::nn::Linear(8, 8)));
  }
  Tensor forward(Tensor x) {
    for (auto &l : layers)
      x = l(x);
    return x;
  }
  std::vector<torch::nn::Linear> layers;
};
static void once(Stack &s, bool first) {
  if (first)
    s.add(7);
}
struct Lazy : torch::nn::Module {
  torch::nn::Linear l{nullptr};
  void init() {
    if (l.is_empty())
      l = register_module("l", torch::nn::Linear(8, 8));
  }
  Tensor forward(Tensor x) {
    init();
    return l(x);
  }
};
static torch::nn::Sequential make() {
  torch::nn::Sequential s;
  for (int i = 0; i < 3; ++i)
    s->push_back(torch::nn::Linear(8, 8));
  return s;
}

struct Metrics {
  Tensor total = torch::zeros({});
  int n = 0;
  void add(const Tensor &loss) {
    total = total + loss.detach();
    ++n;
  }
};
struct Epoch {
  Tensor total = torch::zeros({});
  void add(const Tensor &loss) { total = total + loss; }
  void reset() { total = torch::zeros({}); }
};
static void restart(Tensor &h) { h = torch::zeros({4, 8}); }
static void cut(Tensor &h) { h = h.detach(); }
static void cut_in_place(Tensor &h) { h.detach_(); }
static void trim(std::vector<Tensor> &list) { if (list.size() > 10) list.erase(list.begin()); }
static void cells(torch::nn::GRUCell cell, torch::optim::SGD &opt) {
  Tensor a = torch::zeros({4, 8}), b = torch::zeros({4, 8}), c = torch::zeros({4, 8});
  for (int i = 0; i < 100; ++i) {
    restart(a);
    a = cell(torch::rand({4, 8}), a);
    b = cell(torch::rand({4, 8}), b);
    c = cell(torch::rand({4, 8}), c);
    opt.zero_grad();
    (a + b + c).sum().backward();
    opt.step();
    cut(b);
    cut_in_place(c);
  }
}
static void each_step(torch::nn::Linear net, torch::optim::SGD &opt) {
  std::vector<Tensor> list;
  Epoch e;
  for (int i = 0; i < 100; ++i) {
    e.reset();
    for (int j = 0; j < 4; ++j)
      e.add(net(torch::rand({4, 8})).mean());
    opt.zero_grad();
    e.total.backward();
    opt.step();
    list.push_back(e.total.detach());
    trim(list);
  }
}

int use_c2_parts_clean() {
  Stack s(3);
  Lazy lazy;
  torch::optim::SGD o(s.parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    Stack fresh(2);
    fresh.add(9);
    auto seq = make();
    auto y = lazy.forward(s.forward(fresh.forward(seq->forward(torch::rand({4, 8})))));
    watch(y);
    once(s, i == 0);
    o.zero_grad();
    y.sum().backward();
    o.step();
  }
  return 0;
}

int use_c6_metrics_clean() {
  torch::nn::Linear net(8, 1);
  torch::nn::GRUCell cell(8, 8);
  torch::optim::SGD opt(net->parameters(), 0.1), copt(cell->parameters(), 0.1);
  Metrics m;
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({4, 8})).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    m.add(loss);
  }
  cells(cell, copt);
  each_step(net, opt);
  std::cout << m.total;
  return 0;
}

} // namespace near_misses
