// Members that somebody gives back. Nothing to say here.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <memory>
#include <map>
#include <utility>
#include <vector>

template <class T> inline void free_and_clear(T **p) {
  cudaFree(*p);
  *p = nullptr;
}

struct Model {
  float *params, *acts, *grads, *alias;
  cublasHandle_t handle;
};
float *model_alloc(float **alias, int n) {
  float *memory;
  cudaMalloc(&memory, n);
  *alias = memory + n / 2;
  return memory;
}
void model_build(Model *model, int n) {
  model->params = model_alloc(&model->alias, n);
  cudaMalloc(&model->acts, n);
  cublasCreate(&model->handle);
}
void model_backward(Model *model, int n) {
  if (model->grads == NULL)
    cudaMalloc(&model->grads, n);
}
void model_free(Model *model) {
  free_and_clear(&model->params);
  free_and_clear(&model->acts);
  free_and_clear(&model->grads);
  cublasDestroy(model->handle);
}
void train(int n) {
  Model model;
  model_build(&model, n);
  for (int i = 0; i < 100; ++i)
    model_backward(&model, n);
  model_free(&model);
}

class Buffer {
public:
  explicit Buffer(size_t n) { resize(n); }
  Buffer(const Buffer &) = delete;
  Buffer(Buffer &&other) : data(other.data), size(other.size) { other.data = nullptr; }
  ~Buffer() { release(); }
  void resize(size_t n) {
    release();
    cudaMalloc(&data, n);
    size = n;
  }
  float *get() const { return data; }

private:
  void release() {
    if (data)
      cudaFree(data);
    data = nullptr;
  }
  float *data = nullptr;
  size_t size = 0;
};

class Many {
public:
  explicit Many(int count) : buffers(count) {
    for (auto &each : buffers)
      cudaMalloc(&each, 1024);
    for (int i = 0; i < 4; ++i)
      cudaStreamCreate(&streams[i]);
  }
  ~Many() {
    for (float *each : buffers)
      cudaFree(each);
    for (cudaStream_t each : streams)
      cudaStreamDestroy(each);
  }

private:
  std::vector<float *> buffers;
  cudaStream_t streams[4];
};

// Elements of containers, by whatever means the destructor reaches them.
class Containers {
public:
  cudaStream_t stream(int device) {
    if (streams.count(device) == 0)
      cudaStreamCreate(&streams[device]);
    return streams[device];
  }
  void grow(int count) {
    events.resize(count);
    buffers.resize(count);
    named.resize(count);
    for (int i = 0; i < count; ++i) {
      cudaEventCreate(&events[i]);
      cudaMalloc(&buffers[i], 1024);
      cudaMalloc(&named[i].second, 1024);
      cudaMalloc(&tables[i], 1024);
      cudaMalloc(&views[i], 1024);
    }
  }
  void add() {
    listed.emplace_back();
    cudaMalloc(&listed.back(), 1024);
  }
  ~Containers() {
    for (int i = 0; i < listed.size(); ++i)
      cudaFree(listed.at(i));
    for (std::map<int, cudaStream_t>::iterator it = streams.begin(); it != streams.end(); ++it)
      cudaStreamDestroy(it->second);
    streams.clear();
    for (auto it = events.begin(); it != events.end(); ++it)
      cudaEventDestroy(*it);
    std::vector<float *>::const_iterator at;
    for (at = buffers.begin(); at != buffers.end(); ++at)
      cudaFree(*at);
    for (auto &each : tables)
      cudaFree(each.second);
    for (const auto &[key, view] : views)
      cudaFree(view);
    for (auto it = named.rbegin(); it != named.rend(); ++it)
      cudaFree((*it).second);
  }

private:
  std::map<int, cudaStream_t> streams;
  std::vector<cudaEvent_t> events;
  std::vector<float *> buffers, listed;
  std::vector<std::pair<int, float *>> named;
  std::map<int, float *> tables, views;
};

// A pair of its own holds two.
void two_of_a_pair(int n) {
  std::pair<float *, float *> both;
  cudaMalloc(&both.first, n);
  cudaMalloc(&both.second, n);
  cudaFree(both.first);
  cudaFree(both.second);
}

// The destructor is in another file, or calls what is.
class Elsewhere {
public:
  Elsewhere() { cudaMalloc(&data, 1024); }
  ~Elsewhere();

private:
  float *data;
};

void free_all(void *object);
class ThroughAnother {
public:
  ThroughAnother() { cudaMalloc(&data, 1024); }
  ~ThroughAnother() { free_all(this); }

private:
  float *data;
};

void pool_return(float *memory);
class Pooled {
public:
  Pooled() {
    cudaMalloc(&data, 1024);
    cudaMalloc(&other, 1024);
  }
  ~Pooled() {
    pool_return(data);
    cudaFree(other);
  }

private:
  float *data, *other;
};

