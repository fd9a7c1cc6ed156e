// Callbacks whose bodies are in view: what they leave stays with who made it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <thread>

void notify(float value);

void CUDART_CB reads(void *data) { notify(*static_cast<float *>(data)); }
void CUDART_CB frees(void *data) { cudaFreeHost(data); }
void *kept;
void CUDART_CB keeps(void *data) { kept = data; }
void CUDART_CB unseen(void *data);

void read(cudaStream_t stream, int n) {
  float *host;
  cudaMallocHost(&host, n); // expected-warning {{pinned host memory in 'host' is not given back before 'read' returns}} [tensor-unfreed-device-memory]
  cudaLaunchHostFunc(stream, reads, host);
  cudaStreamSynchronize(stream);
} // expected-fix {{cudaFreeHost(host);}}

void read_by_lambda(cudaStream_t stream, int n) {
  float *host;
  cudaMallocHost(&host, n); // expected-warning {{pinned host memory in 'host' is not given back before 'read_by_lambda' returns}} [tensor-unfreed-device-memory]
  cudaLaunchHostFunc(
      stream, [](void *data) { notify(*static_cast<float *>(data)); }, host);
  cudaStreamSynchronize(stream);
}

void work(float *data) { notify(*data); }
void workAndGive(float *data) {
  notify(*data);
  cudaFree(data);
}

void in_a_thread(int n) {
  float *data;
  cudaMallocManaged(&data, n); // expected-warning {{device memory in 'data' is not given back before 'in_a_thread' returns}} [tensor-unfreed-device-memory]
  std::thread thread(work, data);
  thread.join();
}

//===-- Near misses -----------------------------------------------------------------===//

void given(cudaStream_t stream, int n) {
  float *host;
  cudaMallocHost(&host, n);
  cudaLaunchHostFunc(stream, frees, host);
}

void given_by_lambda(cudaStream_t stream, int n) {
  float *host;
  cudaMallocHost(&host, n);
  cudaLaunchHostFunc(stream, [](void *data) { cudaFreeHost(data); }, host);
}

void handed_on(cudaStream_t stream, int n) {
  float *host;
  cudaMallocHost(&host, n);
  cudaLaunchHostFunc(stream, keeps, host);
}

void not_in_view(cudaStream_t stream, int n) {
  float *host;
  cudaMallocHost(&host, n);
  cudaLaunchHostFunc(stream, unseen, host);
}

void chosen(cudaStream_t stream, void (*run)(void *), int n) {
  float *host;
  cudaMallocHost(&host, n);
  cudaLaunchHostFunc(stream, run, host);
}

void given_in_a_thread(int n) {
  float *data;
  cudaMallocManaged(&data, n);
  std::thread thread(workAndGive, data);
  thread.join();
}

void unseen_in_a_thread(void (*run)(float *), int n) {
  float *data;
  cudaMallocManaged(&data, n);
  std::thread thread(run, data);
  thread.join();
}
