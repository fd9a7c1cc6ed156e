// A host tensor that is copied to the device in every round (row 30).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <algorithm>
#include <cstring>
#include <torch/torch.h>

using torch::Tensor;

Tensor next_batch();
void consume(float value);
void keep(Tensor t);

void mask_in_every_step(torch::nn::Linear net, torch::Device device) {
  auto mask = torch::ones({1024, 1024}); // expected-path {{is made here, on the host}}
  for (int i = 0; i < 100; ++i) {
    auto y = net->forward(next_batch()) * mask.to(device); // expected-warning {{'mask' is the same in every round of this loop and is copied to the device each time: about 4 MiB per round}} [tensor-repeated-transfer]
    y.sum().backward();
  }
}

void by_cuda(torch::nn::Linear net) {
  auto mask = torch::ones({1024, 1024}); // expected-path {{'mask' is made here, on the host}}
  for (int i = 0; i < 100; ++i) {
    auto on_device = mask.cuda(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
    (net->forward(next_batch()) * on_device).sum().backward();
  }
}

void declared_before_it_is_made(torch::nn::Linear net, torch::Device device) {
  Tensor mask; // expected-path {{'mask' is made here, on the host}}
  mask = torch::ones({1024, 1024});
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask.to(device)).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
}

// Not in a loop of steps: worth a look only.
void without_a_model(torch::Device device) {
  auto mask = torch::ones({1024, 1024}); // expected-path {{'mask' is made here, on the host}}
  for (int i = 0; i < 100; ++i)
    consume((next_batch() * mask.to(device)).sum().item<float>()); // expected-note {{'mask'}} [tensor-repeated-transfer]
}

// What is written through another tensor's memory leaves this one as it is.
void beside_a_staging_buffer(torch::nn::Linear net, torch::Device device, const float *frames) {
  auto mask = torch::ones({1024, 1024}); // expected-path {{'mask' is made here, on the host}}
  auto staged = torch::zeros({1024, 1024});
  for (int i = 0; i < 100; ++i) {
    std::memcpy(staged.data_ptr<float>(), frames + i, staged.numel() * sizeof(float));
    (net->forward(staged.to(device)) * mask.to(device)).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
  }
}

// What an optimizer trains is another tensor.
void beside_what_is_trained(torch::nn::Linear net, torch::Device device) {
  auto mask = torch::ones({1024, 1024}); // expected-path {{'mask' is made here, on the host}}
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    (net->forward(next_batch()) * mask.to(device)).sum().backward(); // expected-warning {{'mask'}} [tensor-repeated-transfer]
    optimizer.step();
  }
}

//===-- Near misses --------------------------------------------------------===//

// An optimizer writes it in each step.
void trained(torch::Device device) {
  auto weight = torch::rand({1024, 1024});
  torch::optim::SGD optimizer(std::vector<Tensor>{weight}, 0.1);
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    torch::matmul(next_batch(), weight.to(device)).sum().backward();
    optimizer.step();
  }
}

struct Trained {
  Tensor weight = torch::rand({1024, 1024});
  torch::optim::SGD optimizer{std::vector<Tensor>{weight}, 0.1};
};
void trained_in_an_object(torch::Device device) {
  Trained object;
  for (int i = 0; i < 100; ++i) {
    object.optimizer.zero_grad();
    torch::matmul(next_batch(), object.weight.to(device)).sum().backward();
    object.optimizer.step();
  }
}

void staged_by_a_pointer_from_before(torch::nn::Linear net, torch::Device device,
                                     const float *frames) {
  auto staged = torch::zeros({1024, 1024});
  float *memory = staged[0].view({1024}).data_ptr<float>();
  for (int i = 0; i < 100; ++i) {
    std::copy(frames + i, frames + i + 1024, memory);
    net->forward(staged.to(device)).sum().backward();
  }
}

void written_by_accessor(torch::nn::Linear net, torch::Device device) {
  auto staged = torch::zeros({1024, 1024});
  auto rows = staged.accessor<float, 2>();
  for (int i = 0; i < 100; ++i) {
    rows[0][0] = i;
    net->forward(staged.to(device)).sum().backward();
  }
}

void too_small_to_matter(torch::nn::Linear net, torch::Device device) {
  auto scale = torch::ones({4});
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * scale.to(device)).sum().backward();
}

void moved_once(torch::nn::Linear net, torch::Device device) {
  auto mask = torch::ones({1024, 1024}).to(device);
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask.to(device)).sum().backward(); // no copy: it is there already
}

void made_there(torch::nn::Linear net, torch::Device device) {
  auto mask = torch::ones({1024, 1024}, torch::TensorOptions().device(device));
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask.to(device)).sum().backward();
}

void declared_before_it_is_made_there(torch::nn::Linear net, torch::Device device) {
  Tensor mask;
  mask = torch::ones({1024, 1024}, device);
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask.to(device)).sum().backward();
}

void another_each_time(torch::nn::Linear net, torch::Device device) {
  for (int i = 0; i < 100; ++i) {
    auto batch = torch::ones({1024, 1024});
    net->forward(batch.to(device)).sum().backward();
  }
}

void rewritten_each_time(torch::nn::Linear net, torch::Device device) {
  auto batch = torch::ones({1024, 1024});
  for (int i = 0; i < 100; ++i) {
    batch.add_(1);
    net->forward(batch.to(device)).sum().backward();
  }
}

void a_fresh_copy_is_needed(torch::nn::Linear net, torch::Device device) {
  auto base = torch::ones({1024, 1024});
  for (int i = 0; i < 100; ++i) {
    auto noisy = base.to(device);
    noisy.add_(torch::randn({1024, 1024}));
    net->forward(noisy).sum().backward();
  }
}

void kept_by_somebody(torch::nn::Linear net, torch::Device device) {
  auto base = torch::ones({1024, 1024});
  for (int i = 0; i < 100; ++i) {
    keep(base.to(device));
    net->forward(next_batch()).sum().backward();
  }
}

void to_the_host(torch::nn::Linear net) {
  torch::Device device(torch::kCPU);
  auto mask = torch::ones({1024, 1024});
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask.to(device)).sum().backward();
}

void only_the_dtype(torch::nn::Linear net) {
  auto mask = torch::ones({1024, 1024});
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask.to(torch::kHalf)).sum().backward();
}

// Where the caller's tensor is, nobody here knows.
void of_the_caller(torch::nn::Linear net, Tensor mask, torch::Device device) { // expected-path {{'mask' is given here}}
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * mask.to(device)).sum().backward(); // expected-note {{'mask' is the same in every round of this loop and is moved to the device each time, which copies it unless it is there already}} [tensor-repeated-transfer]
}

// A member of what is given to be read; others may change what is not.
struct Graph {
  Tensor adjacency; // expected-path {{'adjacency' is given here}}
};

void of_a_member(torch::nn::Linear net, const Graph &graph, torch::Device device) {
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * graph.adjacency.to(device)).sum().backward(); // expected-note {{'adjacency' is the same in every round of this loop and is moved}} [tensor-repeated-transfer]
}

void of_a_member_that_changes(torch::nn::Linear net, Graph &graph, torch::Device device) {
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * graph.adjacency.to(device)).sum().backward();
}

void moved_before(torch::nn::Linear net, const Graph &graph, torch::Device device) {
  auto adjacency = graph.adjacency.to(device);
  for (int i = 0; i < 100; ++i)
    (net->forward(next_batch()) * adjacency).sum().backward();
}
