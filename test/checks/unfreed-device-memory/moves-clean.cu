// Memory whose owner is another. Nothing to say here.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>

#include <cstdarg>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>
#include <vector>

__global__ void kernel(float *data, int n) {}

// Out of the function.
float *returned(int n) {
  float *p;
  cudaMalloc(&p, n);
  return p;
}
cudaError_t through_a_parameter(float **out, int n) { return cudaMalloc(out, n); }
void through_a_reference(float *&out, int n) { cudaMalloc(&out, n); }
int through_a_local(float **out, int n) {
  float *p;
  if (cudaMalloc(&p, n) != cudaSuccess)
    return 1;
  *out = p;
  return 0;
}
struct Pair {
  float *a;
  int n;
};
Pair in_a_record(int n) {
  float *p;
  cudaMalloc(&p, n);
  return {p, n};
}
Pair *in_a_new_record(int n) {
  float *p;
  cudaMalloc(&p, n);
  return new Pair{p, n};
}

// Into something that lives on.
static std::map<int, float *> cache;
extern std::vector<float *> all; // other files name it
std::vector<float *> all;
float *cached(int n) {
  auto it = cache.find(n);
  if (it != cache.end())
    return it->second;
  float *p;
  cudaMalloc(&p, n);
  cache[n] = p;
  return p;
}
void uses_cached(int n) { kernel<<<1, 32>>>(cached(n), n); }
void collected(int n) {
  float *p;
  cudaMalloc(&p, n);
  all.push_back(p);
}
struct Node {
  float *data;
  Node *next;
};
void linked(Node *node, int n) {
  float *p;
  cudaMalloc(&p, n);
  node->next->data = p;
}
__device__ float *on_device;
void published(int n) {
  float *p;
  cudaMalloc(&p, n);
  cudaMemcpyToSymbol(on_device, &p, sizeof(p));
}

// Wrappers.
template <typename T> T *alloc(size_t n) {
  void *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess)
    return nullptr;
  return static_cast<T *>(p);
}
template <typename T> void release(T *&p) {
  if (p)
    cudaFree(p);
  p = nullptr;
}
template <typename... Ts> void release_all(Ts *...p) { (cudaFree(p), ...); }
void release_list(void *first, ...) {
  va_list list;
  va_start(list, first);
  for (void *p = first; p; p = va_arg(list, void *))
    cudaFree(p);
  va_end(list);
}
void wrapped(int n) {
  float *a = alloc<float>(n), *b = alloc<float>(n), *c = alloc<float>(n), *d = alloc<float>(n),
        *e = alloc<float>(n);
  kernel<<<1, 32>>>(a, n);
  release(a);
  release_all(b, c);
  release_list(d, e, nullptr);
}

struct Layer {
  float *weights;
  int n;
};
class Net {
public:
  void add(int n) {
    Layer layer;
    cudaMalloc(&layer.weights, n);
    layers.push_back(layer);
  }
  void set(int n) {
    Layer layer;
    cudaMalloc(&layer.weights, n);
    last = layer;
  }
  ~Net() {
    for (Layer &layer : layers)
      cudaFree(layer.weights);
    cudaFree(last.weights);
  }

private:
  std::vector<Layer> layers;
  Layer last;
};
struct Mesh {
  float *vertices;
};
Mesh *on_the_device(int n) {
  Mesh mesh, *copy;
  cudaMalloc(&mesh.vertices, n);
  cudaMalloc(&copy, sizeof(Mesh));
  cudaMemcpy(copy, &mesh, sizeof(Mesh), cudaMemcpyHostToDevice);
  return copy;
}
void finished(void *data);
void freed_by_a_callback(cudaStream_t stream) {
  float *host;
  cudaMallocHost(&host, 1024);
  cudaLaunchHostFunc(stream, finished, host);
}
float *either(bool on_device, int n) {
  float *p;
  if (on_device)
    cudaMalloc(&p, n);
  else
    p = (float *)malloc(n);
  return p;
}
void uses_either(int n) {
  float *host = either(false, n), *device = either(true, n);
  cudaMemcpy(device, host, n, cudaMemcpyHostToDevice);
  free(host);
  cudaFree(device);
}

struct Context {
  float *a;
  cudaStream_t stream;
};
int context_create(Context **out, int n) {
  Context *c = (Context *)calloc(1, sizeof(Context));
  if (cudaMalloc(&c->a, n) != cudaSuccess) {
    free(c);
    return 1;
  }
  cudaStreamCreate(&c->stream);
  *out = c;
  return 0;
}
void context_destroy(Context *c) {
  cudaFree(c->a);
  cudaStreamDestroy(c->stream);
  free(c);
}

