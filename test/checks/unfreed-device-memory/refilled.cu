// A function that shows by itself that it is called again: it gives back what other members hold,
// or goes round a ring.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdlib>
#include <cuda_runtime.h>
#include <string.h>
#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != cudaSuccess)                                                                     \
      std::exit(1);                                                                                \
  } while (0)

//===-- Beside others -----------------------------------------------------===//

class Blur {
public:
  ~Blur() {
    cudaFree(in);
    cudaFree(scratch);
    cudaFree(out);
  }
  void resize(size_t bytes) {
    if (in)
      CHECK(cudaFree(in)); // expected-path {{another member is given back here}}
    if (out)
      CHECK(cudaFree(out));
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&scratch, bytes)); // expected-warning {{in 'scratch' replaces what it held before}} [tensor-unfreed-device-memory]
    CHECK(cudaMalloc(&out, bytes));
  }

private:
  float *in = nullptr, *scratch = nullptr, *out = nullptr;
};

// All of them are given back.
class Sharpen {
public:
  ~Sharpen() { clear(); }
  void resize(size_t bytes) {
    clear();
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&scratch, bytes));
  }

private:
  void clear() {
    cudaFree(in);
    cudaFree(scratch);
  }
  float *in = nullptr, *scratch = nullptr;
};

// What is given back where the second cannot be had is not there any more where it can.
struct Scene {
  cudaArray_t pixels = nullptr;
  cudaTextureObject_t texture = 0;
};

void unbind(Scene &scene) {
  if (scene.texture)
    cudaDestroyTextureObject(scene.texture);
  if (scene.pixels)
    cudaFreeArray(scene.pixels);
}

bool bind(const cudaChannelFormatDesc &format, const void *data, Scene &scene) {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  if (cudaMallocArray(&scene.pixels, &format, 64, 64) != cudaSuccess)
    return false;
  if (cudaMemcpy2DToArray(scene.pixels, 0, 0, data, 64, 64, 64, cudaMemcpyHostToDevice) !=
      cudaSuccess) {
    unbind(scene);
    return false;
  }
  if (cudaCreateTextureObject(&scene.texture, &resource, &texture, nullptr) != cudaSuccess) {
    unbind(scene);
    return false;
  }
  return true;
}

// Here it is the one of the call before.
bool bindAnew(const cudaChannelFormatDesc &format, Scene &scene) {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  if (scene.texture)
    cudaDestroyTextureObject(scene.texture); // expected-path {{another member is given back here}}
  if (cudaMallocArray(&scene.pixels, &format, 64, 64) != cudaSuccess) // expected-warning {{in 'pixels' replaces what it held before}} [tensor-unfreed-device-memory]
    return false;
  if (cudaCreateTextureObject(&scene.texture, &resource, &texture, nullptr) != cudaSuccess) {
    unbind(scene);
    return false;
  }
  return true;
}

// The scratch is as large as all need, and is taken once.
class TakenOnce {
public:
  ~TakenOnce() {
    cudaFree(in);
    cudaFree(scratch);
  }
  void resize(size_t bytes) {
    cudaFree(in);
    CHECK(cudaMalloc(&in, bytes));
    if (!scratch)
      CHECK(cudaMalloc(&scratch, 1024));
  }

private:
  float *in = nullptr, *scratch = nullptr;
};

// It is taken where another condition says that it is the first time.
class TakenElsewhere {
public:
  ~TakenElsewhere() {
    cudaFree(in);
    cudaFree(scratch);
  }
  void resize(size_t bytes, bool first) {
    cudaFree(in);
    CHECK(cudaMalloc(&in, bytes));
    if (first)
      CHECK(cudaMalloc(&scratch, bytes)); // expected-note {{a second one for the same object}} [tensor-unfreed-device-memory]
  }

private:
  float *in = nullptr, *scratch = nullptr;
};

// Each call gives it back itself.
class Temporary {
public:
  ~Temporary() {
    cudaFree(in);
    if (scratch)
      cudaFree(scratch);
  }
  void resize(size_t bytes) {
    cudaFree(in);
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&scratch, bytes));
    CHECK(cudaMemset(scratch, 0, bytes));
    CHECK(cudaFree(scratch));
    scratch = nullptr;
  }

private:
  float *in = nullptr, *scratch = nullptr;
};

void called_twice(Temporary &object) {
  object.resize(1024);
  object.resize(2048);
}

