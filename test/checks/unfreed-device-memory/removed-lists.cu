// Lists in lists: what is taken out with the inner one is lost.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <vector>

class ByName {
public:
  void add(const std::string &name, int n) {
    float *p;
    cudaMalloc(&p, n); // expected-path {{'all_' gets it here}}
    all_[name].push_back(p);
  }
  void drop(const std::string &name) {
    all_.erase(name); // expected-warning {{device memory in 'all_' is lost here: what is taken out of a container is not given back by that}} [tensor-unfreed-device-memory]
  }
  ~ByName() {
    for (auto &each : all_)
      for (float *p : each.second)
        cudaFree(p);
  }

private:
  std::map<std::string, std::vector<float *>> all_;
};

class MadeAnew {
public:
  void setup(int count, int n) {
    all_ = std::vector<float *>(count);
    for (auto &p : all_)
      cudaMalloc(&p, n); // expected-note {{device memory in 'all_' is taken anew by each call of 'setup', and a second one for the same object loses the one before}} [tensor-unfreed-device-memory]
  }
  ~MadeAnew() {
    for (float *p : all_)
      cudaFree(p);
  }

private:
  std::vector<float *> all_;
};

//===-- Near misses -----------------------------------------------------------------===//

class GivenFirst {
public:
  void add(const std::string &name, int n) {
    float *p;
    cudaMalloc(&p, n);
    all_[name].push_back(p);
  }
  void drop(const std::string &name) {
    auto it = all_.find(name);
    if (it == all_.end())
      return;
    for (float *p : it->second)
      cudaFree(p);
    all_.erase(it);
  }
  ~GivenFirst() {
    for (auto &each : all_)
      for (float *p : each.second)
        cudaFree(p);
  }

private:
  std::map<std::string, std::vector<float *>> all_;
};

class GivenBefore {
public:
  void setup(int count, int n) {
    for (float *p : all_)
      cudaFree(p);
    all_ = std::vector<float *>(count);
    for (auto &p : all_)
      cudaMalloc(&p, n);
  }
  ~GivenBefore() {
    for (float *p : all_)
      cudaFree(p);
  }

private:
  std::vector<float *> all_;
};

// The other list still has them.
class OnlyNames {
public:
  void add(const std::string &name, int n) {
    float *p;
    cudaMalloc(&p, n);
    owned_.push_back(p);
    byName_[name].push_back(p);
  }
  void forget(const std::string &name) { byName_.erase(name); }
  ~OnlyNames() {
    for (float *p : owned_)
      cudaFree(p);
  }

private:
  std::vector<float *> owned_;
  std::map<std::string, std::vector<float *>> byName_;
};
