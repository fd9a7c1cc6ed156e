// Members that the destructor or the free function forgets, and classes without one (row 24).
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <cufft.h>

#include <map>
#include <stdexcept>

// C style.
struct Model {
  float *params, *grads, *master;
  int n;
};
void model_build(Model *model, int n) {
  model->n = n;
  cudaMalloc((void **)&model->params, n);
  cudaMalloc((void **)&model->grads, n);
}
void model_update(Model *model) {
  if (model->master == nullptr)
    cudaMalloc((void **)&model->master, model->n); // expected-warning {{'model_free' frees 'grads', 'params' and forgets it}} [tensor-unfreed-device-memory]
}
void model_free(Model *model) { // expected-path {{'model_free' is here}}
  cudaFree(model->params);
  cudaFree(model->grads);
}

struct Config {
  cudaStream_t stream;
  float *buffer;
};
Config config_init() {
  Config result;
  cudaStreamCreate(&result.stream);
  cudaMallocManaged(&result.buffer, sizeof(float)); // expected-warning {{'config_free'}} [tensor-unfreed-device-memory]
  return result;
}
void config_free(Config *config) { cudaStreamDestroy(config->stream); } // expected-path {{'config_free' is here}}

// A class.
class Plan {
public:
  explicit Plan(int n) {
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    cudaMalloc(&input, n);
    cudaMalloc(&output, n); // expected-warning {{'~Plan'}} [tensor-unfreed-device-memory]
  }
  ~Plan() { // expected-path {{'~Plan' is here}}
    cufftDestroy(plan);
    cudaFree(input);
  }

private:
  cufftHandle plan;
  float *input, *output;
};

class NoDestructor {
public:
  explicit NoDestructor(int n) {
    cudaMalloc(&data, n); // expected-warning {{no destructor}} [tensor-unfreed-device-memory]
  }
  int size() const { return 0; }

private:
  float *data;
};

class EmptyDestructor {
public:
  EmptyDestructor(int n) {
    cudaMalloc(&data, n); // expected-warning {{the destructor does not}} [tensor-unfreed-device-memory]
  }
  ~EmptyDestructor() {} // expected-path {{'~EmptyDestructor' is here}}

private:
  float *data;
};

class Throws {
public:
  explicit Throws(int n) {
    if (cudaMalloc(&first, n) != cudaSuccess) // expected-warning {{constructor throws}} [tensor-unfreed-device-memory]
      throw std::runtime_error("first");
    if (cudaMalloc(&second, n) != cudaSuccess)
      throw std::runtime_error("second"); // expected-path {{this way out leaves it behind}}
  }
  ~Throws() {
    cudaFree(first);
    cudaFree(second);
  }

private:
  float *first, *second;
};

class Base {
public:
  Base() { init(); }
  ~Base() { cudaFree(kernel); }

protected:
  void init() { cudaMalloc(&kernel, 1024); } // expected-path {{it is allocated here}}
  float *kernel;
};
class Derived : public Base {
public:
  Derived() : Base() { // expected-warning {{'kernel'}} [tensor-unfreed-device-memory]
    init(); // expected-path {{it is overwritten here}}
  }
};

class Resized {
public:
  explicit Resized(int n) { cudaMalloc(&data, n); }
  ~Resized() { cudaFree(data); }
  void resize(int n) {
    cudaMalloc(&data, n); // expected-warning {{replaces}} [tensor-unfreed-device-memory]
  }
  void resize_freed(int n) {
    cudaFree(data);
    cudaMalloc(&data, n);
  }
  void resize_when_empty(int n) {
    if (data)
      return;
    cudaMalloc(&data, n);
  }

private:
  float *data;
};

class Filled {
public:
  Filled() : data(nullptr) {}
  ~Filled() { cudaFree(data); }
  void fill(int n) { cudaMalloc(&data, n); } // expected-note {{is taken anew by each call of 'fill'}} [tensor-unfreed-device-memory]

private:
  float *data;
};

// An object of this file that nobody frees.
struct Context {
  float *a, *b;
};
void context_init(Context *context, int n) {
  cudaMalloc(&context->a, n); // expected-path {{it is allocated here}}
  cudaMalloc(&context->b, n);
}
void context_free(Context *context) {
  cudaFree(context->a);
  cudaFree(context->b);
}
void uses_context(int n) {
  Context context;
  context_init(&context, n); // expected-warning {{'context'}} [tensor-unfreed-device-memory]
}
void frees_context(int n) {
  Context context;
  context_init(&context, n);
  context_free(&context);
}

// What a setter is given.
struct Array {
  float *data;
  int size;
};
Array array_make(int n) {
  Array result;
  cudaMalloc(&result.data, n); // expected-path {{it is allocated here}}
  result.size = n;
  return result;
}
class Operator {
public:
  ~Operator() { // expected-path {{'~Operator' is here}}
    cudaFree(trajectory.data);
    cudaFree(centers.data);
  }
  void setTrajectory(Array array) { trajectory = array; }
  void setCenters(Array array) { centers = array; }
  void setDensity(Array array) { density = array; }

private:
  Array trajectory, centers, density;
};
Array density_make(int n) { return array_make(n); }
Operator *operator_make(int n) {
  Operator *op = new Operator;
  Array centers = array_make(n);
  op->setCenters(centers);
  op->setTrajectory(array_make(n));
  Array density;
  if (n > 8)
    density = density_make(n); // expected-warning {{'~Operator' frees}} [tensor-unfreed-device-memory]
  op->setDensity(density);
  return op;
}

