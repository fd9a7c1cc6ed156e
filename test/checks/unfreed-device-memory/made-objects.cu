// Objects of which a function of the file returns the address, with what it took for them.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <new>

struct Surface {
  unsigned char *luma;
  size_t bytes;
  Surface *next;
};

Surface *make(size_t n) {
  Surface *s = new (std::nothrow) Surface();
  if (!s)
    return nullptr;
  if (cudaMalloc(&s->luma, n) != cudaSuccess) { // expected-path 2 {{it is allocated here}}
    delete s;
    return nullptr;
  }
  s->bytes = n;
  return s;
}

void destroy(Surface *s) {
  if (!s)
    return;
  cudaFree(s->luma);
  delete s;
}

//===-- Destroyed, or returned, on some ways ------------------------------------------===//

bool destroyed_on_most_ways(size_t n) {
  Surface *s = make(n); // expected-warning {{device memory in 's->luma' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!s)
    return false;
  if (s->bytes > 9)
    return false; // expected-path {{this way out leaves it behind}}
  destroy(s); // expected-path {{others are freed here}}
  return true;
}

bool destroyed(size_t n) {
  Surface *s = make(n);
  if (!s)
    return false;
  const bool isFilled = cudaMemset(s->luma, 0, n) == cudaSuccess;
  destroy(s);
  return isFilled;
}

bool destroyed_also_if_null(size_t n) {
  Surface *s = make(n);
  const bool isFilled = s && cudaMemset(s->luma, 0, n) == cudaSuccess;
  destroy(s);
  return isFilled;
}

Surface *returned_on_most_ways(size_t n) {
  Surface *s = make(n); // expected-warning {{device memory in 's->luma' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!s || n == 0)
    return nullptr; // expected-path {{this way out leaves it behind}}
  return s;
}

Surface *returned(size_t n) {
  Surface *s = make(n);
  if (s == nullptr)
    return nullptr;
  if (cudaMemset(s->luma, 0, n) != cudaSuccess) {
    destroy(s);
    return nullptr;
  }
  return s;
}

//===-- Given to a pool, and taken from it --------------------------------------------===//

class Pool {
public:
  ~Pool() {
    while (head) {
      Surface *s = head;
      head = s->next;
      destroy(s);
    }
  }
  Surface *take(size_t n) {
    if (head) {
      Surface *s = head;
      head = s->next;
      return s;
    }
    return make(n);
  }
  void give(Surface *s) {
    s->next = head;
    head = s;
  }

private:
  Surface *head = nullptr;
};

bool given_on_most_ways(Pool &pool, size_t n) {
  Surface *s = pool.take(n); // expected-warning {{device memory in 's->luma' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (!s)
    return false;
  if (n > s->bytes)
    return false; // expected-path {{this way out leaves it behind}}
  pool.give(s);
  return true;
}

bool given(Pool &pool, size_t n) {
  Surface *s = pool.take(n);
  if (!s)
    return false;
  if (n > s->bytes) {
    pool.give(s);
    return false;
  }
  const bool isFilled = cudaMemset(s->luma, 0, n) == cudaSuccess;
  pool.give(s);
  return isFilled;
}

//===-- Kept by the one that makes them -----------------------------------------------===//

class Registry {
public:
  ~Registry() {
    for (int i = 0; i < used; ++i)
      destroy(all[i]);
  }
  Surface *add(size_t n) {
    if (used == 8)
      return nullptr;
    Surface *s = make(n);
    if (s)
      all[used++] = s;
    return s;
  }

private:
  Surface *all[8];
  int used = 0;
};

bool kept_by_the_registry(Registry &registry, Surface **last, size_t n) {
  Surface *s = registry.add(n);
  if (!s || n > s->bytes)
    return false;
  *last = s;
  return true;
}
