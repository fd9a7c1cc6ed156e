// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// What a function puts into an object, a thread of that object takes out and frees.
#include <cuda_runtime.h>
#include <deque>
#include <thread>
#include <vector>

//===-- The thread frees what it takes ----------------------------------------------===//

struct Work {
  float *input;
  int count;
};

class Consumer {
public:
  Consumer() : thread_([this] { loop(); }) {}
  ~Consumer() { thread_.join(); }
  void post(Work work) { queue_.push_back(work); }

private:
  void loop() {
    while (!queue_.empty()) {
      Work work = queue_.front();
      queue_.pop_front();
      cudaFree(work.input);
    }
  }
  std::deque<Work> queue_;
  std::thread thread_;
};

void produce() {
  Consumer consumer;
  for (int i = 1; i <= 25; ++i) {
    Work work{nullptr, i};
    cudaMalloc(&work.input, 1 << 20);
    consumer.post(work);
  }
}

//===-- It only reads it ---------------------------------------------------------------===//

struct Frame {
  float *pixels;
};

class Viewer {
public:
  Viewer() { threads_.emplace_back([this] { loop(); }); }
  ~Viewer() { threads_[0].join(); }
  void post(Frame frame) { frames_.push_back(frame); }

private:
  void loop() {
    while (!frames_.empty()) {
      Frame frame = frames_.front();
      frames_.pop_front();
      cudaMemset(frame.pixels, 0, 1 << 20);
    }
  }
  std::deque<Frame> frames_;
  std::vector<std::thread> threads_;
};

void show() {
  Viewer viewer;
  for (int i = 1; i <= 25; ++i) {
    Frame frame{nullptr};
    cudaMalloc(&frame.pixels, 1 << 20); // expected-warning {{1 MiB of device memory in 'viewer.frames_[].pixels' is not given back before 'show' returns}} [tensor-unfreed-device-memory]
    viewer.post(frame);
  }
}
