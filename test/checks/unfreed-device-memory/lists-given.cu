// A list of the caller's that a function puts in the place of its own, or swaps with it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <mutex>
#include <utility>
#include <vector>

std::vector<float *> makeAll(int n) {
  std::vector<float *> all(n);
  for (float *&p : all)
    cudaMalloc(&p, 4096); // expected-path 4 {{gets it here}}
  return all;
}

class Layer {
public:
  ~Layer() {
    for (float *p : all)
      cudaFree(p);
  }
  void replace(std::vector<float *> next) {
    all = std::move(next); // expected-warning {{device memory in 'all' is lost here}} [tensor-unfreed-device-memory]
  }
  void freeAndReplace(std::vector<float *> next) {
    for (float *p : all)
      cudaFree(p);
    all = std::move(next);
  }
  void freeAndCopy(const std::vector<float *> &next) {
    for (float *p : all)
      cudaFree(p);
    all = next;
  }

private:
  std::vector<float *> all;
};

void setTemporary(Layer &layer) {
  layer.freeAndReplace(makeAll(4)); // expected-path {{'all' gets it here}}
  layer.freeAndCopy(makeAll(4)); // expected-path {{'all' gets it here}}
}
void setVariable(Layer &layer) {
  auto all = makeAll(4); // expected-path {{'all' gets it here}}
  layer.freeAndReplace(std::move(all));
}
void replaceAgain(Layer &layer) { layer.replace(makeAll(4)); } // expected-path {{'all' gets it here}}

/// Only looks at them.
size_t count(const std::vector<float *> &all) { return all.size(); }
size_t neverGiven() {
  auto all = makeAll(4); // expected-warning {{device memory in 'all[]' is not given back}} [tensor-unfreed-device-memory]
  return count(all);
}

//===-- Swaps ---------------------------------------------------------------===//

class Reloaded {
public:
  ~Reloaded() {
    for (float *p : live)
      cudaFree(p);
  }
  void reload(int n) {
    std::vector<float *> next = makeAll(n); // expected-path {{'live' gets it here}}
    live.swap(next); // expected-note {{device memory in 'live' is lost here}} [tensor-unfreed-device-memory]
  }
  void reloadAndFree(int n) {
    std::vector<float *> next = makeAll(n); // expected-path {{'live' gets it here}}
    std::swap(live, next);
    for (float *p : next)
      cudaFree(p);
  }
  void reloadAndKeep(int n) {
    std::vector<float *> next = makeAll(n); // expected-path {{'live' gets it here}}
    live.swap(next);
    retired.push_back(std::move(next));
  }
  void freeRetired() {
    for (auto &all : retired)
      for (float *p : all)
        cudaFree(p);
    retired.clear();
  }
  /// Taken out under the lock, and freed without it.
  void drain() {
    std::vector<float *> todo;
    {
      std::lock_guard<std::mutex> hold(lock);
      todo.swap(live);
    }
    for (float *p : todo)
      cudaFree(p);
  }
  void handOver(std::vector<float *> &to) { to.swap(live); }

private:
  std::vector<float *> live;
  std::vector<std::vector<float *>> retired;
  std::mutex lock;
};

void serve() {
  Reloaded all;
  for (int i = 0; i < 9; ++i)
    all.reload(4); // expected-warning {{is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
}
void serveClean() {
  Reloaded all;
  for (int i = 0; i < 9; ++i) {
    all.reloadAndFree(4);
    all.drain();
  }
}
void serveLater() {
  Reloaded all;
  for (int i = 0; i < 9; ++i)
    all.reloadAndKeep(4);
  all.freeRetired();
}
