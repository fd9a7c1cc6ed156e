// A class without a destructor.
#include "cuda.h"

class DeviceMatrix {
public:
  DeviceMatrix(int Rows, int Columns) {
    cudaMalloc((void **)&Data, sizeof(float) * Rows * Columns); // LEAK bytes=16384 holder=-
  }
#if !LEAK
  ~DeviceMatrix() { cudaFree(Data); }
#endif
  float *Data = nullptr;
};

int main() {
  for (int I = 0; I < 100; ++I) {
    DeviceMatrix A(32, 64), B(32, 64);
    if (A.Data == B.Data)
      return 1;
  }
}
