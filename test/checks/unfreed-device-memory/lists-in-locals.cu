// Objects of the function's own with lists of pointers: what these hold is lost with the object,
// unless something in it gives that back.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <vector>

struct Table {
  std::map<int, float *> all;
};
void lost_in_map(int key) {
  Table table;
  float *p;
  cudaMalloc(&p, 4096); // expected-warning {{'p' is not given back before 'lost_in_map' returns}} [tensor-unfreed-device-memory]
  table.all[key] = p;
} // expected-fix {{cudaFree(p);}}

struct Rows {
  std::vector<float *> all;
};
void lost_in_vector() {
  Rows rows;
  float *p;
  cudaMalloc(&p, 4096); // expected-warning {{'p' is not given back before 'lost_in_vector' returns}} [tensor-unfreed-device-memory]
  rows.all.push_back(p);
}

//===-- Near misses -----------------------------------------------------------===//

void freed_from_map(int key) {
  Table table;
  float *p;
  cudaMalloc(&p, 4096);
  table.all[key] = p;
  for (auto &[at, each] : table.all)
    cudaFree(each);
}

struct Owner {
  std::map<int, float *> all;
  ~Owner() {
    for (auto &[at, each] : all)
      cudaFree(each);
  }
};
void owned(int key) {
  Owner owner;
  float *p;
  cudaMalloc(&p, 4096);
  owner.all[key] = p;
}

// What the functions do when they go, nobody knows.
struct Ends {
  std::map<int, std::function<void()>> ends;
  std::map<int, float *> all;
};
void with_ends(int key, void (*add)(Ends &)) {
  Ends ends;
  add(ends);
  float *p;
  cudaMalloc(&p, 4096);
  ends.all[key] = p;
}
