// A loop that gives back nothing, as what it walks over was emptied before.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <vector>

//===-- A number of elements, or the container, goes first ----------------------------===//

class Slots {
public:
  ~Slots() { clear(); }
  void add(int n) {
    cudaMalloc(&slots_[count_], n);
    ++count_;
  }
  void clear() {
    count_ = 0; // expected-warning {{device memory is lost here: the loop behind this, which would give it back, finds 'count_' empty; call 'cudaFree' first}} [tensor-unfreed-device-memory]
    for (int i = 0; i < count_; ++i)
      cudaFree(slots_[i]); // expected-path {{this never runs}}
  }

private:
  float *slots_[8];
  int count_ = 0;
};

struct Frames {
  std::vector<float *> all;
};

void drop(Frames &frames) {
  frames.all.clear(); // expected-warning {{device memory is lost here: the loop behind this, which would give it back, finds 'all' empty}} [tensor-unfreed-device-memory]
  for (float *each : frames.all)
    cudaFree(each); // expected-path {{this never runs}}
}

class Streams {
public:
  ~Streams() {
    open_.clear(); // expected-warning {{a stream is lost here: the loop behind this}} [tensor-unfreed-device-memory]
    while (!open_.empty()) {
      cudaStreamDestroy(open_.back()); // expected-path {{this never runs}}
      open_.pop_back();
    }
  }
  void open() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    open_.push_back(stream);
  }

private:
  std::vector<cudaStream_t> open_;
};

//===-- Near misses: there is something to give back -----------------------------------===//

class Kept {
public:
  ~Kept() { clear(); }
  void add(int n) {
    float *made;
    cudaMalloc(&made, n);
    all_.push_back(made);
  }
  void clear() {
    for (float *each : all_)
      cudaFree(each);
    all_.clear();
    for (float *each : others_)
      cudaFree(each);
    others_.clear();
  }
  void renew(int n) {
    clear();
    all_.clear();
    add(n); // fills it again
    for (float *each : all_)
      cudaFree(each);
    all_.clear();
  }
  void refill(int n) {
    int used = 0;
    for (; used < 4; ++used)
      cudaMalloc(&few_[used], n);
    for (int i = 0; i < used; ++i)
      cudaFree(few_[i]);
  }
  void clearIfFull() {
    for (float *each : all_)
      cudaFree(each);
    if (all_.size() > 8)
      all_.clear();
    for (float *each : others_)
      cudaFree(each);
    all_.clear();
    others_.clear();
  }
  void moveOver(float *extra) {
    others_.clear();
    others_.push_back(extra);
    for (float *each : others_)
      cudaFree(each);
    others_.clear();
  }

private:
  std::vector<float *> all_, others_;
  float *few_[4];
};
