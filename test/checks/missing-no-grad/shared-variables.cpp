// One variable serves the training loop and the validation after it: what is computed for
// the validation never reaches a backward pass.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void consume(float value);
void watch(Tensor &output);

static void variables_of_the_function(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Tensor output, loss;
  for (int epoch = 0; epoch < 10; ++epoch) {
    for (int i = 0; i < 100; ++i) {
      optimizer.zero_grad();
      output = net->forward(next_batch());
      loss = output.sum();
      loss.backward();
      optimizer.step();
    }
    net->eval(); // expected-path {{'eval()' does not turn grad mode off}}
    for (int i = 0; i < 10; ++i) {
      output = net->forward(next_batch()); // expected-warning {{'net'}} [tensor-missing-no-grad]
      loss = output.sum();
      consume(loss.item<float>());
    }
    net->train();
  }
}

static void after_the_training(torch::nn::Linear net, Tensor x) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Tensor output;
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    output = net->forward(x);
    output.sum().backward();
    optimizer.step();
  }
  for (int i = 0; i < 100; ++i) {
    output = net->forward(x); // expected-warning {{'net'}} [tensor-missing-no-grad]
    consume(output.sum().item<float>());
  }
}

//===-- Near misses -------------------------------------------------------===//

// What a round computes is run backward in the next one.
static void in_the_next_round(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Tensor output = net->forward(next_batch());
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    output.sum().backward();
    optimizer.step();
    output = net->forward(next_batch());
    consume(output.sum().item<float>());
  }
}

// Computed in one branch, run backward in another that comes after both.
static void in_a_branch(torch::nn::Linear net, bool augment, bool training) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Tensor output;
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    if (augment)
      output = net->forward(next_batch() * 2);
    else
      output = net->forward(next_batch());
    if (training)
      output.sum().backward();
    optimizer.step();
  }
}

// The loss is added to in place: what was there stays a part of it.
static void added_to(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    Tensor loss = torch::zeros({1});
    loss = net->forward(next_batch()).sum();
    loss += net->forward(next_batch()).sum();
    loss.backward();
    optimizer.step();
  }
}

// A lambda reads the variable whenever it is called.
static void read_by_a_lambda(torch::nn::Linear net) {
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Tensor output;
  auto train = [&] { output.sum().backward(); };
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    output = net->forward(next_batch());
    train();
    optimizer.step();
    output = torch::zeros({1});
  }
}

// Somebody else has a reference to the variable.
static void watched(torch::nn::Linear net) {
  for (int i = 0; i < 100; ++i) {
    Tensor output;
    watch(output);
    output = net->forward(next_batch());
    consume(output.sum().item<float>());
  }
}

int main() {
  torch::nn::Linear net(64, 64);
  variables_of_the_function(net);
  after_the_training(net, next_batch());
  in_the_next_round(net);
  in_a_branch(net, true, true);
  added_to(net);
  read_by_a_lambda(net);
  watched(net);
}
