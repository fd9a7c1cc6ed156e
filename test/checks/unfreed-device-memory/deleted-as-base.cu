// Objects that are deleted through a base class without a virtual destructor.
//
// RUN: %check_tensor %s --tool-arg=--checks=tensor-unfreed-device-memory,tensor-undeleted-tensor
// RUN: %if cuda-toolkit %{ %check_tensor %s --real --tool-arg=--checks=tensor-unfreed-device-memory,tensor-undeleted-tensor %}
#include <cuda_runtime.h>
#include <memory>
#include <torch/torch.h>
#include <vector>

struct Filter {
  virtual void run() = 0;
};

struct Blur : Filter {
  explicit Blur(int n) { cudaMalloc(&kernel, n); }
  ~Blur() { cudaFree(kernel); }
  void run() override { cudaMemset(kernel, 0, 4); }
  void *kernel;
};

std::unique_ptr<Filter> blur(int n) {
  return std::make_unique<Blur>(n); // expected-warning {{a 'Blur' is deleted as a 'Filter', which has no virtual destructor: what its destructor gives back stays, such as that in 'kernel'}} [tensor-unfreed-device-memory]
}

void add(std::vector<std::unique_ptr<Filter>> &filters, int n) {
  filters.emplace_back(new Blur(n)); // expected-path {{and here}}
}

// The destructor is that of a member.
class Buffer {
public:
  Buffer() { cudaMalloc(&data, 1024); }
  ~Buffer() { cudaFree(data); }
  Buffer(const Buffer &) = delete;

private:
  void *data;
};

struct Sharpen : Filter {
  void run() override {}
  Buffer buffer;
};

void sharpen() {
  Filter *filter = new Sharpen;
  filter->run();
  delete filter; // expected-warning {{a 'Sharpen' is deleted as a 'Filter', which has no virtual destructor: what its destructor gives back stays, such as that in 'buffer'}} [tensor-unfreed-device-memory]
}

struct Layer {
  virtual at::Tensor apply(at::Tensor x) = 0;
};

struct Dense : Layer {
  at::Tensor weight = torch::randn({1024, 1024});
  at::Tensor apply(at::Tensor x) override { return x.mm(weight); }
};

class Stack {
public:
  Stack() : first(new Dense) {} // expected-warning {{a 'Dense' is deleted as a 'Layer', which has no virtual destructor: its tensors are never freed, such as those in 'weight'}} [tensor-undeleted-tensor]
  void replace() { first = std::make_unique<Dense>(); } // expected-path {{and here}}

private:
  std::unique_ptr<Layer> first;
};

// Made in one place, deleted in another.
struct Stage {
  virtual void run() = 0;
};
struct Resample : Stage {
  explicit Resample(int n) { cudaMalloc(&table, n); }
  ~Resample() { cudaFree(table); }
  void run() override {}
  void *table;
};
class Pipeline {
public:
  void add(int n) { stages.push_back(new Resample(n)); }
  ~Pipeline() {
    for (Stage *each : stages)
      delete each; // expected-warning {{a 'Resample' is deleted as a 'Stage', which has no virtual destructor: what its destructor gives back stays, such as that in 'table'}} [tensor-unfreed-device-memory]
  }

private:
  std::vector<Stage *> stages;
};

// Near misses: the destructor runs, or has nothing to do.

struct SafeStage {
  virtual ~SafeStage() = default;
  virtual void run() = 0;
};
struct SafeResample : SafeStage {
  explicit SafeResample(int n) { cudaMalloc(&table, n); }
  ~SafeResample() { cudaFree(table); }
  void run() override {}
  void *table;
};
class SafePipeline {
public:
  void add(int n) { stages.push_back(new SafeResample(n)); }
  ~SafePipeline() {
    for (SafeStage *each : stages)
      delete each;
  }

private:
  std::vector<SafeStage *> stages;
};

// Deleted by what knows its class; the others of that base hold nothing.
struct Task {
  virtual void run() = 0;
};
struct CopyTask : Task {
  explicit CopyTask(int n) { cudaMalloc(&data, n); }
  ~CopyTask() { cudaFree(data); }
  void run() override {}
  void *data;
};
struct PlainTask : Task {
  void run() override {}
};
struct DeletesCopy {
  void operator()(Task *task) const { delete static_cast<CopyTask *>(task); }
};
std::unique_ptr<Task, DeletesCopy> copy_task(int n) {
  return std::unique_ptr<Task, DeletesCopy>(new CopyTask(n));
}
void run_plain(std::vector<Task *> &tasks) {
  tasks.push_back(new PlainTask);
  for (Task *each : tasks)
    delete each;
}

void shared(int n) {
  std::shared_ptr<Filter> filter = std::make_shared<Blur>(n); // deletes what it was made with
  filter->run();
}

void itself(int n) {
  auto filter = std::make_unique<Blur>(n);
  filter->run();
}

struct Safe {
  virtual ~Safe() = default;
  virtual void run() = 0;
};

