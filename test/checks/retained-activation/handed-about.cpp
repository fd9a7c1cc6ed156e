// Rounds that hand about what is there before them keep nothing of their own.
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <string>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

void list_of_a_map(torch::nn::Linear net, Tensor x) {
  std::map<std::string, Tensor> taps;
  taps["a"] = net(x);
  Tensor score = taps["a"].sum();
  std::vector<Tensor> listed;
  for (auto &[name, tap] : taps)
    listed.push_back(tap);
  score.backward();
}
void list_of_a_list(torch::nn::Linear net, Tensor x, std::vector<Tensor> taps) {
  taps.push_back(net(x));
  Tensor score = taps[0].sum();
  std::vector<Tensor> listed;
  for (size_t i = 0; i < taps.size(); ++i) {
    Tensor tap = taps[i];
    listed.push_back(tap);
  }
  score.backward();
}

// What they compute is their own.
void computed(torch::nn::Linear net, std::vector<Tensor> all) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (Tensor &x : all) {
    Tensor y = net(x); // expected-path {{the graph starts here}}
    kept.push_back(y); // expected-warning {{what is added to 'kept' (declared outside the loop) still carries its graph; every activation of the step stays alive}} [tensor-retained-activation] expected-fix {{.detach()}}
  }
}
void of_the_round_before(torch::nn::Linear net, Tensor x) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  Tensor y = net(x); // expected-path {{the graph starts here}} expected-path {{'y' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    kept.push_back(y); // expected-warning {{what is added to 'kept' (declared outside the loop) still carries its graph}} [tensor-retained-activation] expected-fix {{.detach()}}
    y = net(y); // expected-warning {{'y' (declared outside the loop) is computed from itself and still carries its graph}} [tensor-retained-activation] expected-path {{the graph starts here}}
  }
}

int main() {
  torch::nn::Linear net(4, 4);
  for (int i = 0; i < 100; ++i) {
    list_of_a_map(net, torch::ones({2, 4}));
    list_of_a_list(net, torch::ones({2, 4}), {});
    computed(net, {torch::ones({2, 4})});
    of_the_round_before(net, torch::ones({2, 4}));
  }
}
