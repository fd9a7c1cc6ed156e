// What a new thread for each inference puts into a variable around it. threads-clean.cpp
// has those that keep nothing (row 25).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <thread>

using torch::Tensor;

Tensor next_batch(int size);
void consume(float value);

static void kept_by_a_thread(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 1; i < 100; ++i) {
    std::thread worker([&] { // expected-path {{the graph starts here}} expected-path {{called here in every step}}
      kept.push_back(net->forward(next_batch(i))); // expected-warning {{every activation of the step stays alive}} [tensor-retained-activation]
    });
    worker.join();
  }
  consume(kept.size());
}

int main() {
  torch::nn::Linear net(8, 8);
  kept_by_a_thread(net);
}
