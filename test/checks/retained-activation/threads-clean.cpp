// A new thread for each inference and inputs of varying shapes: no tensor is kept by that
// (row 25), and no rule says anything. threads.cpp has what such a thread does keep.
//
// RUN: %check_tensor %s --tool-arg=--checks=tensor-*
// RUN: %if torch %{ %check_tensor %s --real --tool-arg=--checks=tensor-* %}
#include <torch/torch.h>

#include <thread>

using torch::Tensor;

Tensor next_batch(int size);
void consume(float value);

static void a_thread_each(torch::nn::Linear net) {
  for (int i = 1; i < 100; ++i) {
    std::thread worker([&net, i] {
      torch::NoGradGuard no_grad;
      consume(net->forward(torch::rand({i, 8})).sum().item<float>());
    });
    worker.join();
  }
}

static void infer(torch::nn::Linear net, int size) {
  torch::NoGradGuard no_grad;
  auto y = net->forward(next_batch(size));
  consume(y.max().item<float>());
}

static void a_function_in_a_thread(torch::nn::Linear net) {
  for (int i = 1; i < 100; ++i)
    std::thread(infer, net, i).join();
}

static void varying_shapes(torch::nn::Linear net) {
  torch::NoGradGuard no_grad;
  Tensor last;
  for (int i = 1; i < 100; ++i)
    last = net->forward(next_batch(i));
  consume(last.sum().item<float>());
}

int main() {
  torch::nn::Linear net(8, 8);
  a_thread_each(net);
  a_function_in_a_thread(net);
  varying_shapes(net);
}
