// Objects behind plain pointers whose destructors give back what is the device's.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <memory>
#include <vector>

class Context {
public:
  Context() { cudaStreamCreate(&stream_); }
  ~Context() { cudaStreamDestroy(stream_); }
  Context(const Context &) = delete;
  cudaStream_t stream() const { return stream_; }
  void wait() { cudaStreamSynchronize(stream_); }
  void unseen();

private:
  cudaStream_t stream_;
};
void keep(Context *context);

void never_deleted() {
  Context *context = new Context; // expected-warning {{an object that owns device resources in 'context' is not given back before 'never_deleted' returns}} [tensor-unfreed-device-memory]
  cudaStreamSynchronize(context->stream());
  context->wait();
}

void not_on_every_way(bool ready) {
  auto *context = new Context; // expected-warning {{'context' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!ready)
    return; // expected-path {{this way out leaves it behind}}
  context->wait();
  delete context; // expected-path {{others are freed here}}
}

void deleted() {
  auto *context = new Context;
  context->wait();
  delete context;
}
std::unique_ptr<Context> owned() { return std::unique_ptr<Context>(new Context); }
std::shared_ptr<Context> shared() {
  Context *context = new Context;
  return std::shared_ptr<Context>(context);
}
Context *made() { return new Context; }
void kept() { keep(new Context); }
void kept_as_well() {
  auto *context = new Context;
  keep(context);
}
void goes_its_own_way() {
  auto *context = new Context;
  context->unseen(); // it may delete itself
}

void in_a_list(int n) {
  std::vector<Context *> all;
  for (int i = 0; i < n; ++i)
    all.push_back(new Context); // expected-warning {{'all[]' is not given back}} [tensor-unfreed-device-memory]
  for (Context *each : all)
    each->wait();
}
void deleted_from_a_list(int n) {
  std::vector<Context *> all;
  for (int i = 0; i < n; ++i)
    all.push_back(new Context);
  for (Context *each : all)
    delete each;
}

class Worker {
public:
  Worker() : context_(new Context) {} // expected-warning {{'context_' is never given back: the class has no destructor}} [tensor-unfreed-device-memory]
  void wait() { context_->wait(); }

private:
  Context *context_;
};
class CleanWorker {
public:
  CleanWorker() : context_(new Context) {}
  ~CleanWorker() { delete context_; }

private:
  Context *context_;
};

// One for the whole program.
Context &only() {
  static Context *context = new Context;
  return *context;
}

// What owns nothing of the device's is other tools' business.
struct Text {
  char *data = new char[8];
  ~Text() { delete[] data; }
};
void of_the_host() {
  auto *text = new Text;
  text->data[0] = 0;
}

//===-- A record of which a part is freed here ------------------------------===//

struct Pair {
  float *a, *b;
};
Pair make_pair_of(int n) {
  Pair p;
  cudaMalloc(&p.a, n);
  cudaMalloc(&p.b, n);
  return p;
}
void fill_pair(Pair *p, int n) {
  cudaMalloc(&p->a, n);
  cudaMalloc(&p->b, n); // expected-path {{it is allocated here}}
}
void free_pair(Pair *p) {
  cudaFree(p->a);
  cudaFree(p->b);
}
void one_part(int n) {
  Pair p;
  fill_pair(&p, n); // expected-warning {{'p' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  cudaFree(p.a);
}
void both_parts(int n) {
  Pair p = make_pair_of(n);
  cudaFree(p.a);
  cudaFree(p.b);
}
void by_its_function(int n) {
  Pair p;
  fill_pair(&p, n);
  free_pair(&p);
}

//===-- Deleters that do nothing ----------------------------------------------------===//

inline void keepAlive(float *) {}

struct Shared {
  std::shared_ptr<float> data;
};

// The pointer is borrowed.
Shared borrowed(float *data) { return {std::shared_ptr<float>(data, keepAlive)}; }

Shared owned_by_nobody(size_t n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back before 'owned_by_nobody' returns}} [tensor-unfreed-device-memory]
  return {std::shared_ptr<float>(data, keepAlive)};
}

void by_a_lambda(size_t n) {
  float *data;
  cudaMalloc(&data, n); // expected-warning {{device memory in 'data' is not given back before 'by_a_lambda' returns}} [tensor-unfreed-device-memory]
  std::shared_ptr<float> view(data, [](float *) {});
  cudaMemset(view.get(), 0, n);
}

Shared owned(size_t n) {
  float *data;
  cudaMalloc(&data, n);
  return {std::shared_ptr<float>(data, [](float *p) { cudaFree(p); })};
}

void viewed(size_t n) {
  float *data;
  cudaMalloc(&data, n);
  std::shared_ptr<float> view(data, keepAlive);
  cudaMemset(view.get(), 0, n);
  cudaFree(data);
}
