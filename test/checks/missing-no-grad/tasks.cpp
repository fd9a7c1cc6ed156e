// A guard of the thread that starts another does not reach that one: std::async and std::jthread
// run what they are given with grad mode on.
//
// RUN: %check_tensor %s -- -std=c++20
#include <future>
#include <thread>
#include <torch/torch.h>

float in_a_task(torch::nn::Linear net, torch::Tensor x) {
  torch::NoGradGuard no_grad;
  auto score = std::async(std::launch::async, [&] {
    auto y = net(x); // expected-note {{what 'net' computes here is never differentiated, }} [tensor-missing-no-grad]
    return y.sum().item<float>();
  });
  return score.get();
}

float in_a_joining_thread(torch::nn::Linear net, torch::Tensor x) {
  torch::NoGradGuard no_grad;
  float sum = 0;
  std::jthread worker([&] {
    auto y = net(x); // expected-note {{what 'net' computes here is never differentiated, }} [tensor-missing-no-grad]
    sum = y.sum().item<float>();
  });
  worker.join();
  return sum;
}

//===-- Near misses -------------------------------------------------------===//

// A deferred task runs in the thread that waits for it.
float in_a_deferred_task(torch::nn::Linear net, torch::Tensor x) {
  torch::NoGradGuard no_grad;
  auto score = std::async(std::launch::deferred, [&] {
    auto y = net(x);
    return y.sum().item<float>();
  });
  return score.get();
}

float with_a_guard_of_its_own(torch::nn::Linear net, torch::Tensor x) {
  float sum = 0;
  std::jthread worker([&] {
    torch::NoGradGuard no_grad;
    auto y = net(x);
    sum = y.sum().item<float>();
  });
  worker.join();
  return sum;
}
