// Reading a holder lets go of nothing: loops over it, iterators, algorithms of the library,
// functions in view.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <queue>

using torch::Tensor;

static double by_range(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).sum()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  double sum = 0;
  for (auto s : scores)
    sum += s.item<double>();
  return sum;
}
static double by_accumulate(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.emplace_back(net(torch::rand({4, 8})).sum()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return std::accumulate(scores.begin(), scores.end(), torch::zeros({})).item<double>();
}
static double by_accumulate2(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.emplace_back(net(torch::rand({4, 8})).sum()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  return std::accumulate(scores.begin(), scores.end(), 0.0,
                         [](double a, const Tensor &t) { return a + t.item<double>(); });
}
static double by_stack(torch::nn::Linear net) {
  std::deque<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.push_front(net(torch::rand({4, 8})).sum()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  return torch::stack(std::vector<Tensor>(scores.begin(), scores.end())).mean().item<double>();
}
static double by_cat_in_loop(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  double best = 0;
  for (int i = 0; i < 100; ++i) {
    scores.push_back(net(torch::rand({4, 8}))); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    best = std::max(best, torch::cat(scores).max().item<double>());
  }
  return best;
}
static double by_back(torch::nn::Linear net) {
  std::list<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  double best = 0;
  for (int i = 0; i < 100; ++i) {
    scores.push_back(net(torch::rand({4, 8})).norm()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
    if (scores.back().item<double>() > best && scores.size() > 1)
      best = scores.front().item<double>();
    if (i % 10 == 0)
      std::cout << i << ": " << scores.back() << " of " << scores.size() << std::endl;
  }
  return best;
}
static float mean_of(const std::vector<Tensor> &all) {
  float sum = 0;
  for (size_t i = 0; i < all.size(); ++i)
    sum += all[i].item<float>();
  return sum / all.size();
}
static float by_function(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).norm()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  return mean_of(scores);
}
static float by_iterator(torch::nn::Linear net) {
  std::map<int, Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores[i] = net(torch::rand({4, 8})).norm(); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
  float sum = 0;
  for (auto it = scores.begin(); it != scores.end(); it++)
    sum += it->second.item<float>() * it->first;
  for (auto it = scores.rbegin(); it != scores.rend(); ++it)
    std::cout << it->second << "\n";
  if (auto found = scores.find(3); found != scores.end())
    sum += found->second.item<float>();
  return sum;
}
static float by_max_element(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).norm()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  auto best = std::max_element(scores.begin(), scores.end(), [](const Tensor &a, const Tensor &b) {
    return a.item<float>() < b.item<float>();
  });
  return best->item<float>();
}
static void by_for_each(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).norm()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  std::for_each(scores.begin(), scores.end(),
                [](const Tensor &t) { std::cout << t.item<float>() << '\n'; });
}
static void by_transform(torch::nn::Linear net, std::vector<float> &out) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).norm()); // expected-warning {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  std::transform(scores.begin(), scores.end(), std::back_inserter(out),
                 [](const Tensor &t) { return t.item<float>(); });
}

int use_c1_reads() {
  torch::nn::Linear net(8, 2);
  std::vector<float> f;
  by_transform(net, f);
  by_for_each(net);
  return 0;
}

//===-- Near misses -------------------------------------------------------===//

namespace near_misses {

void keep_only(std::vector<Tensor> &all, size_t count);

static void cleared(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    scores.push_back(net(torch::rand({4, 8})).sum()); // expected-note {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    for (auto &s : scores)
      std::cout << s.item<double>();
    if (scores.size() > 10)
      scores.erase(scores.begin());
  }
}
static void detached_later(torch::nn::Linear net) {
  std::list<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    scores.push_back(net(torch::rand({4, 8})).sum()); // expected-note {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    for (auto &s : scores)
      s.detach_();
  }
  std::cout << scores.front();
}
static void assigned_later(torch::nn::Linear net) {
  std::list<Tensor> scores; // expected-path {{'scores' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    scores.push_back(net(torch::rand({4, 8})).sum()); // expected-note {{'scores' (declared outside the loop)}} [tensor-retained-activation] expected-path {{the graph starts here}}
    auto &last = scores.back();
    last = last.detach();
  }
  std::cout << scores.front();
}
static void trimmed_elsewhere(torch::nn::Linear net) {
  std::vector<Tensor> scores;
  for (int i = 0; i < 100; ++i) {
    scores.push_back(net(torch::rand({4, 8})).sum());
    keep_only(scores, 10);
  }
}
static void summed(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> scores;
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).sum());
  optimizer.zero_grad();
  std::accumulate(scores.begin(), scores.end(), torch::zeros({})).backward();
  optimizer.step();
}
static void summed_by_hand(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> scores;
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).sum());
  optimizer.zero_grad();
  Tensor total = torch::zeros({});
  for (auto it = scores.begin(); it != scores.end(); ++it)
    total = total + *it;
  total.backward();
  optimizer.step();
}
static void each_by_algorithm(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> scores;
  for (int i = 0; i < 10; ++i)
    scores.push_back(net(torch::rand({4, 8})).sum());
  optimizer.zero_grad();
  std::for_each(std::begin(scores), std::end(scores), [](auto &s) { s.backward(); });
  optimizer.step();
}
static void printed_by_algorithm(torch::nn::Linear net) {
  std::vector<Tensor> scores; // expected-path {{'scores' is declared here}}
  for (int i = 0; i < 10; ++i)
    scores.push_back(net(torch::rand({4, 8})).sum()); // expected-warning {{'scores'}} [tensor-retained-activation] expected-path {{the graph starts here}} expected-fix {{.detach()}}
  std::for_each(std::begin(scores), std::end(scores), [](auto &s) { std::cout << s.size(0); });
}
static Tensor total_of(const std::vector<Tensor> &all) { return torch::stack(all).sum(); }
static void by_function(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> scores;
  for (int i = 0; i < 100; ++i)
    scores.push_back(net(torch::rand({4, 8})).sum());
  optimizer.zero_grad();
  total_of(scores).backward();
  optimizer.step();
}
static void each_backward(torch::nn::Linear net, torch::optim::SGD &optimizer) {
  std::vector<Tensor> scores;
  for (int i = 0; i < 10; ++i)
    scores.push_back(net(torch::rand({4, 8})).sum());
  optimizer.zero_grad();
  for (auto &s : scores)
    s.backward();
  optimizer.step();
}
struct Rollout {
  torch::nn::Linear net{8, 2};
  std::vector<Tensor> scores;
  void act() { scores.push_back(net(torch::rand({4, 8})).sum()); }
  void finish(torch::optim::SGD &optimizer) {
    optimizer.zero_grad();
    torch::stack(scores).sum().backward();
    optimizer.step();
  }
};

int use_c1_reads_clean() {
  torch::nn::Linear net(8, 2);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  cleared(net);
  detached_later(net);
  assigned_later(net);
  trimmed_elsewhere(net);
  summed(net, optimizer);
  summed_by_hand(net, optimizer);
  by_function(net, optimizer);
  each_backward(net, optimizer);
  for (int e = 0; e < 10; ++e) {
    Rollout r;
    torch::optim::SGD own(r.net->parameters(), 0.1);
    for (int t = 0; t < 20; ++t)
      r.act();
    r.finish(own);
  }
  return 0;
}

} // namespace near_misses
