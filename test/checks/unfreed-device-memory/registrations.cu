// What cudaHostRegister attaches to memory stays when the memory goes: of a container, an array, or
// whatever a buffer's `data()` says.
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <memory>
#include <vector>

void elements(size_t n) {
  std::vector<float> v(n);
  cudaHostRegister(v.data(), n * 4, 0); // expected-warning {{a host memory registration in 'v' is not given back before 'elements' returns}} [tensor-unfreed-device-memory]
}

void elementsByAnotherName(size_t n) {
  std::vector<float> v(n);
  float *p = v.data();
  cudaHostRegister(p, n * 4, 0); // expected-warning {{a host memory registration in 'p' is not given back before 'elementsByAnotherName' returns}} [tensor-unfreed-device-memory]
}

void array() {
  float v[4096];
  cudaHostRegister(v, sizeof v, 0); // expected-warning {{a host memory registration in 'v' is not given back before 'array' returns}} [tensor-unfreed-device-memory]
}

void owned(size_t n) {
  auto p = std::make_unique<float[]>(n);
  cudaHostRegister(p.get(), n * 4, 0); // expected-warning {{a host memory registration in 'p' is not given back before 'owned' returns}} [tensor-unfreed-device-memory]
}

void oneOfTwo(size_t n) {
  std::vector<float> in(n), out(n);
  cudaHostRegister(in.data(), n * 4, 0);
  cudaHostRegister(out.data(), n * 4, 0); // expected-warning {{a host memory registration in 'out' is not given back before 'oneOfTwo' returns}} [tensor-unfreed-device-memory]
  cudaHostUnregister(in.data()); // expected-path {{others are freed here}}
}

int someWays(size_t n) {
  std::vector<float> v(n);
  if (cudaHostRegister(v.data(), n * 4, 0) != cudaSuccess) // expected-warning {{a host memory registration in 'v' is not given back on every way out}} [tensor-unfreed-device-memory]
    return 1;
  cudaStream_t s;
  if (cudaStreamCreate(&s) != cudaSuccess)
    return 2; // expected-path {{this way out leaves it behind}}
  cudaStreamDestroy(s);
  cudaHostUnregister(v.data()); // expected-path {{others are freed here}}
  return 0;
}

class Reader {
public:
  explicit Reader(size_t n) : Buffer(n) {
    cudaHostRegister(Buffer.data(), n, cudaHostRegisterDefault); // expected-warning {{a host memory registration in 'Buffer' is never given back: the destructor does not do it}} [tensor-unfreed-device-memory]
  }
  Reader(const Reader &) = delete;
  ~Reader() { Buffer.clear(); } // expected-path {{'~Reader' is here}}

private:
  std::vector<unsigned char> Buffer;
};

struct Mapped {
  char *At = nullptr;
  char *data() { return At; }
};

void mapped(size_t n) {
  Mapped file;
  cudaHostRegister(file.data(), n, 0); // expected-warning {{a host memory registration in 'file' is not given back before 'mapped' returns}} [tensor-unfreed-device-memory]
}

//===-- Near misses ---------------------------------------------------------===//

void pairs(size_t n) {
  std::vector<float> v(n);
  std::vector<int> numbers(n);
  float *p = v.data();
  int *q = numbers.data();
  cudaHostRegister(p, n * 4, 0);
  cudaHostRegister(q, n * 4, 0);
  cudaHostUnregister(v.data());
  cudaHostUnregister(numbers.data());
  cudaHostRegister(&v[0], n * 4, 0);
  cudaHostUnregister(&v.front());
  float array[64];
  cudaHostRegister(array, sizeof array, 0);
  cudaHostUnregister(&array[0]);
  auto owner = std::make_unique<float[]>(n);
  cudaHostRegister(owner.get(), n * 4, 0);
  cudaHostUnregister(owner.get());
}

void ofTheCaller(std::vector<float> &v) {
  cudaHostRegister(v.data(), v.size() * 4, 0); // expected-path {{it is allocated here}}
}
void isTakenOff(std::vector<float> &v) { cudaHostUnregister(v.data()); }
void byOthers() {
  std::vector<float> v(4096);
  ofTheCaller(v);
  isTakenOff(v);
}
void byTheCaller() {
  std::vector<float> v(4096);
  ofTheCaller(v); // expected-warning {{a host memory registration in 'v' is not given back before 'byTheCaller' returns}} [tensor-unfreed-device-memory]
}

void finish(std::vector<float> &v);
void elsewhere() {
  std::vector<float> v(4096);
  cudaHostRegister(v.data(), v.size() * 4, 0);
  finish(v);
}

