// What is computed from names that are not declared has no type, and no part of it has. What is
// lost beside it is still reported.
//
// RUN: not %tensorleak check %s --level note --no-cache -- -std=c++17 2>&1 | FileCheck %s --implicit-check-not=crashed
//
// CHECK-DAG: untyped-results.cu:13:{{[0-9]+}}: {{warning|note}}: 64 B of device memory in 'p'
// CHECK-DAG: incomplete: {{.*}}untyped-results.cu:{{[0-9]+}}: unknown type name 'Capture'
#include <cuda_runtime.h>

int main() {
  Capture capture(0);
  float *p;
  cudaMalloc(&p, 64);
  for (;;) {
    Image image;
    capture >> image;
    const int rows = image.rows;
    int *pixels = new int[rows];
    for (int i = 0; i < rows; ++i)
      pixels[i] = (int)image.at<uchar>(i, 0);
    show("image", Image(rows, 3, Bytes, pixels));
    image.at<uchar>(1, 2) = (uchar)pixels[1];
    if (waitKey(30) >= 0)
      break;
    delete[] pixels;
  }
  return 0;
}
