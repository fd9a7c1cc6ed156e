// Records that calls return, without a name: what they hold is lost where nobody takes it over.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

__global__ void fill(float *p, int n);

struct Matrix {
  float *data;
  int n;
  void use() { fill<<<1, 1>>>(data, n); }
  void release() { cudaFree(data); }
  float *get() { return data; }
};

Matrix make(int n) {
  Matrix m;
  m.n = n;
  cudaMalloc(&m.data, n * sizeof(float)); // expected-path {{it is allocated here}}
  return m;
}

void release(Matrix &m) { cudaFree(m.data); }
void show(const Matrix &m) { fill<<<1, 1>>>(m.data, m.n); }
void showCopy(Matrix m) { fill<<<1, 1>>>(m.data, m.n); }

Matrix multiply(const Matrix &a, const Matrix &b) {
  Matrix c = make(a.n);
  fill<<<1, 1>>>(c.data, b.n);
  return c;
}

Matrix operator+(const Matrix &a, const Matrix &b) {
  Matrix c = make(a.n);
  fill<<<1, 1>>>(c.data, b.n);
  return c;
}

void member() {
  fill<<<1, 1>>>(make(3).data, 3); // expected-warning {{device memory that this call returns is dropped, so that nothing can give it back; keep it, and call 'cudaFree'}} [tensor-unfreed-device-memory]
}

void arguments() {
  show(make(3));     // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
  showCopy(make(4)); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

void methods() {
  make(3).use(); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

void statement() {
  make(3); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

void nested(Matrix &a, Matrix &b) {
  Matrix c = multiply(multiply(a, b), a); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
  release(c);
  Matrix sum = a + b + c; // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
  release(sum);
}

void rounds(Matrix &a, int n) {
  for (int i = 0; i < n; ++i)
    show(multiply(a, a)); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
}

float *upload(int n) {
  float *p;
  cudaMalloc(&p, n); // expected-path {{it is allocated here}}
  return p;
}

void lists(int n) {
  show({upload(n), n}); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
  float *p;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back before 'lists' returns}} [tensor-unfreed-device-memory]
  show({p, n});
} // expected-fix {{cudaFree(p);}}

//===-- Near misses -----------------------------------------------------------------===//

void consume(Matrix m) { cudaFree(m.data); }
std::vector<Matrix> all;
void keep(const Matrix &m) { all.push_back(m); }
const Matrix &same(const Matrix &m) { return m; }
void unseen(const Matrix &m);
void keepCopy(Matrix m) { all.push_back(m); }

void taken() {
  consume(make(3));
  make(3).release();
  keep(make(3));
  all.push_back(make(3));
  unseen(make(3)); // which may keep it
  float *p = make(3).data;
  cudaFree(p);
  float *q = make(3).get();
  cudaFree(q);
  const Matrix &longer = make(3);
  cudaFree(longer.data);
  Matrix copy = same(make(3));
  cudaFree(copy.data);
}

void takenFromLists(int n) {
  float *p;
  cudaMalloc(&p, n);
  keepCopy({p, n});
  consume({upload(n), n});
  float *q;
  cudaMalloc(&q, n);
  release(all.front());
  consume({q, n});
}

float *handed() { return make(3).data; }
Matrix handedWhole() { return same(make(3)); }

class Owner {
public:
  explicit Owner(Matrix m) : m_(m) {}
  Owner(const Owner &) = delete;
  ~Owner() { cudaFree(m_.data); }
  float *data() { return m_.data; }

private:
  Matrix m_;
};

void owned() {
  Owner o(make(3));
  fill<<<1, 1>>>(o.data(), 3);
}

struct Scoped {
  float *data;
  ~Scoped() { cudaFree(data); }
};

Scoped scoped(int n) {
  Scoped s{};
  cudaMalloc(&s.data, n);
  return s;
}

void ended() { fill<<<1, 1>>>(scoped(3).data, 3); }
