// Elements and entries of the library's containers, told apart by constant keys.
//
// RUN: %check_tensor %s
#include <cuda_runtime.h>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

void use(const float *);
void take(std::vector<float *> &);

void one_of_two_elements(int n) {
  std::vector<float *> buffers(2);
  cudaMalloc(&buffers[0], n);
  cudaMalloc(&buffers[1], n); // expected-warning {{buffers[1]}} [tensor-unfreed-device-memory]
  use(buffers[1]);
  cudaFree(buffers[0]); // expected-path {{others are freed here}}
}

void both_elements(int n) {
  std::vector<float *> buffers(2);
  cudaMalloc(&buffers[0], n);
  cudaMalloc(&buffers.at(1), n);
  cudaFree(buffers.at(0));
  cudaFree(buffers[1]);
}

void one_of_two_entries(int n) {
  std::map<std::string, float *> buffers;
  cudaMalloc(&buffers["in"], n);
  cudaMalloc(&buffers["out"], n); // expected-warning {{buffers["out"]}} [tensor-unfreed-device-memory]
  cudaFree(buffers["in"]); // expected-path {{others are freed here}}
}

void both_entries(int n) {
  std::map<std::string, float *> buffers;
  cudaMalloc(&buffers["in"], n);
  cudaMalloc(&buffers["out"], n);
  cudaFree(buffers.at("in"));
  cudaFree(buffers.at("out"));
}

void freed_by_a_loop(int n) {
  std::map<std::string, float *> buffers;
  cudaMalloc(&buffers["in"], n);
  cudaMalloc(&buffers["out"], n);
  for (auto &entry : buffers)
    cudaFree(entry.second);
}

void freed_by_index(int n) {
  std::vector<float *> buffers(2);
  cudaMalloc(&buffers[0], n);
  cudaMalloc(&buffers[1], n);
  for (size_t i = 0; i < buffers.size(); ++i)
    cudaFree(buffers[i]);
}

void freed_by_iterators(int n) {
  std::vector<float *> buffers(2);
  cudaMalloc(&buffers[0], n);
  cudaMalloc(&buffers[1], n);
  for (auto it = buffers.begin(); it != buffers.end(); ++it)
    cudaFree(*it);
}

// The second is the first by then.
void moved_up(int n) {
  std::vector<float *> buffers(2);
  cudaMalloc(&buffers[0], n);
  cudaMalloc(&buffers[1], n);
  cudaFree(buffers[0]);
  buffers.erase(buffers.begin());
  cudaFree(buffers[0]);
}

void changing_places(int n, int rounds) {
  std::array<float *, 2> buffers;
  cudaMalloc(&buffers[0], n);
  cudaMalloc(&buffers[1], n);
  for (int i = 0; i < rounds; ++i)
    std::swap(buffers[0], buffers[1]);
  cudaFree(buffers[0]);
  cudaFree(buffers[1]);
}

void taken_by_others(int n) {
  std::vector<float *> buffers(2);
  cudaMalloc(&buffers[0], n);
  cudaMalloc(&buffers[1], n);
  take(buffers);
  cudaFree(buffers[0]);
}

void taken_again(int n) {
  std::vector<float *> buffers(1);
  cudaMalloc(&buffers[0], n); // expected-warning {{buffers[0]}} [tensor-unfreed-device-memory]
  cudaMalloc(&buffers[0], 2 * n); // expected-path {{overwritten}}
  cudaFree(buffers[0]);
}

void begun_anew(int n) {
  std::vector<float *> buffers(1);
  cudaMalloc(&buffers[0], n);
  take(buffers);
  buffers.assign(1, nullptr);
  cudaMalloc(&buffers[0], 2 * n);
  cudaFree(buffers[0]);
}

class Pool {
public:
  explicit Pool(int n) : buffers_(2) {
    cudaMalloc(&buffers_[0], n);
    cudaMalloc(&buffers_[1], n);
  }
  ~Pool() {
    for (float *buffer : buffers_)
      cudaFree(buffer);
  }

private:
  std::vector<float *> buffers_;
};

// The entry is another name of the second of the pair.
void by_a_second_name(int n) {
  float *pair[2];
  std::map<int, float **> second;
  second.emplace(0, pair + 1);
  for (int i = 0; i < n; ++i) {
    cudaMalloc(second.at(0), n);
    cudaFree(pair[1]);
  }
}
