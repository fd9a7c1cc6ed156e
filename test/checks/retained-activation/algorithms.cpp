// What a lambda gives an algorithm of the library is written where its last iterator leads.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <algorithm>
#include <iterator>
#include <list>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

std::vector<Tensor> next_batches();
void show(size_t size);

class Server {
public:
  explicit Server(torch::nn::Linear net) : net(net) {}
  void answer(const std::vector<Tensor> &inputs) {
    std::transform(inputs.begin(), inputs.end(), std::back_inserter(seen), [this](const Tensor &x) { // expected-path {{called here in every step}}
      return net->forward(x); // expected-warning {{'seen' (a member) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
    });
  }
  float mean() const { return seen.front().mean().item<float>(); }

private:
  torch::nn::Linear net;
  std::list<Tensor> seen; // expected-path {{'seen' is declared here and outlives the step}}
};

void transformed(torch::nn::Linear net) {
  Server server(net);
  for (int i = 0; i < 100; ++i)
    server.answer(next_batches());
  show(server.mean());
}

void generated(torch::nn::Linear net) {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    std::generate_n(std::back_inserter(all), 4, [&] { // expected-path {{called here in every step}}
      return net->forward(torch::rand({4})); // expected-warning {{'all' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
    });
  show(all.size());
}

//===-- Near misses -------------------------------------------------------===//

// A list of the round, elements that are replaced, numbers, results without their graph.
void of_the_round(torch::nn::Linear net) {
  std::vector<Tensor> last(4);
  std::vector<float> numbers;
  std::vector<Tensor> detached;
  for (int i = 0; i < 100; ++i) {
    auto inputs = next_batches();
    std::vector<Tensor> outputs;
    auto run = [&](const Tensor &x) { return net->forward(x); };
    std::transform(inputs.begin(), inputs.end(), std::back_inserter(outputs), run);
    torch::stack(outputs).sum().backward();
    std::transform(inputs.begin(), inputs.end(), std::back_inserter(numbers),
                   [&](const Tensor &x) { return net->forward(x).sum().item<float>(); });
    detached.clear();
    std::transform(inputs.begin(), inputs.end(), std::back_inserter(detached),
                   [&](const Tensor &x) { return net->forward(x).detach(); });
  }
  show(last.size() + numbers.size() + detached.size());
}

// What an algorithm without a function writes behind an inserter is what it reads.
void copied(torch::nn::Linear net) {
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    std::vector<Tensor> now = {net->forward(torch::ones({4, 8}))}; // expected-path {{the graph starts here}}
    std::copy(now.begin(), now.end(), std::back_inserter(all)); // expected-warning {{'all' (declared outside the loop) still carries its graph}} [tensor-retained-activation]
  }
  show(all.size());
}
void copied_inside(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    std::vector<Tensor> all, now = {net->forward(torch::ones({4, 8})).detach()};
    std::copy(now.begin(), now.end(), std::back_inserter(all));
    show(all.size());
  }
}
