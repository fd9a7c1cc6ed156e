// Handles that are numbers are copied with the records that hold them, as pointers are.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <deque>

struct Target {
  int width = 0;
  cudaArray_t color = nullptr;
  cudaSurfaceObject_t surface = 0;
};
struct Retired {
  unsigned frame = 0;
  Target target;
};

Target create(int width) {
  Target made;
  made.width = width;
  cudaChannelFormatDesc texels = cudaCreateChannelDesc<float>();
  cudaMallocArray(&made.color, &texels, width);
  cudaResourceDesc about = {};
  about.resType = cudaResourceTypeArray;
  about.res.array.array = made.color;
  cudaCreateSurfaceObject(&made.surface, &about); // expected-path {{it is allocated here}}
  return made;
}
void destroy(Target &target) {
  cudaDestroySurfaceObject(target.surface);
  cudaFreeArray(target.color);
}

// The old target is in the queue, which is emptied later.
class Queued {
public:
  explicit Queued(int width) { target_ = create(width); }
  ~Queued() {
    for (Retired &each : retired_)
      destroy(each.target);
    destroy(target_);
  }
  void resize(int width) {
    if (width == target_.width)
      return;
    retired_.push_back({frame_, target_});
    target_ = create(width);
  }
  void resizeByName(int width) {
    if (width == target_.width)
      return;
    Retired old;
    old.target = target_;
    retired_.push_back(old);
    target_ = create(width);
  }

private:
  unsigned frame_ = 0;
  Target target_;
  std::deque<Retired> retired_;
};

// Nobody has the old surface but a variable that ends.
class Dropped {
public:
  explicit Dropped(int width) { target_ = create(width); }
  ~Dropped() { destroy(target_); }
  int resize(int width) {
    if (width == target_.width)
      return 0;
    Retired old;
    old.target = target_;
    cudaFreeArray(old.target.color);
    target_ = create(width); // expected-warning {{a surface object in 'target_.surface' replaces what it held before, which nothing gives back; call 'cudaDestroySurfaceObject' first}} [tensor-unfreed-device-memory]
    return old.target.width;
  }

private:
  Target target_;
};

//===-- A copy on the heap ------------------------------------------------------===//

struct Erased {
  void *object;
  void (*end)(void *);
};
static void end_surface(void *object) {
  auto *surface = static_cast<cudaSurfaceObject_t *>(object);
  cudaDestroySurfaceObject(*surface);
  delete surface;
}

void erased(std::deque<Erased> &all, const cudaResourceDesc &about) {
  for (int i = 0; i < 8; ++i) {
    cudaSurfaceObject_t surface;
    if (cudaCreateSurfaceObject(&surface, &about) == cudaSuccess)
      all.push_back({new cudaSurfaceObject_t(surface), end_surface});
  }
}

void another_number(std::deque<int *> &all, const cudaResourceDesc &about) {
  for (int i = 0; i < 8; ++i) {
    cudaSurfaceObject_t surface; // expected-path {{it is overwritten here}}
    if (cudaCreateSurfaceObject(&surface, &about) == cudaSuccess) // expected-warning {{'surface' is taken anew in each round}} [tensor-unfreed-device-memory]
      all.push_back(new int(i));
  }
}
