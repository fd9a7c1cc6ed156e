// A function that does nothing but return a variable, or a member of its object, is another name of
// that: what is put there by it is held there.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <map>
#include <vector>

//===-- Variables that outlive the call -------------------------------------===//

static std::map<int, float *> &curves() {
  static std::map<int, float *> table;
  return table;
}

static float *curve(int n) {
  auto &table = curves();
  auto hit = table.find(n);
  if (hit != table.end())
    return hit->second;
  float *made = nullptr;
  cudaMalloc(&made, 1 << 20); // expected-note {{device memory in 'table[]' is never given back}} [tensor-unfreed-device-memory]
  table[n] = made;
  return made;
}

// Who asks for a curve does not own it.
void use_curve(int n) { cudaMemset(curve(n), 0, 4); }

static std::vector<float *> &freed_at_the_end() {
  static std::vector<float *> all;
  return all;
}

void add() {
  float *made = nullptr;
  cudaMalloc(&made, 1 << 20);
  freed_at_the_end().push_back(made);
}

void free_all() {
  for (float *each : freed_at_the_end())
    cudaFree(each);
  freed_at_the_end().clear();
}

// One that is made once may live as long as the program.
static float *&scratch() {
  static float *once = nullptr;
  return once;
}

void use_scratch() {
  if (!scratch())
    cudaMalloc(&scratch(), 1 << 20);
}

// Another function's reference, to what only that one knows.
std::map<int, float *> &elsewhere();

static float *curve_elsewhere(int n) {
  auto &table = elsewhere();
  float *made = nullptr;
  cudaMalloc(&made, 1 << 20);
  table[n] = made;
  return made;
}

void use_curve_elsewhere(int n) { cudaMemset(curve_elsewhere(n), 0, 4); }

static float *made_anew(int n) {
  float *made = nullptr;
  cudaMalloc(&made, n); // expected-path {{it is allocated here}}
  return made;
}

void use_made_anew(int n) {
  cudaMemset(made_anew(n), 0, 4); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

//===-- Members -------------------------------------------------------------===//

class Pool {
public:
  ~Pool() {
    for (float *each : items())
      cudaFree(each);
  }
  void grow() {
    float *made;
    cudaMalloc(&made, 1 << 20); // expected-path {{'items_' gets it here}}
    items().push_back(made);
  }
  void forget() {
    items().clear(); // expected-warning {{device memory in 'items_' is lost here}} [tensor-unfreed-device-memory]
  }
  void drop() {
    for (float *each : items())
      cudaFree(each);
    items().clear();
  }

private:
  std::vector<float *> &items() { return items_; }
  std::vector<float *> items_;
};

struct Rows {
  float *&data() { return data_; }
  float *data_ = nullptr;
};

void fill_rows() {
  Rows rows;
  cudaMalloc(&rows.data(), 1 << 20); // expected-warning {{device memory in 'rows.data_' is not given back before 'fill_rows' returns}} [tensor-unfreed-device-memory]
}

void fill_and_free_rows() {
  Rows rows;
  cudaMalloc(&rows.data(), 1 << 20);
  cudaFree(rows.data());
}

// Whoever overrides it may return another.
struct Source {
  virtual ~Source() = default;
  virtual float *&data() { return data_; }
  float *data_ = nullptr;
};

void fill_source(Source &source) { cudaMalloc(&source.data(), 1 << 20); }
