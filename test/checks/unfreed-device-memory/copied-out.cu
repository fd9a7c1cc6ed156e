// Elements that are copied out of a container which owns what they point to, and then taken out.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <queue>

struct Buffer {
  float *data;
};

// What is copied out of the container before it goes, and only used.
class Frames {
public:
  ~Frames() {
    for (; !waiting.empty(); waiting.pop())
      cudaFree(waiting.front().data);
  }
  void push(int n) {
    Buffer buffer;
    cudaMalloc(&buffer.data, n); // expected-path {{'waiting.data' gets it here}}
    waiting.push(buffer);
  }
  void send(float *host, int n) {
    Buffer first = waiting.front();
    waiting.pop(); // expected-warning {{in 'waiting.data' is lost here}} [tensor-unfreed-device-memory]
    cudaMemcpy(host, first.data, n, cudaMemcpyDeviceToHost);
  }

private:
  std::queue<Buffer> waiting;
};

//===-- Near misses -------------------------------------------------------===//

// What is copied out of the container before it goes, and has another owner then.
class HandedFrames {
public:
  ~HandedFrames() {
    for (; !waiting.empty(); waiting.pop())
      cudaFree(waiting.front().data);
  }
  void push(int n) {
    Buffer buffer;
    cudaMalloc(&buffer.data, n);
    waiting.push(buffer);
  }
  void send(float *host, int n) {
    Buffer first = waiting.front();
    waiting.pop();
    cudaMemcpy(host, first.data, n, cudaMemcpyDeviceToHost);
    cudaFree(first.data);
  }
  Buffer take() {
    Buffer first = waiting.front();
    waiting.pop();
    return first;
  }
  void show() {
    Buffer first = waiting.front();
    waiting.pop();
    keep(first);
  }
  void put_back() {
    Buffer first = waiting.front();
    waiting.pop();
    waiting.push(first);
  }
  static void keep(Buffer &buffer);

private:
  std::queue<Buffer> waiting;
};
