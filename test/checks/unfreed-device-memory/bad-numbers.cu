// A text that is no number leaves std::stof by an exception: where a program catches that and goes
// on, what is held there is lost.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static void load(const std::vector<std::string> &cells) {
  float *staging = nullptr;
  cudaMallocHost(&staging, cells.size() * sizeof(float)); // expected-warning {{pinned host memory in 'staging' is not given back when this function throws}} [tensor-unfreed-device-memory]
  for (size_t i = 0; i < cells.size(); ++i)
    staging[i] = std::stof(cells[i]); // expected-path {{this way out leaves it behind}}
  cudaFreeHost(staging); // expected-path {{others are freed here}}
}

static int count(const std::string &text) { return std::stoi(text); }

static void clear(const std::string &text) {
  float *data = nullptr;
  cudaMalloc(&data, 1 << 20); // expected-warning {{device memory in 'data' is not given back when this function throws}} [tensor-unfreed-device-memory]
  cudaMemset(data, 0, count(text)); // expected-path {{this way out leaves it behind}}
  cudaFree(data); // expected-path {{others are freed here}}
}

struct Freed {
  void operator()(float *data) const { cudaFree(data); }
};

static void clear_owned(const std::string &text) {
  float *data = nullptr;
  cudaMalloc(&data, 1 << 20);
  std::unique_ptr<float, Freed> owner(data);
  cudaMemset(data, 0, std::stoi(text));
}

static void read_first(const std::string &text) {
  const int bytes = std::stoi(text);
  float *data = nullptr;
  cudaMalloc(&data, bytes);
  cudaMemset(data, 0, bytes);
  cudaFree(data);
}

// std::to_string throws nothing that depends on the number.
static void print(int number) {
  float *data = nullptr;
  cudaMalloc(&data, 1 << 20);
  std::string text = std::to_string(number);
  cudaFree(data);
}

int main(int argc, char **argv) {
  int refused = 0;
  for (int i = 1; i < argc; ++i) {
    try {
      load({argv[i]});
      clear(argv[i]);
      clear_owned(argv[i]);
      read_first(argv[i]);
      print(i);
    } catch (const std::invalid_argument &) {
      ++refused;
    }
  }
  return refused;
}
