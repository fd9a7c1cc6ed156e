// Small parts that pin all of a tensor, by way of variables, chains of views and detach()
// (row 18).
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <iostream>

using torch::Tensor;

static void v1(int n) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    auto big = torch::rand({n, 64});
    auto row = big[0];
    kept.push_back(row); // expected-note {{'kept' (declared outside the loop)}} [tensor-retained-activation]
  }
}
static void v2(int n) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    Tensor big = torch::rand({256, 64}).exp();
    kept.push_back(big.narrow(0, 0, 1).detach()); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation]
  }
}
static void v3(torch::nn::Linear net, std::vector<Tensor> &kept) { // expected-path {{'kept' is declared here and outlives the step}}
  torch::NoGradGuard g;
  for (int i = 0; i < 100; ++i) {
    auto out = torch::rand({512, 64}).relu();
    kept.emplace_back(out.select(0, 1).unsqueeze(0)); // expected-warning {{'kept' (the caller's)}} [tensor-retained-activation]
  }
}
static void corners(int n) {
  std::vector<Tensor> kept; // expected-path 2 {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    auto frame = torch::rand({3, 2160, 3840}).relu();
    kept.push_back(frame.slice(1, 0, 16).slice(2, 16, 32)); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation]
    kept.push_back(frame.slice(1, torch::nullopt, 2)); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation]
    kept.push_back(frame.slice(1, 0, 16).slice(2, 16, 32).clone());
  }
}
static void most_of_it(int n) {
  std::vector<Tensor> kept;
  for (int i = 0; i < n; ++i) {
    auto frame = torch::rand({3, 256, 256}).relu();
    kept.push_back(frame.slice(1, 1).slice(2, 0, 4096));
  }
}
static void every_other(int n) {
  std::vector<Tensor> kept;
  for (int i = 0; i < n; ++i)
    kept.push_back(torch::rand({256, 256}).slice(0, 0, 256, 2)); // how many is not known
}
static void first_of_each(int n) {
  using torch::indexing::Slice;
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    auto big = torch::rand({8, 256, 64}).relu();
    kept.push_back(big.index({Slice(), 0})); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation]
  }
}
static void v4(torch::nn::Linear net) {
  std::vector<Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < 100; ++i) {
    auto out = torch::rand({512, 64}).tanh().detach();
    auto last = out.narrow(0, 511, 1);
    auto flat = last.view({-1});
    kept.push_back(flat); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation]
  }
}
static void v5(int64_t t, int64_t d) {
  std::map<int64_t, Tensor> kept; // expected-path {{'kept' is declared here and outlives the step}}
  for (int64_t i = 0; i < t; ++i) {
    auto s = torch::rand({d, 1024});
    kept[-i] = s.select(1, 0); // expected-warning {{'kept' (declared outside the loop)}} [tensor-retained-activation]
  }
}
struct Hist {
  std::vector<Tensor> rows; // expected-path {{'rows' is declared here and outlives the step}}
  torch::nn::Linear net{8, 64};
  void add() {
    torch::NoGradGuard g;
    auto out = net(torch::rand({128, 8}));
    rows.push_back(out[0]); // expected-warning {{'rows' (a member)}} [tensor-retained-activation]
  }
};

int use_c7_views() {
  v1(10); v2(10);
  torch::nn::Linear net(8, 64);
  std::vector<Tensor> kept;
  v4(net); v5(10, 10);
  Hist h;
  for (int i = 0; i < 10; ++i) h.add();
  return 0;
}

//===-- Near misses -------------------------------------------------------===//

namespace near_misses {

static std::vector<Tensor> v1(int n, Tensor given) {
  std::vector<Tensor> kept;
  auto fixed = torch::rand({n, 64});
  for (int i = 0; i < n; ++i) {
    auto big = torch::rand({n, 64});
    auto row = big[0].clone();
    kept.push_back(row);
    kept.push_back(fixed[i]);
    kept.push_back(given[i]);
    auto other = torch::rand({n, 64});
    kept.push_back(other.view({-1}));
    auto most = torch::rand({n, 64});
    kept.push_back(most.slice(1, 0, 60));
    auto two = torch::rand({2, n});
    kept.push_back(two[0]);
    auto sum = torch::rand({n, 64})[0] + 1;
    kept.push_back(sum);
  }
  return kept;
}
static std::vector<Tensor> most_of_it(int n) {
  using torch::indexing::Slice;
  std::vector<Tensor> kept;
  for (int i = 0; i < n; ++i) {
    auto big = torch::rand({8, 256, 64}).relu();
    kept.push_back(big.index({Slice(0, 6)}));
    kept.push_back(big.index({Slice(), torch::tensor({0})})); // a copy
  }
  return kept;
}
static std::vector<Tensor> all_rows(int n) {
  std::vector<Tensor> kept;
  for (int i = 0; i < n; ++i) {
    auto big = torch::rand({128, 64});
    for (int j = 0; j < 128; ++j)
      kept.push_back(big[j]); // every row is kept: nothing is wasted
    for (auto &r : big.unbind(0))
      kept.push_back(r);
  }
  return kept;
}
static std::vector<Tensor> whole_too(int n) {
  std::vector<Tensor> kept, whole;
  for (int i = 0; i < n; ++i) {
    auto big = torch::rand({128, 64});
    kept.push_back(big[0]);
    whole.push_back(big);
  }
  kept.insert(kept.end(), whole.begin(), whole.end());
  return kept;
}
int main() {
  return v1(10, torch::rand({20, 20})).size() + all_rows(3).size() + whole_too(3).size();
}

} // namespace near_misses

//===-- Indices that leave out dimensions, or count from a variable ---------------------===//

namespace windows {

using torch::indexing::Ellipsis;
using torch::indexing::Slice;

static torch::Tensor patch(const torch::Tensor &map, int64_t x, int64_t y) {
  return map.index({Ellipsis, Slice(y - 4, y + 5), Slice(x - 4, x + 5)});
}

void patches(int n, int64_t x, int64_t y) {
  std::vector<Tensor> kept; // expected-path 3 {{'kept' is declared here and outlives the step}}
  for (int i = 0; i < n; ++i) {
    auto map = torch::rand({128, 480, 640}).relu();
    kept.push_back(map.index({"...", Slice(0, 9)})); // expected-warning {{a view of 'map' is kept in 'kept'}} [tensor-retained-activation]
    kept.push_back(map.slice(1, y, y + 8)); // expected-warning {{a view of 'map' is kept in 'kept'}} [tensor-retained-activation]
    kept.push_back(patch(map, x, y)); // expected-warning {{a view of 'map' is kept in 'kept'}} [tensor-retained-activation]
    kept.push_back(patch(map, x, y).clone());
    kept.push_back(map.index({Ellipsis, Slice(0, 600)}));
    kept.push_back(map.slice(2, x - 300, x + 300));
    kept.push_back(map.slice(1, y, x)); // of any length
  }
}

} // namespace windows
