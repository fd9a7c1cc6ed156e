// Pointers that a copy to the device puts into a table there, and structures that the library fills
// as a whole.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdlib>
#include <cuda_runtime.h>

struct Table {
  float **rows;
  int count;
};

// The table holds them from there on.
void fills(Table &table, int n) {
  float **rows = static_cast<float **>(malloc(n * sizeof(float *)));
  for (int i = 0; i < n; ++i)
    cudaMalloc(&rows[i], 1024);
  cudaMalloc(&table.rows, n * sizeof(float *));
  cudaMemcpy(table.rows, rows, n * sizeof(float *), cudaMemcpyHostToDevice);
  free(rows);
}

void fills_in_a_stream(Table &table, int n, cudaStream_t stream) {
  float *rows[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(&rows[i], 1024);
  cudaMalloc(&table.rows, sizeof(rows));
  cudaMemcpyAsync(table.rows, rows, sizeof(rows), cudaMemcpyHostToDevice, stream);
}

void copies_none(Table &table, int n) {
  float *rows[8];
  for (int i = 0; i < 8; ++i)
    cudaMalloc(&rows[i], 1024); // expected-warning {{in 'rows[]' is not given back}} [tensor-unfreed-device-memory]
  cudaMalloc(&table.rows, sizeof(rows));
}

// A table of this function's own goes with it.
void fills_its_own(int n) {
  float **table;
  float *row;
  cudaMalloc(&row, 1024); // expected-warning {{is not given back}} [tensor-unfreed-device-memory]
  cudaMalloc(&table, sizeof(float *));
  cudaMemcpy(table, &row, sizeof(row), cudaMemcpyHostToDevice);
  cudaFree(table); // expected-path {{others are freed here}}
}

struct Mesh {
  float *vertices;
  int n;
};

Mesh *to_device(int n) {
  Mesh mesh{nullptr, n}, *there;
  cudaMalloc(&mesh.vertices, n);
  cudaMalloc(&there, sizeof(Mesh));
  cudaMemcpy(there, &mesh, sizeof(Mesh), cudaMemcpyHostToDevice);
  return there;
}

void numbers_only(const float *numbers, int n) {
  float *there, *row;
  cudaMalloc(&row, n); // expected-warning {{'row' is not given back}} [tensor-unfreed-device-memory]
  cudaMalloc(&there, n);
  cudaMemcpy(there, numbers, n, cudaMemcpyHostToDevice);
  cudaMemcpy(row, there, n, cudaMemcpyDeviceToDevice);
  cudaFree(there); // expected-path {{others are freed here}}
} // expected-fix {{cudaFree(row);}}

//===-- Structures of the library ---------------------------------------------===//

class Volumes {
public:
  explicit Volumes(cudaExtent extent) {
    cudaMalloc3D(&one, extent);
    for (auto &each : several)
      cudaMalloc3D(&each, extent);
  }
  ~Volumes() {
    cudaFree(one.ptr);
    for (int i = 0; i < 3; ++i)
      cudaFree(several[i].ptr);
  }

private:
  cudaPitchedPtr one;
  cudaPitchedPtr several[3];
};

class ForgetsOneVolume {
public:
  explicit ForgetsOneVolume(cudaExtent extent) {
    cudaMalloc3D(&one, extent);
    cudaMalloc3D(&other, extent); // expected-warning {{'other' is never given back; '~ForgetsOneVolume' frees 'one' and forgets it}} [tensor-unfreed-device-memory]
  }
  ~ForgetsOneVolume() { cudaFree(one.ptr); } // expected-path {{'~ForgetsOneVolume' is here}}

private:
  cudaPitchedPtr one, other;
};

void volumes(cudaExtent extent) {
  Volumes volumes(extent);
  ForgetsOneVolume one(extent);
}
