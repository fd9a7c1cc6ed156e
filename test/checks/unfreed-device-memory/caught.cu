// What a function throws itself goes on in its own handler, if that is for it.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>
#include <stdexcept>

bool caught_as_base(int n) {
  float *data = nullptr;
  try {
    if (cudaMalloc(&data, n) != cudaSuccess)
      throw std::runtime_error("no memory");
    if (n < 8)
      throw std::invalid_argument("too small");
    cudaFree(data);
    return true;
  } catch (const std::exception &) {
    cudaFree(data);
    return false;
  }
}

// What is thrown is no such thing.
bool caught_as_other(int n) {
  float *data = nullptr;
  try {
    cudaMalloc(&data, n); // expected-warning {{in 'data' is not given back}} [tensor-unfreed-device-memory]
    if (n < 8)
      throw n;
    cudaFree(data);
    return true;
  } catch (const std::exception &) {
    cudaFree(data); // expected-path {{others are freed here}}
    return false;
  }
} // expected-path {{this way out leaves it behind}}

// The handler that gets it forgets.
bool caught_and_forgotten(int n) {
  float *data = nullptr;
  try {
    cudaMalloc(&data, n); // expected-warning {{in 'data' is not given back on every way out}} [tensor-unfreed-device-memory]
    if (n < 8)
      throw std::invalid_argument("too small");
    cudaFree(data); // expected-path {{others are freed here}}
    return true;
  } catch (const std::exception &) {
    return false; // expected-path {{this way out leaves it behind}}
  }
}

//===-- Objects that an exception ends ----------------------------------------===//

void run(cudaGraph_t);

/// Its destructor runs for each round, whether that throws or not.
class Captured {
public:
  ~Captured() {
    if (Graph)
      cudaGraphDestroy(Graph);
  }
  void fill() {
    if (cudaGraphCreate(&Graph, 0) != cudaSuccess)
      throw std::runtime_error("no graph");
  }
  cudaGraph_t Graph = nullptr;
};

void each_round_has_its_own(int n) {
  for (int i = 0; i < n; ++i) {
    try {
      Captured graph;
      graph.fill();
      if (i % 3 == 0)
        throw std::runtime_error("not now");
      run(graph.Graph);
    } catch (const std::runtime_error &) {
    }
  }
}

//===-- A handle beside its owner -------------------------------------------------===//

struct StreamScope {
  cudaStream_t stream;
  StreamScope() { cudaStreamCreate(&stream); }
  ~StreamScope() { cudaStreamDestroy(stream); }
};

void throws_beside_its_owner(int n) {
  StreamScope scope;
  cudaStream_t stream = scope.stream;
  if (n < 0)
    throw n;
  cudaStreamSynchronize(stream);
}

void throws_beside_another_name(int n) {
  cudaStream_t stream;
  cudaStreamCreate(&stream); // expected-warning {{is not given back when this function throws}} [tensor-unfreed-device-memory]
  cudaStream_t other = stream;
  if (n < 0)
    throw n; // expected-path {{this way out leaves it behind}}
  cudaStreamDestroy(other); // expected-path {{others are freed here}}
}

cudaStream_t of_the_thread() {
  thread_local StreamScope scope;
  cudaStream_t stream = scope.stream;
  return stream;
}

void uses_that_of_the_thread(int n) {
  for (int i = 0; i < n; ++i)
    cudaStreamSynchronize(of_the_thread());
}

//===-- Handlers that leave the function --------------------------------------------===//

void work(cudaStream_t stream, int n) {
  if (n < 0)
    throw std::invalid_argument("nothing to do");
  cudaStreamSynchronize(stream);
}

bool leaves_by_handler(int n) {
  cudaStream_t stream;
  cudaStreamCreate(&stream); // expected-warning {{in 'stream' is not given back on every way out}} [tensor-unfreed-device-memory]
  try {
    work(stream, n); // expected-path {{this way out leaves it behind}}
  } catch (const std::exception &) {
    return false;
  }
  cudaStreamDestroy(stream); // expected-path {{others are freed here}}
  return true;
}

// The handler goes on behind the `try`.
bool goes_on(int n) {
  bool done = true;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  try {
    work(stream, n);
  } catch (const std::exception &) {
    done = false;
  }
  cudaStreamDestroy(stream);
  return done;
}

bool one_goes_on(int n) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  try {
    work(stream, n);
  } catch (const std::invalid_argument &) {
    n = 0;
  } catch (const std::exception &) {
    cudaStreamDestroy(stream);
    return false;
  }
  cudaStreamDestroy(stream);
  return n > 0;
}

/// Whatever decides that it throws.
void each_of_the_first_has_its_own(int n) {
  for (int i = 0; i < n; ++i) {
    try {
      Captured graph;
      graph.fill();
      if (i < 3)
        throw std::runtime_error("not now");
      run(graph.Graph);
    } catch (const std::runtime_error &) {
    }
  }
}

/// What no destructor gives back is lost where it is thrown.
void each_round_loses_some(int n) {
  for (int i = 0; i < n; ++i) {
    try {
      cudaGraph_t graph = nullptr; // expected-path {{it is overwritten here}}
      if (cudaGraphCreate(&graph, 0) != cudaSuccess) // expected-warning {{in 'graph' is taken anew in each round, and the one before is lost}} [tensor-unfreed-device-memory]
        throw std::runtime_error("no graph");
      if (i % 3 == 0)
        throw std::runtime_error("not now");
      run(graph);
      cudaGraphDestroy(graph);
    } catch (const std::runtime_error &) {
    }
  }
}
