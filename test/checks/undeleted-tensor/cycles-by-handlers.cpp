// Objects that own themselves by a handler in a list of their own.
//
// RUN: %check_tensor %s
// RUN: %if torch %{ %check_tensor %s --real %}
#include <functional>
#include <map>
#include <memory>
#include <torch/torch.h>
#include <utility>
#include <vector>

class Bus {
public:
  using Handler = std::function<void(int)>;
  void subscribe(Handler handler) { handlers.push_back(std::move(handler)); }
  void publish(int step) const {
    for (auto &each : handlers)
      each(step);
  }

private:
  std::vector<Handler> handlers;
};

//===-- In a list of their own -------------------------------------------------===//

struct Listed : std::enable_shared_from_this<Listed> {
  void wire() {
    auto self = shared_from_this();
    handlers.push_back([self](int step) { self->note(step); }); // expected-warning {{the object owns itself through 'handlers': nothing frees it or its tensors; capture a 'std::weak_ptr'}} [tensor-undeleted-tensor]
  }
  void note(int) {}
  torch::Tensor weights = torch::rand({512, 512});
  std::vector<std::function<void(int)>> handlers;
};

struct WeaklyListed : std::enable_shared_from_this<WeaklyListed> {
  void wire() {
    std::weak_ptr<WeaklyListed> weak = shared_from_this();
    handlers.push_back([weak](int step) {
      if (auto self = weak.lock())
        self->note(step);
    });
  }
  void note(int) {}
  torch::Tensor weights = torch::rand({512, 512});
  std::vector<std::function<void(int)>> handlers;
};

// Each handler is run once.
struct RunOnce : std::enable_shared_from_this<RunOnce> {
  void wire() {
    auto self = shared_from_this();
    handlers.push_back([self] { self->weights.zero_(); });
  }
  void run() {
    auto now = std::move(handlers);
    for (auto &each : now)
      each();
  }
  torch::Tensor weights = torch::rand({512, 512});
  std::vector<std::function<void()>> handlers;
};

struct Swapped : std::enable_shared_from_this<Swapped> {
  void wire() {
    auto self = shared_from_this();
    handlers.push_back([self] { self->weights.zero_(); });
  }
  void run() {
    std::vector<std::function<void()>> now;
    std::swap(now, handlers);
    for (auto &each : now)
      each();
  }
  torch::Tensor weights = torch::rand({512, 512});
  std::vector<std::function<void()>> handlers;
};

struct Stopped : std::enable_shared_from_this<Stopped> {
  void wire() {
    auto self = shared_from_this();
    handlers[1] = [self] { self->weights.zero_(); };
  }
  void stop(int key) { handlers.erase(key); }
  torch::Tensor weights = torch::rand({512, 512});
  std::map<int, std::function<void()>> handlers;
};

//===-- By a part that keeps what it is given ------------------------------------===//

class Agent : public std::enable_shared_from_this<Agent> {
public:
  static std::shared_ptr<Agent> create() {
    auto agent = std::shared_ptr<Agent>(new Agent());
    agent->wire();
    return agent;
  }
  void fit() { bus.publish(1); }

private:
  Agent() {}
  void wire() {
    auto self = shared_from_this();
    bus.subscribe([self](int step) { self->note(step); }); // expected-warning {{the object owns itself through 'handlers'}} [tensor-undeleted-tensor]
  }
  void note(int) {}
  torch::Tensor weights = torch::rand({512, 512});
  Bus bus;
};

// The list is another's.
class Guest : public std::enable_shared_from_this<Guest> {
public:
  explicit Guest(Bus &bus) : bus(bus) {}
  void wire() {
    auto self = shared_from_this();
    bus.subscribe([self](int step) { self->note(step); });
  }

private:
  void note(int) {}
  torch::Tensor weights = torch::rand({512, 512});
  Bus &bus;
};

class ClearedBus {
public:
  void subscribe(std::function<void()> handler) { handlers.push_back(std::move(handler)); }
  void clear() { handlers.clear(); }

private:
  std::vector<std::function<void()>> handlers;
};

class Closed : public std::enable_shared_from_this<Closed> {
public:
  void wire() {
    auto self = shared_from_this();
    bus.subscribe([self] { self->weights.zero_(); });
  }
  void close() { bus.clear(); }

private:
  torch::Tensor weights = torch::rand({512, 512});
  ClearedBus bus;
};

// It calls what it is given, and keeps nothing.
class Caller {
public:
  void call(const std::function<void()> &function) { function(); }
};

class Asking : public std::enable_shared_from_this<Asking> {
public:
  void ask() {
    auto self = shared_from_this();
    caller.call([self] { self->weights.zero_(); });
  }

private:
  torch::Tensor weights = torch::rand({512, 512});
  Caller caller;
};
