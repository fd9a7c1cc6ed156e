// Lists that become longer by resize(), and get their element afterwards.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

struct Counted {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  size_t count = 0;
  void add(const Tensor &loss) {
    all.resize(count + 1);
    all[count] = loss; // expected-note {{what is added to 'all' (a member) still carries its graph}} [tensor-retained-activation]
    ++count;
  }
};
struct BySize {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  void add(const Tensor &loss) {
    all.resize(all.size() + 1);
    all.back() = loss; // expected-note {{what is added to 'all' (a member) still carries its graph}} [tensor-retained-activation]
  }
};
struct Emplaced {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  void add(const Tensor &loss) {
    all.emplace_back();
    all.back() = loss; // expected-note {{what is added to 'all' (a member) still carries its graph}} [tensor-retained-activation]
  }
};
struct Detached {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  float sum() const { return all.front().item<float>(); }
  void add(const Tensor &loss) {
    all.resize(all.size() + 1);
    all.back() = loss.detach(); // expected-note {{'all' (a member) grows with every step}} [tensor-retained-activation]
  }
};
// It begins anew with each epoch.
struct Restarted {
  std::vector<Tensor> all;
  size_t count = 0;
  void add(const Tensor &loss) {
    all.resize(count + 1);
    all[count++] = loss;
    if (count == 100)
      count = 0;
  }
};
// Perhaps too: what another file does to the count is not seen.
struct RestartedElsewhere {
  std::vector<Tensor> all;
  size_t count = 0;
  void begin();
  void add(const Tensor &loss) {
    all.resize(count + 1);
    all[count++] = loss;
  }
};
// As long as the caller says: it does not grow.
struct Fixed {
  std::vector<Tensor> all;
  int layers = 3;
  void add(const Tensor &loss) {
    all.resize(layers + 1);
    all[layers] = loss;
  }
};

template <typename T> void train() {
  torch::nn::Linear net(8, 1);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  T history;
  for (int i = 0; i < 100; ++i) {
    auto loss = net(torch::randn({4, 8})).mean(); // expected-path {{the graph starts here}} expected-path {{the graph starts here}} expected-path {{the graph starts here}}
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    history.add(loss); // expected-path {{called here in every step}} expected-path {{called here in every step}} expected-path {{called here in every step}}
  }
}
template void train<Counted>();
template void train<BySize>();
template void train<Emplaced>();
template void train<Detached>();
template void train<Restarted>();
template void train<Fixed>();
