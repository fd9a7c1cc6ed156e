// The build defines a type (-DREAL=double), and the command does not: where many declarations name
// it, it is a number. A name that is wrong in one place is an error of that place, as before.
//
// RUN: not %tensorleak check --stats --no-cache --cuda-path none --level note %s -- -std=c++17 >%t.txt 2>%t.err
// RUN: FileCheck %s --implicit-check-not='{{(note|warning): .*\[tensor-}}' <%t.txt
// RUN: FileCheck %s --check-prefix=SAYS --implicit-check-not='not analysed' <%t.err
// RUN: not %tensorleak check --stats --no-cache --cuda-path none --level note %s -- -std=c++17 -DREAL=double -DINDEX=long >%t.txt 2>%t.err
// RUN: FileCheck %s --check-prefix=ONCE --implicit-check-not='{{(note|warning): .*\[tensor-}}' <%t.txt
// RUN: FileCheck %s --check-prefix=BROKEN <%t.err
// SAYS: incomplete: {{.*}}types-of-build.cu
// BROKEN: 1 function not analysed
#include <cuda_runtime.h>

template <INDEX Size> struct Block { REAL values[Size]; };
struct Grid {
  REAL *data;
  INDEX count;
  Block<16> halo;
};
__global__ void smooth(REAL *values, INDEX count);

REAL total(const REAL *values, INDEX count) {
  REAL *partial;
  REAL sum = 0;
  // CHECK: types-of-build.cu:[[@LINE+2]]:{{.*}}note: device memory in 'partial' is not given back
  // ONCE: types-of-build.cu:[[@LINE+1]]:{{.*}}warning: device memory in 'partial' is not given back
  cudaMalloc((void **)&partial, count * sizeof(REAL));
  smooth<<<1, 32>>>(partial, count);
  cudaMemcpy(&sum, partial, sizeof(REAL), cudaMemcpyDeviceToHost);
  return sum * REAL(0.5);
}

// Near misses.
void set_up(Grid &grid, INDEX count) {
  cudaMalloc((void **)&grid.data, count * sizeof(REAL));
  grid.count = count;
}
void tear_down(Grid &grid) { cudaFree(grid.data); }

void given_back(INDEX count) {
  REAL *values;
  cudaMalloc((void **)&values, count * sizeof(REAL));
  smooth<<<1, 32>>>(values, count);
  cudaFree(values);
}

// Wrong in one place: what is whole stays so, with warnings.
#if defined(REAL)
void misspelled() { Handel *other; }
#endif
