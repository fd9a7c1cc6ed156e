// Arrays and containers of the library's that are made of a list in braces.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <array>
#include <initializer_list>
#include <map>
#include <vector>

void give(const std::vector<float *> &all) {
  for (float *p : all)
    cudaFree(p);
}
void giveBoth(std::array<float *, 2> both) {
  for (float *p : both)
    cudaFree(p);
}
void giveListed(std::initializer_list<float *> listed) {
  for (float *p : listed)
    cudaFree(p);
}
void unseen(const std::vector<float *> &all);
void unseenArray(std::array<float *, 2> both);
void unseenList(std::initializer_list<float *> listed);

void only_listed(int n) {
  float *p, *q;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back before 'only_listed' returns}} [tensor-unfreed-device-memory]
  cudaMalloc(&q, n); // expected-warning {{device memory in 'q' is not given back before 'only_listed' returns}} [tensor-unfreed-device-memory]
  std::vector<float *> all{p, q};
  for (float *each : all)
    cudaMemset(each, 0, n);
} // expected-fix {{cudaFree(p);\n  cudaFree(q);}}

void only_in_an_array(int n) {
  float *p, *q;
  cudaMalloc(&p, n); // expected-warning {{device memory in 'p' is not given back before 'only_in_an_array' returns}} [tensor-unfreed-device-memory]
  cudaMalloc(&q, n);
  std::array<float *, 2> both{p, q};
  cudaMemset(both[0], 0, n);
  cudaFree(both[1]); // expected-path {{others are freed here}}
} // expected-fix {{cudaFree(p);}}

//===-- Near misses -----------------------------------------------------------------===//

void in_a_vector(int n) {
  float *p, *q;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  std::vector<float *> all{p, q};
  give(all);
}

void in_a_loop(int n) {
  float *p, *q;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  std::vector<float *> all = {p, q};
  for (float *each : all)
    cudaFree(each);
}

void in_an_array(int n) {
  float *p, *q;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  std::array<float *, 2> both{{p, q}};
  giveBoth(both);
}

void as_arguments(int n) {
  float *p, *q, *r, *s, *t, *u;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  cudaMalloc(&r, n);
  cudaMalloc(&s, n);
  cudaMalloc(&t, n);
  cudaMalloc(&u, n);
  give({p, q});
  giveBoth({r, s});
  giveListed({t, u});
}

void to_others(int n) {
  float *p, *q, *r, *s, *t, *u;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  cudaMalloc(&r, n);
  cudaMalloc(&s, n);
  cudaMalloc(&t, n);
  cudaMalloc(&u, n);
  unseen({p, q});
  unseenArray({r, s});
  unseenList({t, u});
}

std::vector<float *> returned(int n) {
  float *p, *q;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  return {p, q};
}

void in_a_range(int n) {
  float *p, *q, *r, *s;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  cudaMalloc(&r, n);
  cudaMalloc(&s, n);
  for (float *each : std::vector<float *>{p, q})
    cudaFree(each);
  for (float *each : std::array<float *, 2>{r, s})
    cudaFree(each);
}

void under_keys(int n) {
  float *p, *q;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  std::map<int, float *> all{{1, p}, {2, q}};
  for (auto &each : all)
    cudaFree(each.second);
}

class Members {
public:
  Members(float *p, float *q) : all_{p, q} {}
  Members(const Members &) = delete;
  ~Members() { give(all_); }

private:
  std::vector<float *> all_;
};

void in_members(int n) {
  float *p, *q;
  cudaMalloc(&p, n);
  cudaMalloc(&q, n);
  Members members(p, q);
}
