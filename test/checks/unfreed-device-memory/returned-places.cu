// Places, copies and addresses that functions return: what is given back by them is given back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <utility>
#include <vector>

struct Part {
  float *data;
  float *get() const { return data; }
};

struct Whole {
  Part part;
  Whole &self() { return *this; }
  const Part &inner() const { return part; }
  Part copy() const { return part; }
  Part *address() { return &part; }
};

struct Rows {
  float *rows[4];
  float *&operator[](int i) { return rows[i]; }
};

struct Two {
  float *a, *b;
  std::pair<float *, float *> both() const { return {a, b}; }
};

class List {
public:
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  void add(int n) {
    float *made;
    cudaMalloc(&made, n);
    all_.push_back(made);
  }
  std::vector<float *> copy() const { return all_; }

private:
  std::vector<float *> all_;
};

//===-- Given back -------------------------------------------------------------------===//

void by_places(int n) {
  Whole a, b, c, d;
  cudaMalloc(&a.part.data, n);
  cudaMalloc(&b.part.data, n);
  cudaMalloc(&c.part.data, n);
  cudaMalloc(&d.part.data, n);
  cudaFree(a.self().part.data);
  cudaFree(b.inner().get());
  cudaFree(c.copy().get());
  cudaFree(d.address()->get());
}

void by_an_operator(int n) {
  Rows rows;
  for (int i = 0; i < 4; ++i)
    cudaMalloc(&rows[i], n);
  for (int i = 0; i < 4; ++i)
    cudaFree(rows[i]);
}

void by_a_pair(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  Two two{a, b};
  cudaFree(two.both().first);
  cudaFree(std::get<1>(two.both()));
}

void by_a_range(int n) {
  List list;
  list.add(n);
  for (float *each : list)
    cudaFree(each);
}

void by_a_copy(int n) {
  List list;
  list.add(n);
  for (float *each : list.copy())
    cudaFree(each);
}

const Whole &same(const Whole &w) { return w; }
Whole &one(bool first, Whole &a, Whole &b) { return first ? a : b; }

void by_its_own_reference(int n) {
  Whole whole;
  cudaMalloc(&whole.part.data, n);
  Whole copy = same(whole);
  cudaFree(copy.part.data);
}

void by_one_of_two(Whole &other, int n) {
  Whole whole;
  cudaMalloc(&whole.part.data, n);
  cudaFree(one(true, whole, other).part.data);
}

//===-- Only used ----------------------------------------------------------------------===//

void used(int n) {
  Whole whole;
  cudaMalloc(&whole.part.data, n); // expected-warning {{device memory in 'whole.part.data' is not given back}} [tensor-unfreed-device-memory]
  cudaMemset(whole.self().copy().get(), 0, n);
}

void used_rows(int n) {
  Rows rows;
  for (int i = 0; i < 4; ++i)
    cudaMalloc(&rows[i], n); // expected-warning {{in 'rows.rows[]' is not given back}} [tensor-unfreed-device-memory]
  cudaMemset(rows[1], 0, n);
}

void used_by_reference(int n) {
  Whole whole;
  cudaMalloc(&whole.part.data, n); // expected-warning {{device memory in 'whole.part.data' is not given back}} [tensor-unfreed-device-memory]
  cudaMemset(same(whole).part.data, 0, n);
}
