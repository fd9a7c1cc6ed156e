// A queue that is read by a number which only grows, and from which nothing is taken out.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <torch/torch.h>
#include <deque>
#include <optional>
#include <thread>
#include <vector>
using torch::Tensor;

struct Sample {
  Tensor features, target;
};

class Log {
public:
  std::optional<Sample> next() {
    if (left-- <= 0)
      return std::nullopt;
    return Sample{torch::rand({512, 512}), torch::rand({512})};
  }

private:
  int left = 1000;
};

template <typename Source> class Prefetcher {
public:
  explicit Prefetcher(Source source) : source_(source), thread_([this] { produce(); }) {}
  ~Prefetcher() { thread_.join(); }
  std::optional<Sample> next() {
    if (taken_ == ready_.size())
      return std::nullopt;
    Sample s = ready_[taken_++];
    return s;
  }

private:
  void produce() {
    while (auto s = source_.next()) {
      while (ready_.size() - taken_ > 4)
        std::this_thread::yield();
      ready_.push_back(std::move(*s)); // expected-warning {{'ready_' (a member) grows with every step, and nothing takes out what 'taken_' has passed}} [tensor-retained-activation]
    }
  }
  Source source_;
  std::deque<Sample> ready_; // expected-path {{'ready_' is declared here and outlives the step}}
  size_t taken_ = 0;
  std::thread thread_;
};

class Pending {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features); // expected-warning {{'all' (a member) grows with every step, and nothing takes out what 'read' has passed}} [tensor-retained-activation]
    }
  }
  Tensor take() { return all.at(read++); }

private:
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  size_t read = 0;
};

class PendingByName {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features); // expected-warning {{'all' (a member) grows with every step, and nothing takes out what 'read' has passed}} [tensor-retained-activation]
    }
  }
  bool has_next() const { return read < all.size(); }
  Tensor take() {
    Tensor t = all[read];
    ++read;
    return t;
  }

private:
  std::vector<Tensor> all; // expected-path {{'all' is declared here and outlives the step}}
  size_t read = 0;
};

//===-- Near misses -------------------------------------------------------===//

class Popped {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() {
    Tensor t = all[read++];
    if (read > 8) {
      all.erase(all.begin(), all.begin() + read);
      read = 0;
    }
    return t;
  }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

// What is left behind is empty.
class Swapped {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() {
    Tensor t;
    std::swap(t, all[read++]);
    return t;
  }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

class Moved {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() { return std::move(all[read++]); }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

class Reset {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() {
    Tensor t = all[read];
    all[read++] = Tensor();
    return t;
  }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

// Another epoch begins with the first one again.
class Epochs {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() { return all[read++]; }
  void restart() { read = 0; }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

class Ring {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() {
    Tensor t = all[read];
    read = (read + 1) % 8;
    return t;
  }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

// Other elements are read, too.
class Window {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() { return all[read++] - all[0]; }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

class Summed {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor take() { return all[read++]; }
  Tensor sum() const {
    Tensor s = torch::zeros({512, 512});
    for (const Tensor &t : all)
      s += t;
    return s;
  }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

// What the caller gets may be emptied.
class Lent {
public:
  void produce(Log log) {
    while (auto s = log.next()) {
      while (all.size() - read > 4)
        std::this_thread::yield();
      all.push_back(s->features);
    }
  }
  Tensor &take() { return all[read++]; }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

// Filled once, and read afterwards.
class Dataset {
public:
  void produce(Log log) {
    while (auto s = log.next())
      all.push_back(s->features);
  }
  Tensor take() { return all[read++]; }

private:
  std::vector<Tensor> all;
  size_t read = 0;
};

template <class T> void use(T &queue) {
  std::thread filling([&] { queue.produce(Log()); });
  for (int i = 0; i < 1000; ++i)
    queue.take().sum().template item<float>();
  filling.join();
}

int main() {
  Prefetcher<Log> loader{Log()};
  while (auto s = loader.next())
    s->features.sum().item<float>();
  Pending pending;
  use(pending);
  PendingByName pending_by_name;
  use(pending_by_name);
  Popped popped;
  use(popped);
  Swapped swapped;
  use(swapped);
  Moved moved;
  use(moved);
  Reset reset;
  use(reset);
  Epochs epochs;
  use(epochs);
  Ring ring;
  use(ring);
  Window window;
  use(window);
  Summed summed;
  use(summed);
  Lent lent;
  use(lent);
  Dataset dataset;
  use(dataset);
  epochs.restart();
  summed.sum();
}