std::vector<float> returned() {
  std::vector<float> v(4096);
  cudaHostRegister(v.data(), v.size() * 4, 0);
  return v;
}

class Pair {
public:
  explicit Pair(size_t n) : Buffer(n), Start(Buffer.data()) { cudaHostRegister(Start, n * 4, 0); }
  Pair(const Pair &) = delete;
  ~Pair() { cudaHostUnregister(Buffer.data()); }

private:
  std::vector<float> Buffer;
  float *Start;
};

/// Takes it off itself.
class Pinned {
public:
  explicit Pinned(size_t n) : At(new char[n]) {}
  Pinned(const Pinned &) = delete;
  ~Pinned() {
    cudaHostUnregister(At);
    delete[] At;
  }
  char *data() { return At; }

private:
  char *At;
};

void pinned(size_t n) {
  Pinned p(n);
  cudaHostRegister(p.data(), n, 0);
}

class Unseen {
public:
  ~Unseen();
  void *data();
};

void unseen(size_t n) {
  Unseen u;
  cudaHostRegister(u.data(), n, 0);
}

//===-- Of memory that others hold ----------------------------------------------===//

struct Chunk {
  char *base;
  size_t bytes;
};

void skips(Chunk *chunks, int count, size_t room) {
  for (int i = 0; i < count; ++i) {
    cudaHostRegister(chunks[i].base, chunks[i].bytes, 0); // expected-warning {{a host memory registration in 'chunks[].base' is not given back on every way out}} [tensor-unfreed-device-memory]
    if (chunks[i].bytes > room)
      continue; // expected-path {{this way out leaves it behind}}
    cudaHostUnregister(chunks[i].base); // expected-path {{others are freed here}}
  }
}

void skips_none(Chunk *chunks, int count, size_t room) {
  for (int i = 0; i < count; ++i) {
    cudaHostRegister(chunks[i].base, chunks[i].bytes, 0);
    if (chunks[i].bytes > room) {
      cudaHostUnregister(chunks[i].base);
      continue;
    }
    cudaHostUnregister(chunks[i].base);
  }
}

// Who holds the memory takes it off again, here or later.
void leaves_it(Chunk &chunk) { cudaHostRegister(chunk.base, chunk.bytes, 0); }

void all_then_none(Chunk *chunks, int count, size_t room) {
  for (int i = 0; i < count; ++i) {
    cudaHostRegister(chunks[i].base, chunks[i].bytes, 0);
    if (chunks[i].bytes > room)
      continue;
    chunks[i].bytes = room;
  }
  for (int i = 0; i < count; ++i)
    cudaHostUnregister(chunks[i].base);
}

// What fails later undoes it; else the caller has the memory, and what was attached to it.
int attach(Chunk *chunk, char *other) {
  chunk->base = other;
  if (cudaHostRegister(chunk->base, chunk->bytes, 0) != cudaSuccess)
    return -1;
  if (cudaDeviceSynchronize() != cudaSuccess) {
    cudaHostUnregister(chunk->base);
    return -1;
  }
  return 0;
}
int attach_or_go(Chunk *chunk) {
  if (cudaHostRegister(chunk->base, chunk->bytes, 0) != cudaSuccess)
    return -1;
  if (cudaDeviceSynchronize() != cudaSuccess)
    goto failed;
  return 0;
failed:
  cudaHostUnregister(chunk->base);
  return -1;
}
// One of two failures does.
int attach_and_fail(Chunk *chunk, size_t room) {
  if (cudaHostRegister(chunk->base, chunk->bytes, 0) != cudaSuccess) // expected-warning {{a host memory registration in 'chunk->base' is not given back on every way out}} [tensor-unfreed-device-memory]
    return -1;
  if (chunk->bytes > room)
    return -1; // expected-path {{this way out leaves it behind}}
  if (cudaDeviceSynchronize() != cudaSuccess) {
    cudaHostUnregister(chunk->base); // expected-path {{others are freed here}}
    return -1;
  }
  return 0;
}

// The pointer that an owner gives out is what was registered.
char *registered(size_t bytes) {
  std::unique_ptr<char[]> raw(new char[bytes]);
  if (cudaHostRegister(raw.get(), bytes, 0) != cudaSuccess)
    return nullptr;
  return raw.release();
}
void register_and_delete(size_t bytes) {
  std::unique_ptr<char[]> raw(new char[bytes]);
  cudaHostRegister(raw.get(), bytes, 0); // expected-warning {{a host memory registration in 'raw' is not given back before 'register_and_delete' returns}} [tensor-unfreed-device-memory]
}
