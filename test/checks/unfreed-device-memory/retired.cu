// A helper gives back the elements that it takes out itself, and as many as are ready. What the
// caller takes out is another one.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <deque>
#include <vector>

struct InFlight {
  int id;
  cudaEvent_t fence;
};

namespace another_one {

class Pacer {
public:
  ~Pacer() { retire(); }
  void submit(int id) {
    retire();
    if (queue.size() >= 3) {
      InFlight oldest = queue.front();
      cudaEventSynchronize(oldest.fence);
      queue.pop_front(); // expected-warning {{an event in 'queue.fence' is lost here}} [tensor-unfreed-device-memory]
    }
    InFlight f{id, nullptr};
    cudaEventCreate(&f.fence); // expected-path {{gets it here}}
    queue.push_back(f);
  }

private:
  void retire() {
    while (!queue.empty()) {
      if (cudaEventQuery(queue.front().fence) == cudaErrorNotReady)
        break;
      cudaEventDestroy(queue.front().fence);
      queue.pop_front();
    }
  }
  std::deque<InFlight> queue;
};

class GivesBoth {
public:
  ~GivesBoth() { retire(); }
  void submit(int id) {
    retire();
    if (queue.size() >= 3) {
      InFlight oldest = queue.front();
      cudaEventSynchronize(oldest.fence);
      cudaEventDestroy(oldest.fence);
      queue.pop_front();
    }
    InFlight f{id, nullptr};
    cudaEventCreate(&f.fence);
    queue.push_back(f);
  }

private:
  void retire() {
    while (!queue.empty()) {
      if (cudaEventQuery(queue.front().fence) == cudaErrorNotReady)
        break;
      cudaEventDestroy(queue.front().fence);
      queue.pop_front();
    }
  }
  std::deque<InFlight> queue;
};

class UsesAgain {
public:
  ~UsesAgain() {
    retire();
    for (InFlight &f : spare)
      cudaEventDestroy(f.fence);
  }
  void submit(int id) {
    retire();
    if (queue.size() >= 3) {
      spare.push_back(queue.front());
      queue.pop_front();
    }
    InFlight f{id, nullptr};
    cudaEventCreate(&f.fence);
    queue.push_back(f);
  }

private:
  void retire() {
    while (!queue.empty()) {
      if (cudaEventQuery(queue.front().fence) == cudaErrorNotReady)
        break;
      cudaEventDestroy(queue.front().fence);
      queue.pop_front();
    }
  }
  std::deque<InFlight> queue;
  std::vector<InFlight> spare;
};

} // namespace another_one

//===-- A helper that gives back all leaves none -------------------------------===//

namespace all_of_them {

class Drained {
public:
  ~Drained() { drain(); }
  void flush() {
    drain();
    queue.clear();
  }
  void submit(int id) {
    InFlight f{id, nullptr};
    cudaEventCreate(&f.fence);
    queue.push_back(f);
  }

private:
  void drain() {
    while (!queue.empty()) {
      cudaEventDestroy(queue.front().fence);
      queue.pop_front();
    }
  }
  std::deque<InFlight> queue;
};

class FreedAndForgotten {
public:
  ~FreedAndForgotten() { giveAll(); }
  void flush() {
    giveAll();
    while (!queue.empty())
      queue.pop_front();
  }
  void submit(int id) {
    InFlight f{id, nullptr};
    cudaEventCreate(&f.fence);
    queue.push_back(f);
  }

private:
  void giveAll() {
    for (InFlight &f : queue)
      cudaEventDestroy(f.fence);
  }
  std::deque<InFlight> queue;
};

} // namespace all_of_them
