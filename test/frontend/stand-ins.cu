// A header of the program's own is missing, with the types, macros and functions that it declares.
//
// RUN: not %tensorleak check --stats --no-cache --cuda-path none --level note %s -- -std=c++17 >%t.txt 2>%t.err
// RUN: FileCheck %s --implicit-check-not='{{(note|warning): .*\[tensor-}}' <%t.txt
// RUN: FileCheck %s --check-prefix=SAYS --implicit-check-not='not analysed' <%t.err
// SAYS: incomplete: {{.*}}stand-ins.cu:[[#@LINE+1]]: 'solver/types.h' file not found; give
#include "solver/types.h"

void prepare(matrix_t *matrix, const options_t &options) {
  real_t *values;
  index_t *rows;
  CHECK_CUDA(cudaMalloc(&values, matrix->count * sizeof(real_t)));
  // CHECK: stand-ins.cu:[[@LINE+1]]:{{.*}}note: device memory in 'rows' is not given back
  CHECK_CUDA(cudaMalloc(&rows, (matrix->count + 1) * sizeof(index_t)));
  if (options.verbose > 1)
    report(stderr, "%d rows\n", (int)matrix->count);
  CHECK_CUDA(cudaFree(values));
}

// Whole without stand-ins.
void plain(int count) {
  float *left, *right;
  cudaMalloc(&left, count);
  // CHECK: stand-ins.cu:[[@LINE+1]]:{{.*}}warning: device memory in 'right' is not given back
  cudaMalloc(&right, count);
  cudaFree(left);
}

//===-- Near misses: what is not known may keep or free it ------------------------------===//

void kept(matrix_t *matrix, int count) {
  void *buffer;
  cudaMalloc(&buffer, count * sizeof(real_t));
  matrix->values = (real_t *)buffer;
  cudaMalloc(&buffer, count * sizeof(real_t));
  matrix->parts[0].rows = (real_t *)buffer;
}

void freed(index_t count) {
  real_t *values;
  cudaMalloc(&values, count * sizeof(real_t));
  solver_free(values);
}

void owned(index_t count) {
  real_t *values;
  cudaMalloc(&values, count * sizeof(real_t));
  device_ptr<real_t> owner(values, count);
}

matrix_t returned(index_t count) {
  real_t *values;
  cudaMalloc(&values, count * sizeof(real_t));
  return matrix_t(values, count);
}
