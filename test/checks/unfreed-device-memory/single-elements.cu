// An array in a member whose elements are filled one by one, and given back one by one.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <queue>
#include <vector>

class ForgetsSecond {
public:
  ~ForgetsSecond() { unload(); }
  bool load(int n) {
    if (cudaMalloc(&buffers[0], n) != cudaSuccess)
      return false;
    return cudaMalloc(&buffers[1], n) == cudaSuccess; // expected-warning {{device memory in 'buffers[1]' is never given back, and other elements are; call 'cudaFree' on it too}} [tensor-unfreed-device-memory]
  }
  void unload() {
    if (buffers[0]) {
      cudaFree(buffers[0]); // expected-path {{only single ones are given back, as here}}
      buffers[0] = nullptr;
    }
  }

private:
  void *buffers[2] = {nullptr, nullptr};
};

//===-- Near misses ---------------------------------------------------------===//

class FreesBoth {
public:
  ~FreesBoth() { unload(); }
  bool load(int n) {
    if (cudaMalloc(&buffers[0], n) != cudaSuccess)
      return false;
    return cudaMalloc(&buffers[1], n) == cudaSuccess;
  }
  void unload() {
    cudaFree(buffers[0]);
    cudaFree(buffers[1]);
    buffers[0] = buffers[1] = nullptr;
  }

private:
  void *buffers[2] = {nullptr, nullptr};
};

class FreesInLoop {
public:
  FreesInLoop(int n) {
    cudaMalloc(&buffers[0], n);
    cudaMalloc(&buffers[1], n);
  }
  ~FreesInLoop() {
    for (void *buffer : buffers)
      cudaFree(buffer);
  }

private:
  void *buffers[2];
};

// The second one has another name, under which it is given back.
class FreesByOtherName {
public:
  FreesByOtherName(int n) {
    cudaMalloc(&buffers[0], n);
    cudaMalloc(&output, n);
    buffers[1] = output;
  }
  ~FreesByOtherName() {
    cudaFree(buffers[0]);
    cudaFree(output);
  }

private:
  void *buffers[2];
  void *output;
};

//===-- By a callee, in each round ----------------------------------------------===//

struct Task {
  int priority;
  void *input;
};
static void run(const Task &task) { cudaFree(task.input); }

void drains() {
  std::queue<Task> tasks;
  for (int i = 0; i < 100; ++i) {
    Task task{i, nullptr};
    cudaMalloc(&task.input, 1024);
    tasks.push(task);
  }
  while (!tasks.empty()) {
    run(tasks.front());
    tasks.pop();
  }
}

struct Job {
  int priority;
  void *input;
};
static void do_first(const Job &job) { cudaFree(job.input); } // expected-path {{only single ones are given back, as here}}

void runs_first_alone() {
  std::queue<Job> jobs;
  for (int i = 0; i < 100; ++i) {
    Job job{i, nullptr};
    cudaMalloc(&job.input, 1024); // expected-warning {{'job.input' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
    jobs.push(job);
  }
  do_first(jobs.front());
}

//===-- By a name of its own ------------------------------------------------------===//

struct LastOfAll {
  std::vector<float *> all;
  void fill(size_t n) {
    for (int i = 0; i < 3; ++i) {
      float *p;
      cudaMalloc(&p, n * 4); // expected-warning {{'all[]' is taken in each round of a loop, and not all of it is given back}} [tensor-unfreed-device-memory]
      all.push_back(p);
    }
  }
  ~LastOfAll() {
    float *last = all.back();
    cudaFree(last); // expected-path {{only single ones are given back, as here}}
  }
};

struct OneByOne {
  std::vector<float *> kept;
  void fill(size_t n) {
    for (int i = 0; i < 3; ++i) {
      float *p;
      cudaMalloc(&p, n * 4);
      kept.push_back(p);
    }
  }
  ~OneByOne() {
    while (!kept.empty()) {
      float *last = kept.back();
      cudaFree(last);
      kept.pop_back();
    }
  }
};

/// Each call finds another element there.
struct CallByCall {
  std::vector<float *> left;
  void fill(size_t n) {
    for (int i = 0; i < 3; ++i) {
      float *p;
      cudaMalloc(&p, n * 4);
      left.push_back(p);
    }
  }
  void drop() {
    float *last = left.back();
    left.pop_back();
    cudaFree(last);
  }
};
