// One element is popped from a container that owns what it points to.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

struct Plan {
  size_t key;
  float *work;
};

// There is one to pop.
class PlanCache {
public:
  ~PlanCache() {
    for (auto &plan : plans_)
      cudaFree(plan.work);
  }
  void add(size_t key) {
    if (plans_.size() == 8)
      plans_.pop_back(); // expected-warning {{device memory in 'plans_.work' is lost here}} [tensor-unfreed-device-memory]
    Plan plan;
    plan.key = key;
    cudaMalloc(&plan.work, key); // expected-path {{'plans_.work' gets it here}}
    plans_.push_back(plan);
  }

private:
  std::vector<Plan> plans_;
};

class PlanCacheThatFrees {
public:
  ~PlanCacheThatFrees() {
    for (auto &plan : plans_)
      cudaFree(plan.work);
  }
  void add(size_t key) {
    if (plans_.size() == 8) {
      cudaFree(plans_.back().work);
      plans_.pop_back();
    }
    Plan plan;
    plan.key = key;
    cudaMalloc(&plan.work, key);
    plans_.push_back(plan);
  }

private:
  std::vector<Plan> plans_;
};

// Whether it is empty is not known where a loop empties it.
class PlansMadeAnew {
public:
  ~PlansMadeAnew() {
    for (auto &plan : plans_)
      cudaFree(plan.work);
  }
  void make(size_t key) {
    while (!plans_.empty())
      plans_.pop_back();
    Plan plan;
    plan.key = key;
    cudaMalloc(&plan.work, key);
    plans_.push_back(plan);
  }

private:
  std::vector<Plan> plans_;
};

// A number that is kept says nothing of the memory beside it; the pointer does.
class PlanStack {
public:
  ~PlanStack() {
    for (auto &plan : plans_)
      cudaFree(plan.work);
  }
  void push(size_t key) {
    Plan plan;
    plan.key = key;
    cudaMalloc(&plan.work, key); // expected-path {{'plans_.work' gets it here}}
    plans_.push_back(plan);
  }
  void pop() {
    const Plan &plan = plans_.back();
    last_ = plan.key;
    plans_.pop_back(); // expected-warning {{device memory in 'plans_.work' is lost here}} [tensor-unfreed-device-memory]
  }

private:
  std::vector<Plan> plans_;
  size_t last_ = 0;
};

class PlanStackThatKeeps {
public:
  ~PlanStackThatKeeps() {
    for (auto &plan : plans_)
      cudaFree(plan.work);
    cudaFree(spare_);
  }
  void push(size_t key) {
    Plan plan;
    plan.key = key;
    cudaMalloc(&plan.work, key);
    plans_.push_back(plan);
  }
  void take() {
    const Plan &plan = plans_.back();
    spare_ = plan.work;
    plans_.pop_back();
  }

private:
  std::vector<Plan> plans_;
  float *spare_ = nullptr;
};

void caches(size_t n) {
  PlanCache cache;
  PlanCacheThatFrees frees;
  PlansMadeAnew anew;
  PlanStack stack;
  PlanStackThatKeeps keeps;
  for (size_t i = 0; i < n; ++i) {
    cache.add(i);
    frees.add(i);
    anew.make(i);
    stack.push(i);
    stack.pop();
    keeps.push(i);
  }
  keeps.take();
}

// Two containers hand the same slots to each other.
struct Slot {
  float *buffer = nullptr;
};
struct Flying {
  Slot slot;
  int records;
};
class Slots {
public:
  explicit Slots(int n) {
    for (int i = 0; i < n; ++i) {
      Slot slot;
      cudaMalloc(&slot.buffer, 64);
      idle_.push_back(slot);
    }
  }
  ~Slots() {
    finish();
    for (Slot &slot : idle_)
      cudaFree(slot.buffer);
  }
  void feed(int records) {
    if (idle_.empty())
      retire();
    Slot slot = idle_.back();
    idle_.pop_back();
    Flying next{slot, records};
    flying_.push_back(next);
  }
  void finish() {
    while (!flying_.empty())
      retire();
  }

private:
  void retire() {
    Flying &oldest = flying_.front();
    idle_.push_back(oldest.slot);
    flying_.erase(flying_.begin());
  }
  std::vector<Slot> idle_;
  std::vector<Flying> flying_;
};

class SlotsThatAreLost {
public:
  explicit SlotsThatAreLost(int n) {
    for (int i = 0; i < n; ++i) {
      Slot slot;
      cudaMalloc(&slot.buffer, 64); // expected-path {{'idle_.buffer' gets it here}}
      idle_.push_back(slot);
    }
  }
  ~SlotsThatAreLost() {
    for (Slot &slot : idle_)
      cudaFree(slot.buffer);
  }
  void feed(int records) {
    Slot slot = idle_.back();
    idle_.pop_back(); // expected-warning {{device memory in 'idle_.buffer' is lost here}} [tensor-unfreed-device-memory]
    Flying next{slot, records};
    total_ += next.records;
  }

private:
  std::vector<Slot> idle_;
  int total_ = 0;
};
