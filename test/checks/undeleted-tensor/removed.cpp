// Containers of plain pointers that own tensors: what leaves one without `delete` is lost.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <map>
#include <string>
#include <torch/torch.h>
#include <vector>

using torch::Tensor;

class Registry {
public:
  ~Registry() {
    for (auto &entry : all)
      delete entry.second;
  }
  void add(const std::string &name, Tensor t) { all[name] = new Tensor(std::move(t)); } // expected-path {{it is allocated here}}
  void remove(const std::string &name) {
    all.erase(name); // expected-warning {{the tensor that an element of 'all' points to is lost here: what is taken out of a container is not deleted by that}} [tensor-undeleted-tensor]
  }

private:
  std::map<std::string, Tensor *> all;
};

class Layers {
public:
  ~Layers() {
    for (auto *layer : all)
      delete layer;
  }
  void add(int64_t n) { all.push_back(new torch::nn::Linear(n, n)); } // expected-path {{it is allocated here}}
  void clear() {
    all.clear(); // expected-warning {{the module, with its parameters, that an element of 'all' points to is lost here}} [tensor-undeleted-tensor]
  }

private:
  std::vector<torch::nn::Linear *> all;
};

//===-- Near misses -----------------------------------------------------------===//

class DeletedBefore {
public:
  ~DeletedBefore() { clear(); }
  void add(Tensor t) { all.push_back(new Tensor(std::move(t))); }
  void clear() {
    for (auto *each : all)
      delete each;
    all.clear();
  }
  void remove_last() {
    delete all.back();
    all.pop_back();
  }

private:
  std::vector<Tensor *> all;
};

// The container only knows what somebody else owns.
class Observers {
public:
  void add(Tensor *t) { all.push_back(t); }
  void clear() { all.clear(); }

private:
  std::vector<Tensor *> all;
};

// What is taken out is handed to the caller.
class Queue {
public:
  ~Queue() {
    for (auto *each : all)
      delete each;
  }
  void add(Tensor t) { all.push_back(new Tensor(std::move(t))); }
  Tensor *take() {
    Tensor *last = all.back();
    all.pop_back();
    return last;
  }

private:
  std::vector<Tensor *> all;
};

int main() {
  Registry registry;
  registry.add("x", torch::rand({4}));
  registry.remove("x");
  Layers layers;
  layers.add(4);
  layers.clear();
  DeletedBefore deleted;
  deleted.add(torch::rand({4}));
  deleted.remove_last();
  Tensor own = torch::rand({4});
  Observers observers;
  observers.add(&own);
  observers.clear();
  Queue queue;
  queue.add(torch::rand({4}));
  delete queue.take();
}
