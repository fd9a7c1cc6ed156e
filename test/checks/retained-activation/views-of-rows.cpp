// Each round of a loop over the rows of a tensor keeps a part of its row, which pins all of it.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

using torch::Tensor;

class Index {
public:
  explicit Index(torch::nn::Linear net) : net_(net) {}

  void add(const std::vector<std::string> &names) {
    torch::NoGradGuard no_grad;
    auto maps = torch::ones({32, 64, 64}); // a row is 64 times what is kept of it
    for (size_t i = 0; i < names.size(); ++i) {
      if (parts_.count(names[i]))
        continue;
      parts_[names[i]] = maps[i][0]; // expected-warning {{a view of 'maps' is kept in 'parts_' (a member) and pins all of 'maps'}} [tensor-retained-activation]
    }
    net_->forward(maps);
  }
  const Tensor &part(const std::string &name) const { return parts_.at(name); }

private:
  torch::nn::Linear net_;
  std::map<std::string, Tensor> parts_; // expected-path {{'parts_' is declared here and outlives the step}}
};

class Cache {
public:
  bool contains(const std::string &name) const { return parts_.count(name) != 0; }
  void put(const std::string &name, Tensor part) { parts_.insert_or_assign(name, std::move(part)); } // expected-warning {{a view of 'maps' is kept in 'parts_' (a member) and pins all of 'maps'}} [tensor-retained-activation]

private:
  std::map<std::string, Tensor> parts_; // expected-path {{'parts_' is declared here and outlives the step}}
};

class ByCallee {
public:
  ByCallee(Cache &cache, torch::nn::Linear net) : cache_(cache), net_(net) {}
  void add(const std::vector<std::string> &names) {
    torch::NoGradGuard no_grad;
    auto maps = torch::ones({32, 64, 64});
    net_->forward(maps);
    for (size_t i = 0; i < names.size(); ++i) {
      if (cache_.contains(names[i]))
        continue;
      cache_.put(names[i], maps[i][0]); // expected-path {{called here in every step}}
    }
  }

private:
  Cache &cache_;
  torch::nn::Linear net_;
};

//===-- Near misses: all of each row is kept, or a copy -------------------------===//

class Rows {
public:
  explicit Rows(torch::nn::Linear net) : net_(net) {}

  void add(const std::vector<std::string> &names) {
    torch::NoGradGuard no_grad;
    auto maps = torch::ones({32, 64, 64});
    rows_.clear();
    for (size_t i = 0; i < names.size(); ++i) {
      rows_[names[i]] = maps[i];
      firsts_[names[i]] = maps[i][0].clone();
      last_ = maps[i][0];
    }
    net_->forward(maps);
    firsts_.clear();
  }

private:
  torch::nn::Linear net_;
  std::map<std::string, Tensor> rows_, firsts_;
  Tensor last_;
};

void run(Index &index, ByCallee &other, Rows &rows, const std::vector<std::string> &names) {
  for (int i = 0; i < 100; ++i) {
    index.add(names);
    other.add(names);
    rows.add(names);
  }
}
