// Records that are made of their parts where they are returned, and taken apart by the caller.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

struct Two {
  float *a;
  float *b;
};
struct Deeper {
  int n;
  Two two;
};

//===-- Structs ---------------------------------------------------------------===//

Two make_two(int n) {
  float *a, *b;
  cudaMalloc(&a, n); // expected-path {{it is allocated here}}
  cudaMalloc(&b, n); // expected-path 2
  return {a, b};
}

Deeper make_deeper(int n) {
  Two two = make_two(n);
  return Deeper{n, {two.a, two.b}};
}

void frees_both(int n) {
  auto two = make_two(n);
  cudaFree(two.a);
  cudaFree(two.b);
}

void frees_both_by_name(int n) {
  auto [a, b] = make_two(n);
  cudaFree(a);
  cudaFree(b);
}

void frees_one(int n) {
  auto two = make_two(n); // expected-warning {{'two' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  cudaFree(two.a);
}

void frees_one_by_name(int n) {
  auto [a, b] = make_two(n); // expected-warning {{'b' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  cudaFree(a);
}

void frees_the_deeper(int n) {
  Deeper deeper = make_deeper(n);
  cudaFree(deeper.two.a);
  cudaFree(deeper.two.b);
}

void frees_one_of_the_deeper(int n) {
  Deeper deeper = make_deeper(n); // expected-warning {{'deeper' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  cudaFree(deeper.two.b);
}

// What the caller handed in goes back to it.
Two of_the_callers(float *mine, int n) {
  float *b;
  cudaMalloc(&b, n);
  return {mine, b};
}

void keeps_its_own(int n) {
  float *mine;
  cudaMalloc(&mine, n);
  Two two = of_the_callers(mine, n);
  cudaFree(two.a);
  cudaFree(two.b);
}

//===-- Pairs and tuples ---------------------------------------------------------===//

std::pair<float *, float *> make_pair_of(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n); // expected-path {{it is allocated here}}
  return {a, b};
}

std::tuple<float *, float *> make_tuple_of(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n); // expected-path {{it is allocated here}}
  return std::make_tuple(a, b);
}

void frees_the_pair(int n) {
  auto [a, b] = make_pair_of(n);
  cudaFree(b);
  cudaFree(a);
}

void frees_half_of_the_pair(int n) {
  auto pair = make_pair_of(n); // expected-warning {{'pair' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  cudaFree(pair.first);
}

void frees_the_tied(int n) {
  float *a, *b;
  std::tie(a, b) = make_tuple_of(n);
  cudaFree(a);
  cudaFree(b);
}

void frees_half_of_the_tied(int n) {
  float *a, *b;
  std::tie(a, b) = make_tuple_of(n); // expected-warning {{device memory in 'b' is not given back}} [tensor-unfreed-device-memory]
  cudaFree(a); // expected-path {{others are freed here}}
}

// Who makes it is not known, and so is what it holds.
std::tuple<float *, float *> unseen(int n);
void frees_half_of_the_unseen(int n) {
  float *a, *b;
  std::tie(a, b) = unseen(n);
  cudaFree(a);
}

// An owner keeps what it owns where it is returned.
struct Free {
  void operator()(float *p) const { cudaFree(p); }
};
using Owner = std::unique_ptr<float, Free>;
struct Owned {
  Owner a;
  int n;
};
Owned make_owned(int n) {
  float *a;
  cudaMalloc(&a, n);
  return {Owner(a), n};
}
void drops_the_owner(int n) { Owned owned = make_owned(n); }

//===-- Copies of what a cache keeps -------------------------------------------===//

namespace copies_of_entries {

struct Entry {
  float *data;
  int batch;
};

class Cache {
public:
  ~Cache() {
    for (auto &kv : entries)
      cudaFree(kv.second.data);
  }
  Entry get(int n) {
    Entry e{};
    cudaMalloc(&e.data, n);
    entries[n] = e;
    return e;
  }
  Entry find(int n) {
    Entry e{};
    cudaMalloc(&e.data, n);
    entries[n] = e;
    return entries[n];
  }
  Entry spare(int n) {
    Entry e{};
    cudaMalloc(&e.data, n); // expected-path {{it is allocated here}}
    return e;
  }

private:
  std::map<int, Entry> entries;
};

void use(Cache &c, int n) {
  Entry e = c.get(n);
  Entry f = c.find(n + 1);
  Entry g = c.spare(n); // expected-warning {{'g' is filled here with device memory, and nothing gives it back}} [tensor-unfreed-device-memory]
  cudaMemset(e.data, 0, n);
  cudaMemset(f.data, 0, n);
  cudaMemset(g.data, 0, n);
}

struct Kept {
  float *data;
  int batch;
};

class Forgetful {
public:
  Kept get(int n) {
    Kept e{};
    cudaMalloc(&e.data, n); // expected-note {{device memory in 'entries[].data' is never given back: the class has no destructor}} [tensor-unfreed-device-memory]
    entries[n] = e;
    return e;
  }

private:
  std::map<int, Kept> entries;
};

void use_forgetful(Forgetful &c, int n) {
  Kept e = c.get(n);
  cudaMemset(e.data, 0, n);
}

} // namespace copies_of_entries
