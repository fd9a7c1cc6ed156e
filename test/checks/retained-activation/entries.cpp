// Lists that are a part of the entries of a container: who removes entries empties them.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <string>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

struct Cache {
  std::vector<Tensor> keys; // expected-path {{'keys' is declared here}}
};

class Kept {
public:
  explicit Kept(torch::nn::Linear net) : net_(net) {}
  long next(const std::string &session, Tensor token) {
    torch::NoGradGuard no_grad;
    auto &cache = sessions_[session];
    cache.keys.push_back(net_->forward(token)); // expected-warning {{'keys' (a member) grows with every step and nothing ever empties it}} [tensor-retained-activation]
    return torch::cat(cache.keys, 0).sum(0).argmax().item<long>();
  }

private:
  torch::nn::Linear net_;
  std::map<std::string, Cache> sessions_;
};

//===-- Near miss ------------------------------------------------------------===//

struct OpenCache {
  std::vector<Tensor> values;
};

class Closed {
public:
  explicit Closed(torch::nn::Linear net) : net_(net) {}
  long next(const std::string &session, Tensor token) {
    torch::NoGradGuard no_grad;
    auto &cache = sessions_[session];
    cache.values.push_back(net_->forward(token));
    return torch::cat(cache.values, 0).sum(0).argmax().item<long>();
  }
  void close(const std::string &session) { sessions_.erase(session); }

private:
  torch::nn::Linear net_;
  std::map<std::string, OpenCache> sessions_;
};

void serve(Kept &kept, Closed &closed, Tensor token) {
  for (int i = 0; i < 100; ++i) {
    kept.next("a", token);
    closed.next("a", token);
    closed.close("a");
  }
}