struct SafeBlur : Safe {
  explicit SafeBlur(int n) { cudaMalloc(&kernel, n); }
  ~SafeBlur() { cudaFree(kernel); }
  void run() override { cudaMemset(kernel, 0, 4); }
  void *kernel;
};

std::unique_ptr<Safe> safe(int n) { return std::make_unique<SafeBlur>(n); }

struct Gray : Filter {
  void run() override {}
  int width = 0;
};

std::unique_ptr<Filter> gray() { return std::make_unique<Gray>(); }

// What the base holds, its destructor frees.
struct Owner {
  explicit Owner(int n) { cudaMalloc(&data, n); }
  ~Owner() { cudaFree(data); }
  Owner(const Owner &) = delete;
  void *data;
};

struct Named : Owner {
  using Owner::Owner;
  const char *name = "";
};

std::unique_ptr<Owner> named(int n) { return std::make_unique<Named>(n); }

struct AsItself {
  void operator()(Filter *filter) const { delete static_cast<Blur *>(filter); }
};

std::unique_ptr<Filter, AsItself> own_deleter(int n) {
  return std::unique_ptr<Filter, AsItself>(new Blur(n));
}

//===-- Templates that only the library makes objects of ----------------------===//

template <typename T> class Cell {
public:
  Cell() { cudaMalloc(&data_, sizeof(T)); }
  ~Cell() { cudaFree(data_); }
  Cell(const Cell &) = delete;

private:
  T *data_ = nullptr;
};

class Number {
public:
  ~Number() = default;
  int type() const { return type_; }

protected:
  explicit Number(int type) : type_(type) {}

private:
  int type_;
};
template <typename T> class NumberOf : public Number {
public:
  explicit NumberOf(int type) : Number(type) {}

private:
  Cell<T> cell_;
};
std::unique_ptr<Number> number() {
  return std::make_unique<NumberOf<double>>(1); // expected-warning {{a 'NumberOf' is deleted as a 'Number', which has no virtual destructor: what its destructor gives back stays, such as that in 'cell_'}} [tensor-unfreed-device-memory]
}
std::unique_ptr<NumberOf<int>> number_as_it_is() { return std::make_unique<NumberOf<int>>(1); }

//===-- Pointers to bases that get owners ---------------------------------------------===//

struct Kernel {
  virtual void run() = 0;
};
struct Table : Kernel {
  explicit Table(int n) { cudaMalloc(&table, n); }
  ~Table() { cudaFree(table); }
  void run() override {}
  float *table;
};
Kernel *make_kernel(int n) { return new Table(n); }
void owned_kernel(int n) {
  std::unique_ptr<Kernel> kernel(make_kernel(n)); // expected-warning {{a 'Table' is deleted as a 'Kernel', which has no virtual destructor}} [tensor-unfreed-device-memory]
  kernel->run();
}

struct SafeKernel {
  virtual ~SafeKernel() = default;
  virtual void run() = 0;
};
struct SafeTable : SafeKernel {
  explicit SafeTable(int n) { cudaMalloc(&table, n); }
  ~SafeTable() { cudaFree(table); }
  void run() override {}
  float *table;
};
SafeKernel *make_safe_kernel(int n) { return new SafeTable(n); }
void owned_safe_kernel(int n) {
  std::unique_ptr<SafeKernel> kernel(make_safe_kernel(n));
  kernel->run();
}

// Another deleter may know what it is.
struct HasOwnDeleter {
  virtual void run() = 0;
};
struct OwnTable : HasOwnDeleter {
  explicit OwnTable(int n) { cudaMalloc(&table, n); }
  ~OwnTable() { cudaFree(table); }
  void run() override {}
  float *table;
};
struct DeletesOwnTable {
  void operator()(HasOwnDeleter *p) const { delete static_cast<OwnTable *>(p); }
};
HasOwnDeleter *make_own_table(int n) { return new OwnTable(n); }
void with_own_deleter(int n) {
  std::unique_ptr<HasOwnDeleter, DeletesOwnTable> kernel(make_own_table(n));
  kernel->run();
}

//===-- Factories ---------------------------------------------------------------------===//

#include <functional>
#include <map>
#include <string>

struct Effect {
  virtual void run() = 0;
};
struct Grain : Effect {
  void run() override {}
  Buffer buffer;
};
struct Gain : Effect {
  void run() override {}
  float factor = 1;
};
struct SafeEffect {
  virtual ~SafeEffect() = default;
};
struct SafeGrain : SafeEffect {
  Buffer buffer;
};

std::map<std::string, std::function<std::unique_ptr<Effect>()>> &effects() {
  static std::map<std::string, std::function<std::unique_ptr<Effect>()>> all = {
      {"gain", [] { return std::make_unique<Gain>(); }},
      {"grain", [] { return std::make_unique<Grain>(); }}, // expected-warning {{a 'Grain' is deleted as a 'Effect', which has no virtual destructor}} [tensor-unfreed-device-memory]
  };
  all["other"] = [] { return std::make_unique<Grain>(); }; // expected-path {{and here}}
  return all;
}

std::function<std::unique_ptr<SafeEffect>()> safe_effect() {
  return [] { return std::make_unique<SafeGrain>(); };
}