// Who may free it: a function of another file that gets nothing else.
void give_back(float *p);
void handed_over(int n) {
  float *p;
  cudaMalloc(&p, n);
  give_back(p);
}
void registered(float **p);
void by_address(int n) {
  float *p;
  cudaMalloc(&p, n);
  registered(&p);
}
class Registry {
public:
  void add(float *p);
};
void kept_by_an_object(Registry &registry, int n) {
  float *p;
  cudaMalloc(&p, n);
  registry.add(p);
}

// Owners.
struct Deleter {
  void operator()(float *p) const { cudaFree(p); }
};
void smart(int n) {
  float *p;
  cudaMalloc(&p, n);
  std::unique_ptr<float, Deleter> owner(p);
  kernel<<<1, 32>>>(p, n);
}
void shared(int n) {
  float *p;
  cudaMalloc(&p, n);
  std::shared_ptr<float> owner(p, [](float *q) { cudaFree(q); });
}
class Guard {
public:
  explicit Guard(void *p) : p(p) {}
  ~Guard() { cudaFree(p); }

private:
  void *p;
};
bool ready();
bool guarded(int n) {
  float *p;
  cudaMalloc(&p, n);
  Guard guard(p);
  if (!ready())
    return false;
  kernel<<<1, 32>>>(p, n);
  return true;
}
template <class F> struct Finally {
  F f;
  ~Finally() { f(); }
};
template <class F> Finally<F> finally(F f) { return {f}; }
bool with_lambda(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  auto cleanup = [&] {
    cudaFree(a);
    cudaFree(b);
  };
  if (!ready()) {
    cleanup();
    return false;
  }
  cleanup();
  return true;
}
bool at_the_end(int n) {
  float *p;
  cudaMalloc(&p, n);
  auto end = finally([&] { cudaFree(p); });
  return ready();
}

// One slab, several pointers.
void slab(int n) {
  float *base, *second;
  cudaMalloc(&base, 2 * n);
  second = base + n;
  kernel<<<1, 32>>>(second, n);
  cudaFree(base);
}
void swapped(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  for (int i = 0; i < 10; ++i) {
    kernel<<<1, 32>>>(a, n);
    std::swap(a, b);
  }
  cudaFree(a);
  cudaFree(b);
}
void swapped_by_hand(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  for (int i = 0; i < 10; ++i) {
    float *t = a;
    a = b;
    b = t;
  }
  cudaFree(a);
  cudaFree(b);
}

void through_a_view(int n) {
  float *p;
  cudaMalloc(&p, n);
  thrust::device_ptr<float> view(p);
  cudaFree(thrust::raw_pointer_cast(view));
}

// Arithmetic on the address as an integer.
struct Plane {
  Plane(int w, float *data) : w(w), data(data) {}
  Plane() {}
  int w;
  float *data;
};
struct Planes {
  Plane *planes;
  void alloc(int n) {
    void *all;
    size_t pitch;
    cudaMallocPitch(&all, &pitch, n * sizeof(float), n * 8);
    planes = new Plane[8];
    for (int i = 0; i < 8; ++i)
      planes[i] = Plane(n, (float *)((intptr_t)all + i * (pitch * n)));
  }
  void free() {
    cudaFree(planes[0].data);
    delete[] planes;
  }
};
struct Aligned {
  float *data;
};
void aligned(Aligned *out, int n) {
  char *block;
  cudaMalloc(&block, n + 255);
  out->data = (float *)(((uintptr_t)block + 255) & ~(uintptr_t)255);
}

// The memory is the caller's, and its registration ends where the caller says so.
void begin_transfers(float *host, size_t bytes) { cudaHostRegister(host, bytes, 0); }
void end_transfers(float *host) { cudaHostUnregister(host); }

// A smart pointer keeps what it is given, whatever the type.
struct Release {
  template <typename T> void operator()(T *p) const { cudaFree(p); }
};
template <typename T> class Owner {
  std::shared_ptr<T> data_;

public:
  explicit Owner(int n) {
    T *p;
    cudaMalloc(&p, n * sizeof(T));
    data_.reset(p, Release());
  }
};
void owners() {
  Owner<float> floats(8);
  Owner<unsigned char> bytes(8);
  Owner<char> characters(8);
}

// A growing array of the program's own: what is put into the memory that the same call takes.
struct Held {
  Held(float *data) : data(data) {}
  float *data;
};
class HeldList {
public:
  void add(const Held &each) {
    if (!items)
      items = (Held *)new unsigned char[64 * sizeof(Held)];
    items[count++] = each;
  }
  ~HeldList() {
    for (int i = 0; i < count; ++i)
      cudaFree(items[i].data);
    delete[] (unsigned char *)items;
  }

private:
  Held *items = nullptr;
  int count = 0;
};
void fill(HeldList &list, int n) {
  for (int i = 0; i < n; ++i) {
    float *data = nullptr;
    cudaMalloc(&data, n);
    Held each(data);
    list.add(each);
  }
}
