// What a container holds goes into another one of the function's own, which is freed in peace.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace moved {

class Reaper {
public:
  ~Reaper() { drain(); }
  void give(int n) {
    float *p = nullptr;
    cudaMallocHost(&p, n);
    done.push_back(p);
  }
  void drain() {
    std::vector<float *> todo = std::move(done);
    for (float *p : todo)
      cudaFreeHost(p);
  }

private:
  std::vector<float *> done;
};

class Copies {
public:
  ~Copies() { drain(); }
  void give(int n) {
    float *p = nullptr;
    cudaMallocHost(&p, n);
    done.push_back(p);
  }
  void drain() {
    std::vector<float *> todo;
    todo = done;
    done.clear();
    for (size_t i = 0; i < todo.size(); ++i)
      cudaFreeHost(todo[i]);
  }

private:
  std::vector<float *> done;
};

class OnlyCounts {
public:
  ~OnlyCounts() { drain(); } // expected-path {{'~OnlyCounts' is here}}
  void give(int n) {
    float *p = nullptr;
    cudaMallocHost(&p, n); // expected-warning {{pinned host memory in 'done[]' is never given back}} [tensor-unfreed-device-memory]
    done.push_back(p);
  }
  void drain() {
    std::vector<float *> todo = std::move(done);
    for (float *p : todo)
      count += p != nullptr;
  }

private:
  std::vector<float *> done;
  int count = 0;
};

} // namespace moved

namespace swapped {

struct Job {
  int id;
  cudaEvent_t event;
};

class Events {
public:
  ~Events() { drain(); }
  void give(int id) {
    Job job{id, nullptr};
    cudaEventCreate(&job.event);
    std::lock_guard<std::mutex> lock(mutex);
    jobs.push_back(job);
  }
  void drain() {
    std::deque<Job> todo;
    {
      std::lock_guard<std::mutex> lock(mutex);
      todo.swap(jobs);
    }
    for (Job &job : todo)
      cudaEventDestroy(job.event);
  }

private:
  std::mutex mutex;
  std::deque<Job> jobs;
};

class FreedByOwner {
public:
  void give(void *p) {
    std::lock_guard<std::mutex> lock(mutex);
    done.push_back(p);
  }
  void drain() {
    std::vector<void *> todo;
    std::swap(todo, done);
    for (void *p : todo)
      cudaFreeHost(p);
  }

private:
  std::mutex mutex;
  std::vector<void *> done;
};

class Ingest {
public:
  Ingest() { cudaMalloc(&frame, 1024); }
  ~Ingest() {
    reaper.drain();
    cudaFree(frame);
  }
  void submit(int n) {
    void *p = nullptr;
    cudaMallocHost(&p, n);
    reaper.give(p);
  }

private:
  FreedByOwner reaper;
  float *frame = nullptr;
};

} // namespace swapped