// The base class has taken it, whichever constructor of the derived one runs.
class Loads {
public:
  Loads() { init(); }
  virtual ~Loads() { cudaFree(kernel); }

protected:
  virtual void init() { cudaMalloc(&kernel, 1024); } // expected-path {{it is allocated here}}
  float *kernel = nullptr;
};
class LoadsAgain : public Loads {
public:
  explicit LoadsAgain(int n) { // expected-warning {{'kernel' is overwritten}} [tensor-unfreed-device-memory]
    if (n < 0)
      throw std::runtime_error("n");
    init(); // expected-path {{it is overwritten here}}
  }
};
class LoadsOnceMore : public LoadsAgain {
public:
  explicit LoadsOnceMore(int n) : LoadsAgain(n) { // expected-warning {{'kernel' is overwritten}} [tensor-unfreed-device-memory]
    init(); // expected-path {{it is overwritten here}}
  }
};

// One container is gone through, and the other is not.
class Containers {
public:
  void add(int key, int n) {
    cudaMalloc(&tables[key], n); // expected-note {{'tables' is taken anew by each call of 'add'}} [tensor-unfreed-device-memory] expected-path {{callers say here}}
    cudaMalloc(&views[key], n); // expected-warning {{'~Containers' frees 'tables' and forgets it}} [tensor-unfreed-device-memory]
  }
  ~Containers() { // expected-path {{'~Containers' is here}}
    for (auto it = tables.begin(); it != tables.end(); ++it)
      cudaFree(it->second);
    for (auto it = views.begin(); it != views.end(); ++it)
      cudaMemset(it->second, 0, 4);
  }

private:
  std::map<int, float *> tables, views;
};

// The same in lambdas that capture the iterator.
class GoneThroughByLambda {
public:
  void add(int key, int n) {
    cudaMalloc(&tables[key], n); // expected-note {{'tables' is taken anew by each call of 'add'}} [tensor-unfreed-device-memory] expected-path {{callers say here}}
    cudaMalloc(&views[key], n); // expected-warning {{'~GoneThroughByLambda' frees 'tables' and forgets it}} [tensor-unfreed-device-memory]
  }
  ~GoneThroughByLambda() { // expected-path {{'~GoneThroughByLambda' is here}}
    for (auto it = tables.begin(); it != tables.end(); ++it)
      [&] { cudaFree(it->second); }();
    for (auto it = views.begin(); it != views.end(); ++it)
      [&] { cudaMemset(it->second, 0, 4); }();
  }

private:
  std::map<int, float *> tables, views;
};

// The pointers in the container are gone through, and not what lies behind them, which goes with
// the record.
struct Slot {
  float *data;
};
class Slots {
public:
  void add(int key, int n) {
    slots[key] = new Slot;
    cudaMalloc(&slots[key]->data, n); // expected-warning {{'~Slots' gives back the record around it, and not what is in it}} [tensor-unfreed-device-memory]
  }
  ~Slots() {
    for (auto it = slots.begin(); it != slots.end(); ++it)
      delete it->second; // expected-path {{the record is given back here}}
  }

private:
  std::map<int, Slot *> slots;
};

//===-- What cleans up after an error is no free function -------------------===//

struct Queue {
  cudaStream_t work, copies;
  float *scratch;
};
Queue *queue_open(int n) {
  Queue *queue = (Queue *)malloc(sizeof(Queue));
  if (!queue)
    return nullptr;
  if (cudaStreamCreate(&queue->work) != cudaSuccess)
    goto fail_work;
  if (cudaStreamCreate(&queue->copies) != cudaSuccess) // expected-warning {{'queue_close' frees 'scratch', 'work' and forgets it}} [tensor-unfreed-device-memory]
    goto fail_copies;
  if (cudaMalloc((void **)&queue->scratch, n) != cudaSuccess)
    goto fail_scratch;
  return queue;
fail_scratch:
  cudaStreamDestroy(queue->copies);
fail_copies:
  cudaStreamDestroy(queue->work);
fail_work:
  free(queue);
  return nullptr;
}
void queue_close(Queue *queue) { // expected-path {{'queue_close' is here}}
  cudaFree(queue->scratch);
  cudaStreamDestroy(queue->work);
  free(queue);
}

// Freed where it is taken: nothing is left for others.
struct Step {
  float *kept, *temporary;
};
void step_begin(Step *step, int n) { cudaMalloc((void **)&step->kept, n); }
void step_run(Step *step, int n) {
  cudaMalloc((void **)&step->temporary, n);
  cudaMemset(step->temporary, 0, n);
  cudaFree(step->temporary);
}
void step_end(Step *step) { cudaFree(step->kept); }
