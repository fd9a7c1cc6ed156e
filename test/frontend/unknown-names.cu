// Bindings of what did not parse have no type. What is lost beside them is still reported; where a
// name is not declared it may be another one, spelled wrong: a note.
//
// RUN: not %tensorleak check %s --level note --no-cache -- -std=c++17 2>&1 | FileCheck %s --check-prefix=NOTES
// RUN: not %tensorleak check %s --no-cache -- -std=c++17 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=crashed
//
// CHECK-DAG: incomplete: {{.*}}unknown-names.cu:{{[0-9]+}}: use of undeclared identifier 'options'
#include <cuda_runtime.h>

int main(int argc, char **argv) {
  auto [arguments, isGiven] = options::parse(argc, argv);
  auto &[first, second] = arguments;
  if (isGiven)
    return 1;
  float *p;
  cudaMalloc(&p, 64);
  for (auto &[key, value] : options::all())
    cudaFree(value);
  return 0;
}

void beside(bool early) {
  float *p;
  // CHECK-DAG: unknown-names.cu:[[#@LINE+1]]:3: warning: {{.*}}'p'
  cudaMalloc(&p, 64);
  if (early)
    return;
  cudaFree(p);
}

void misspelled(int n) {
  float *data;
  // NOTES: unknown-names.cu:[[#@LINE+1]]:3: note: {{.*}}'data'
  cudaMalloc(&data, n);
  cudaFree(contents);
}

struct Owner {
  float *data;
  float *get() const { return data; }
};
bool adopt(float *p);
void misspelled_member(int n) {
  Owner owner;
  // NOTES: unknown-names.cu:[[#@LINE+1]]:3: note: {{.*}}'owner.data'
  cudaMalloc(&owner.data, n);
  cudaFree(owner.memory());
}