// What the caller's record holds, filled by a function.
struct Grid {
  float *cells, *edges;
};
void grid_resize(Grid *grid, size_t bytes) {
  cudaFree(grid->cells); // expected-path {{another member is given back here}}
  cudaMalloc(&grid->cells, bytes);
  cudaMalloc(&grid->edges, bytes); // expected-warning {{in 'edges' replaces what it held before}} [tensor-unfreed-device-memory]
}
void grid_free(Grid *grid) {
  cudaFree(grid->cells);
  cudaFree(grid->edges);
}

// A function that is not in view gets the whole of it, and may give back the rest.
struct Mesh {
  float *points, *faces;
};
void forget_faces(Mesh *mesh);
void mesh_resize(Mesh *mesh, size_t bytes) {
  forget_faces(mesh);
  cudaFree(mesh->points);
  cudaMalloc(&mesh->points, bytes);
  cudaMalloc(&mesh->faces, bytes);
}
void mesh_free(Mesh *mesh) {
  cudaFree(mesh->points);
  cudaFree(mesh->faces);
}

//===-- In a ring ---------------------------------------------------------===//

class Frames {
public:
  ~Frames() {
    for (float *slot : slots)
      cudaFree(slot);
  }
  void push(size_t bytes) {
    cudaMalloc(&slots[next], bytes); // expected-warning {{in 'slots' replaces what the same element held a round before}} [tensor-unfreed-device-memory]
    next = (next + 1) % 4; // expected-path {{the position comes round here}}
  }

private:
  float *slots[4] = {};
  int next = 0;
};

class FramesInTurn {
public:
  ~FramesInTurn() {
    for (float *slot : slots)
      cudaFree(slot);
  }
  void push(size_t bytes) {
    float *fresh;
    cudaMalloc(&fresh, bytes); // expected-warning {{in 'slots' replaces what the same element held a round before}} [tensor-unfreed-device-memory]
    slots[next] = fresh;
    if (++next == 4)
      next = 0; // expected-path {{the position comes round here}}
  }

private:
  float *slots[4] = {};
  int next = 0;
};

class FramesFreed {
public:
  ~FramesFreed() {
    for (float *slot : slots)
      cudaFree(slot);
  }
  void push(size_t bytes) {
    cudaFree(slots[next]);
    cudaMalloc(&slots[next], bytes);
    next = (next + 1) % 4;
  }

private:
  float *slots[4] = {};
  int next = 0;
};

// Filled once, and used again.
class FramesKept {
public:
  ~FramesKept() {
    for (float *slot : slots)
      cudaFree(slot);
  }
  float *take(size_t bytes) {
    if (!slots[next])
      cudaMalloc(&slots[next], bytes);
    float *slot = slots[next];
    next = (next + 1) % 4;
    return slot;
  }

private:
  float *slots[4] = {};
  int next = 0;
};

// Who consumes an element gives it back.
class Queue {
public:
  ~Queue() {
    while (first != next)
      pop();
  }
  void push(size_t bytes) {
    cudaMalloc(&slots[next], bytes);
    next = (next + 1) % 4;
  }
  void consume() {
    cudaFree(slots[first]);
    first = (first + 1) % 4;
  }

private:
  void pop() {
    cudaFree(slots[first]);
    first = (first + 1) % 4;
  }
  float *slots[4] = {};
  int first = 0, next = 0;
};

// The position only grows.
class Bag {
public:
  ~Bag() {
    for (int i = 0; i < count; ++i)
      cudaFree(slots[i]);
  }
  void add(size_t bytes) { cudaMalloc(&slots[count++], bytes); }

private:
  float *slots[64] = {};
  int count = 0;
};

//===-- Zeroed before -------------------------------------------------------------===//

struct Rows {
  float *first;
  float *second;
};

void destroy(Rows *rows) {
  cudaFree(rows->first);
  cudaFree(rows->second);
}

// What is zeroed holds nothing.
int create(Rows *rows, int n) {
  memset(rows, 0, sizeof(*rows));
  if (cudaMalloc(&rows->first, n) != cudaSuccess || cudaMalloc(&rows->second, n) != cudaSuccess) {
    destroy(rows);
    return 0;
  }
  return 1;
}

// A member that is set to another byte is no null pointer, and one is not zeroed.
void refills(Rows *rows, int n) {
  memset(&n, 0, sizeof n);
  cudaFree(rows->first); // expected-path {{another member is given back here}}
  cudaMalloc(&rows->first, n);
  cudaMalloc(&rows->second, n); // expected-warning {{in 'second' replaces what it held before}} [tensor-unfreed-device-memory]
}
