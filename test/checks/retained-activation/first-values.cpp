// A mean begins with its first value: where a counter says that there is none yet, or no entry of
// that name, nothing is let go of. Where the counter comes back, or the key is another, something
// may be.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <string>

using torch::Tensor;

//===-- Counters that anybody can name --------------------------------------===//

struct Mean {
  Tensor value; // expected-path {{'value' is declared here and outlives the step}}
  int count = 0;
  void add(const Tensor &loss) {
    if (count++ == 0)
      value = loss;
    else
      value = value * 0.9 + loss * 0.1; // expected-warning {{'value' (a member)}} [tensor-retained-activation]
  }
};
static Mean mean;
static void with_mean(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i)
    mean.add(net(torch::rand({64, 8})).sum()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

struct Begun {
  Tensor value; // expected-path {{'value' is declared here and outlives the step}}
  bool begun = false;
  void add(const Tensor &loss) {
    if (begun) {
      value = value + loss; // expected-warning {{'value' (a member)}} [tensor-retained-activation]
      return;
    }
    value = loss;
    begun = true;
  }
};
static Begun begun;
static void with_begun(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i)
    begun.add(net(torch::rand({64, 8})).sum()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

template <class T> struct Sum {
  T value{}; // expected-path {{'value' is declared here and outlives the step}}
  size_t count{};
  void add(const T &loss) {
    if (count > 0)
      value = value + loss; // expected-warning {{'value' (a member)}} [tensor-retained-activation]
    else
      value = loss;
    count += 1;
  }
};
static Sum<Tensor> sum;
static void with_sum(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i)
    sum.add(net(torch::rand({64, 8})).sum()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

// Somebody else begins anew: the counter is zero again.
struct Window {
  Tensor value;
  int count = 0;
  void add(const Tensor &loss) {
    if (count++ == 0)
      value = loss;
    else
      value = value + loss;
  }
};
static Window window;
static void with_window(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    window.add(net(torch::rand({64, 8})).sum());
    if (i % 10 == 9)
      window.count = 0;
  }
}

// Whoever gets the counter by reference may do the same.
struct Lent {
  Tensor value;
  int count = 0;
  void add(const Tensor &loss) {
    if (count++ == 0)
      value = loss;
    else
      value = value + loss;
  }
};
void begin_anew(int &count);
static Lent lent;
static void with_lent(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    lent.add(net(torch::rand({64, 8})).sum());
    begin_anew(lent.count);
  }
}

//===-- Counters of the file ------------------------------------------------===//

static Tensor total; // expected-path {{'total' is declared here and outlives the step}}
static int rounds = 0;
static void add_to_total(const Tensor &loss) {
  if (rounds++ == 0)
    total = loss;
  else
    total = total + loss; // expected-warning {{'total' (a global)}} [tensor-retained-activation]
}
static void with_total(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i)
    add_to_total(net(torch::rand({64, 8})).sum()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

static Tensor of_epoch;
static int in_epoch = 0;
static void add_to_epoch(const Tensor &loss) {
  if (in_epoch++ == 0)
    of_epoch = loss;
  else
    of_epoch = of_epoch + loss;
}
static void end_epoch() { in_epoch = 0; }
static void with_epochs(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    add_to_epoch(net(torch::rand({64, 8})).sum());
    if (i % 100 == 99)
      end_epoch();
  }
}

//===-- Records that are handed in ------------------------------------------===//

struct Figures {
  Tensor value; // expected-path {{'value' is declared here and outlives the step}}
  int count = 0;
};
static std::map<std::string, Figures> figures;
static void add_figure(const std::string &name, const Tensor &loss) {
  Figures &of = figures[name];
  if (of.count == 0)
    of.value = loss;
  else
    of.value = of.value + loss; // expected-warning {{'value' (a member)}} [tensor-retained-activation]
  ++of.count;
}
static void with_figures(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i)
    add_figure("loss", net(torch::rand({64, 8})).sum()); // expected-path {{the graph starts here}} expected-path {{called here in every step}}
}

//===-- Entries by name -----------------------------------------------------===//

static std::map<std::string, Tensor> by_count; // expected-path {{'by_count' is declared here and outlives the step}}
static void with_count(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({64, 8})).sum(); // expected-path {{the graph starts here}}
    if (!by_count.count("loss"))
      by_count["loss"] = loss;
    else
      by_count["loss"] = by_count["loss"] + loss; // expected-warning {{'by_count' (a global)}} [tensor-retained-activation]
  }
}

static std::map<std::string, Tensor> by_number; // expected-path {{'by_number' is declared here and outlives the step}}
static void with_number(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({64, 8})).sum(); // expected-path {{the graph starts here}}
    if (by_number.count("loss") > 0)
      by_number["loss"] = by_number["loss"] + loss; // expected-warning {{'by_number' (a global)}} [tensor-retained-activation]
    else
      by_number["loss"] = loss;
  }
}

static std::map<std::string, Tensor> by_search; // expected-path {{'by_search' is declared here and outlives the step}}
static void with_search(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({64, 8})).sum(); // expected-path {{the graph starts here}}
    auto it = by_search.find("loss");
    if (it == by_search.end())
      by_search["loss"] = loss;
    else
      it->second = it->second + loss; // expected-warning {{'by_search' (a global)}} [tensor-retained-activation]
  }
}

static std::map<std::string, Tensor> by_try; // expected-path {{'by_try' is declared here and outlives the step}}
static void with_try(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({64, 8})).sum(); // expected-path {{the graph starts here}}
    by_try.try_emplace("loss", torch::zeros({}));
    by_try["loss"] = by_try["loss"] + loss; // expected-warning {{'by_try' (a global)}} [tensor-retained-activation]
  }
}

// Another entry is asked for than the one that begins anew.
static std::map<std::string, Tensor> other_key;
static void with_other_key(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({64, 8})).sum();
    if (!other_key.count("warm"))
      other_key["loss"] = loss;
    else
      other_key["loss"] = other_key["loss"] + loss;
  }
}

// The entry is there, and begins anew all the same.
static std::map<std::string, Tensor> there;
static void with_there(torch::nn::Linear net) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net(torch::rand({64, 8})).sum();
    if (there.count("loss") != 0 && i % 10 == 0)
      there["loss"] = loss;
    else
      there["loss"] = there["loss"] + loss;
  }
}