// Taken over by a smart pointer.
struct Deleter {
  void operator()(float *p) const { cudaFree(p); }
};
class Smart {
public:
  Smart() {
    float *p;
    cudaMalloc(&p, 1024);
    data.reset(p);
  }

private:
  std::unique_ptr<float, Deleter> data;
};

// The free function of a plain struct may be in another file.
struct Open {
  float *data;
};
void open_init(Open *open) { cudaMalloc(&open->data, 1024); }

// A getter that allocates at the first call, called again and again.
class Lazy {
public:
  ~Lazy() { cudaFree(data); }
  float *get() {
    if (data == nullptr)
      cudaMalloc(&data, 1024);
    return data;
  }

private:
  float *data = nullptr;
};
void use(const float *first, const float *second);
class UsesLazy {
public:
  void run() {
    use(lazy->get(), lazy->get());
    use(lazy->get(), lazy->get());
  }

private:
  Lazy *lazy;
};

// The second call finds it there.
struct Workspace {
  float *memory;
  bool ready;
};
void workspace_init(Workspace *w) {
  if (w->ready)
    return;
  cudaMalloc(&w->memory, 1024);
  w->ready = true;
}
void workspace_free(Workspace *w) { cudaFree(w->memory); }
void uses_workspace() {
  Workspace w = {};
  workspace_init(&w);
  workspace_init(&w);
  workspace_free(&w);
}

// The base class takes nothing here: the derived one does.
class MayLoad {
public:
  explicit MayLoad(bool load) {
    if (load)
      init();
  }
  virtual ~MayLoad() { cudaFree(kernel); }

protected:
  virtual void init() { cudaMalloc(&kernel, 1024); }
  float *kernel = nullptr;
};
class LoadsItself : public MayLoad {
public:
  LoadsItself() : MayLoad(false) { init(); }

protected:
  void init() override { cudaMalloc(&kernel, 2048); }
};

// A copy of a record stands for the same memory.
struct Arrays {
  float *a, *b;
};
void arrays_init(Arrays *arrays) {
  cudaMalloc(&arrays->a, 1024);
  cudaMalloc(&arrays->b, 1024);
}
void arrays_free(Arrays *arrays) {
  Arrays copy = *arrays;
  cudaFree(copy.a);
  cudaFree(copy.b);
}
class SetFrom {
public:
  ~SetFrom() {
    cudaFree(first.a);
    cudaFree(first.b);
  }
  void setFirst(Arrays arrays) { first = arrays; }
  void setBorrowed(Arrays arrays) { borrowed = arrays; }

private:
  Arrays first, borrowed;
};
Arrays arrays_make() {
  Arrays result;
  cudaMalloc(&result.a, 1024);
  cudaMalloc(&result.b, 1024);
  return result;
}
void fills(SetFrom *object, Arrays mine) {
  Arrays made = arrays_make();
  object->setFirst(made);
  object->setBorrowed(mine);
}

// The destructors of bases and members run when a constructor throws.
class ThrowsLate : public MayLoad {
public:
  explicit ThrowsLate(int n) : MayLoad(true) {
    if (n < 0)
      throw n;
    init();
  }
};
struct OwnsBuffer {
  ~OwnsBuffer() { cudaFree(data); }
  float *data = nullptr;
};
class ThrowsWithMember {
public:
  explicit ThrowsWithMember(int n) {
    cudaMalloc(&buffer.data, 1024);
    if (n < 0)
      throw n;
  }

private:
  OwnsBuffer buffer;
};

// Two mappings in one reserved range, kept as ordinary pointers.
class Mapped {
public:
  void map(CUmemGenericAllocationHandle first, CUmemGenericAllocationHandle second, size_t n) {
    CUdeviceptr range;
    cuMemAddressReserve(&range, 2 * n, 0, 0, 0);
    CUdeviceptr begin = range;
    CUdeviceptr middle = begin + n;
    front = (float *)begin;
    back = (float *)middle;
    size = 2 * n;
    cuMemMap(begin, n, 0, first, 0);
    cuMemMap(middle, n, 0, second, 0);
  }
  void unmap() {
    cuMemUnmap((CUdeviceptr)front, size);
    cuMemAddressFree((CUdeviceptr)front, size);
  }

private:
  float *front, *back;
  size_t size;
};

// A member that is a reference is a part of another object, which gives it back.
struct Libraries {
  Libraries() { cublasCreate(&blas); }
  ~Libraries() { cublasDestroy(blas); }
  cublasHandle_t blas;
};
class UsesLibraries {
public:
  UsesLibraries(Libraries &libraries, int n) : libraries(libraries) { cudaMalloc(&data, n); }
  ~UsesLibraries() { cudaFree(data); }

private:
  Libraries &libraries;
  float *data;
};
void use_libraries() {
  Libraries libraries;
  UsesLibraries uses(libraries, 64);
}
