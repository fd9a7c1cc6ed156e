// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// What is handed to a function that takes it only where its result says so.
#include <cuda_runtime.h>

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

void use(float *p);

//===-- A queue that may be full --------------------------------------------===//

class Queue {
public:
  ~Queue() {
    for (float *p : all)
      cudaFree(p);
  }
  bool push(float *p) {
    std::lock_guard<std::mutex> lock(mutex);
    if (all.size() == 8)
      return false;
    all.push_back(p);
    return true;
  }
  // Who calls this has nothing to free afterwards.
  bool pushOrFree(float *p) {
    if (all.size() == 8) {
      cudaFree(p);
      return false;
    }
    all.push_back(p);
    return true;
  }
  bool pushUnlessNull(float *p) {
    if (!p)
      return false;
    all.push_back(p);
    return true;
  }
  bool pushAll(float *p, int n) {
    if (!p || n == 0)
      return false;
    all.push_back(p);
    return true;
  }

private:
  std::mutex mutex;
  std::deque<float *> all;
};

bool refused(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    return false;
  if (!q.push(p)) // expected-path {{'push' takes it only where it returns true}}
    return false; // expected-path {{this way out}}
  return true;
}

bool refusedNamed(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    return false;
  bool isTaken = q.push(p); // expected-path {{'push' takes it only where it returns true}}
  if (isTaken)
    return true;
  use(nullptr);
  return false; // expected-path {{this way out}}
}

bool freedWhereRefused(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess)
    return false;
  if (!q.push(p)) {
    cudaFree(p);
    return false;
  }
  return true;
}

bool triedAgain(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess)
    return false;
  while (!q.push(p))
    use(nullptr);
  return true;
}

bool freedByCallee(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess)
    return false;
  if (!q.pushOrFree(p))
    return false;
  return true;
}

bool neverNull(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess)
    return false;
  if (!q.pushUnlessNull(p))
    return false;
  return true;
}

bool refusedForAnotherReason(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    return false;
  if (!q.pushAll(p, n)) // expected-path {{'pushAll' takes it only where it returns true}}
    return false;       // expected-path {{this way out}}
  return true;
}

// That it is never refused is for the program to know.
void notAsked(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess)
    return;
  q.push(p);
}

// Who hands it on gives the same answer, or none.
class Guarded {
public:
  bool push(float *p) { return queue.push(p); }
  bool add(float *p) {
    if (!queue.push(p))
      use(p);
    return true;
  }

private:
  Queue queue;
};

bool handedOn(Guarded &guarded, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess)
    return false;
  if (!guarded.add(p))
    use(nullptr);
  return true;
}

bool handedOnAndRefused(Guarded &guarded, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    return false;
  if (!guarded.push(p)) // expected-path {{'push' takes it only where it returns true}}
    return false;       // expected-path {{this way out}}
  return true;
}

bool refusedByName(Queue &q, int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) // expected-warning {{device memory in 'p' is not given back on every way out}} [tensor-unfreed-device-memory]
    return false;
  const bool isRefused = !q.push(p); // expected-path {{'push' takes it only where it returns true}}
  if (isRefused)
    return false; // expected-path {{this way out}}
  return true;
}

//===-- Numbers, records, objects -------------------------------------------===//

struct Entry {
  float *data;
  int size;
};

struct Registry {
  Entry entries[16];
  int used = 0;
};

int adopt(Registry *r, const Entry &entry) {
  if (r->used == 16)
    return -1;
  r->entries[r->used++] = entry;
  return 0;
}

int adoptAny(Registry *r, float *data) {
  if (r->used == 16)
    return -1;
  r->entries[r->used++].data = data;
  return 0;
}

int refusedRecord(Registry *r, int n) {
  Entry entry{nullptr, n};
  if (cudaMalloc(&entry.data, n) != cudaSuccess) // expected-warning {{device memory in 'entry.data' is not given back on every way out}} [tensor-unfreed-device-memory]
    return 1;
  if (adopt(r, entry) != 0) // expected-path {{'adopt' takes it only where it returns 0}}
    return 1;               // expected-path {{this way out}}
  return 0;
}

int refusedNumber(Registry *r, int n) {
  float *data = nullptr;
  if (cudaMalloc(&data, n) != cudaSuccess) // expected-warning {{device memory in 'data' is not given back on every way out}} [tensor-unfreed-device-memory]
    return 1;
  if (adoptAny(r, data) < 0) // expected-path {{'adoptAny' takes it only where it returns 0}}
    return 1;                // expected-path {{this way out}}
  return 0;
}

struct Freeing {
  void operator()(float *p) const { cudaFree(p); }
};
using Owned = std::unique_ptr<float, Freeing>;

Owned make(int n) {
  float *p = nullptr;
  if (cudaMalloc(&p, n) != cudaSuccess)
    return Owned();
  return Owned(p);
}

bool refusedReleased(Registry *r, int n) {
  Owned data = make(n);
  if (!data)
    return false;
  if (adoptAny(r, data.release()) != 0) // expected-warning {{device memory that this call returns is lost where 'adoptAny' does not take it}} [tensor-unfreed-device-memory] expected-path {{'adoptAny' takes it only where it returns 0}}
    return false;
  return true;
}

bool releasedWhereTaken(Registry *r, int n) {
  Owned data = make(n);
  if (!data)
    return false;
  if (adoptAny(r, data.get()) != 0)
    return false;
  data.release();
  return true;
}

//===-- Callbacks of the device ---------------------------------------------===//

struct Job {
  float *data;
};

void CUDART_CB finish(void *job) {
  cudaFree(static_cast<Job *>(job)->data);
  delete static_cast<Job *>(job);
}

bool neverRuns(cudaStream_t stream, int n) {
  float *staging = nullptr;
  if (cudaMallocHost(reinterpret_cast<void **>(&staging), n) != cudaSuccess) // expected-note {{pinned host memory in 'staging' is not given back on every way out}} [tensor-unfreed-device-memory]
    return false;
  Job *job = new Job;
  job->data = staging;
  if (cudaLaunchHostFunc(stream, finish, job) != cudaSuccess) { // expected-path {{takes it only where it succeeds}}
    delete job;
    return false; // expected-path {{this way out}}
  }
  return true;
}

bool freedWhereItNeverRuns(cudaStream_t stream, int n) {
  float *staging = nullptr;
  if (cudaMallocHost(reinterpret_cast<void **>(&staging), n) != cudaSuccess)
    return false;
  Job *job = new Job;
  job->data = staging;
  if (cudaLaunchHostFunc(stream, finish, job) != cudaSuccess) {
    cudaFreeHost(staging);
    delete job;
    return false;
  }
  return true;
}

//===-- Owners that let go --------------------------------------------------===//

struct Table {
  Owned slots;

  void spill(float *host, int n) {
    cudaMemcpy(host, slots.get(), n, cudaMemcpyDeviceToHost);
    slots.release(); // expected-warning {{device memory that this call returns is dropped}} [tensor-unfreed-device-memory]
  }
  void give(std::vector<float *> &to) {
    to.push_back(slots.get());
    slots.release();
  }
};
