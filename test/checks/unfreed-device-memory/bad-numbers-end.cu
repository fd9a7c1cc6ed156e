// Where an exception of std::stof ends the program, nothing is lost by it. What a test of the
// program's own throws stays a way out.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

static void clear(const std::string &text) {
  float *data = nullptr;
  cudaMalloc(&data, 1 << 20);
  cudaMemset(data, 0, std::stoi(text));
  cudaFree(data);
}

static int parse(const std::string &text) {
  if (text.empty())
    throw std::invalid_argument("nothing to read");
  return static_cast<int>(text.size());
}

static void clear_parsed(const std::string &text) {
  float *data = nullptr;
  cudaMalloc(&data, 1 << 20); // expected-warning {{device memory in 'data' is not given back when this function throws}} [tensor-unfreed-device-memory]
  cudaMemset(data, 0, parse(text)); // expected-path {{this way out leaves it behind}}
  cudaFree(data); // expected-path {{others are freed here}}
}

int main(int argc, char **argv) {
  try {
    clear(argv[argc - 1]);
    clear_parsed(argv[argc - 1]);
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
