// A method takes another one whenever it is asked for another size than before, by itself or by a
// helper that asks nothing: where nothing gives back the one before, that is lost.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

class ByHelper {
public:
  ~ByHelper() { cudaFree(data); }
  void run(int n) {
    if (n != size)
      allocate(n); // expected-warning {{device memory in 'data' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
    cudaMemset(data, 0, n);
  }

private:
  void allocate(int n) {
    cudaMalloc(&data, n); // expected-path {{it is allocated here}}
    size = n;
  }
  int size = -1;
  float *data = nullptr;
};

class ByTwoHelpers {
public:
  ~ByTwoHelpers() { cudaFree(data); }
  void resize(int w, int h) {
    if (w == width && h == height)
      return;
    width = w;
    height = h;
    reallocate(); // expected-warning {{device memory in 'data' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
  }

private:
  void reallocate() { allocate(); }
  void allocate() {
    cudaMalloc(&data, width * height); // expected-path {{it is allocated here}}
  }
  int width = 0, height = 0;
  float *data = nullptr;
};

class Clamped {
public:
  ~Clamped() {
    if (exec)
      cudaGraphExecDestroy(exec);
  }
  void run(int n, cudaGraph_t graph) {
    if (n > most)
      n = most;
    if (n != captured)
      capture(n, graph); // expected-warning {{an executable graph in 'exec' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
    cudaGraphLaunch(exec, nullptr);
  }

private:
  void capture(int n, cudaGraph_t graph) {
    cudaGraphInstantiate(&exec, graph, 0); // expected-path {{it is allocated here}}
    captured = n;
  }
  int captured = -1, most = 64;
  cudaGraphExec_t exec = nullptr;
};

//===-- Near misses -----------------------------------------------------------===//

class HelperFrees {
public:
  ~HelperFrees() { cudaFree(data); }
  void run(int n) {
    if (n != size)
      allocate(n);
    cudaMemset(data, 0, n);
  }

private:
  void allocate(int n) {
    cudaFree(data);
    cudaMalloc(&data, n);
    size = n;
  }
  int size = -1;
  float *data = nullptr;
};

class CallerFrees {
public:
  ~CallerFrees() { cudaFree(data); }
  void run(int n) {
    if (n != size) {
      drop();
      allocate(n);
    }
    cudaMemset(data, 0, n);
  }

private:
  void drop() {
    cudaFree(data);
    data = nullptr;
  }
  void allocate(int n) {
    cudaMalloc(&data, n);
    size = n;
  }
  int size = -1;
  float *data = nullptr;
};

class HelperAsks {
public:
  ~HelperAsks() { cudaFree(data); }
  void run(int n) {
    if (n != size)
      allocate(n);
    cudaMemset(data, 0, n);
  }

private:
  void allocate(int n) {
    size = n;
    if (data)
      return;
    cudaMalloc(&data, 1 << 20);
  }
  int size = -1;
  float *data = nullptr;
};

// The size is of something else: nothing says that it will be another one.
class OfSomethingElse {
public:
  ~OfSomethingElse() { cudaFree(data); }
  void run(int n) {
    if (n != expected)
      allocate(n);
  }

private:
  void allocate(int n) { cudaMalloc(&data, n); }
  int expected = 8;
  float *data = nullptr;
};

// It is asked about as well: `n != size` says nothing where it was null.
class AsksForNone {
public:
  ~AsksForNone() { cudaFree(data); }
  void run(int n) {
    if (n != size && !data)
      allocate(n);
  }

private:
  void allocate(int n) {
    cudaMalloc(&data, n);
    size = n;
  }
  int size = -1;
  float *data = nullptr;
};

// A state is no size: another way out of the state gives it back.
class OfStates {
public:
  enum State { Closed, Viewing, Painting };
  ~OfStates() { enter(Closed); }
  void enter(State next) {
    if (next == state)
      return;
    if (state == Closed)
      open();
    if (next == Closed)
      close();
    state = next;
  }

private:
  void open() { cudaMalloc(&data, 1 << 20); }
  void close() { cudaFree(data); }
  State state = Closed;
  float *data = nullptr;
};

// Only the first one.
class OfFirstSize {
public:
  ~OfFirstSize() { cudaFree(data); }
  void run(int n) {
    if (n != size && size == 0)
      allocate(n);
  }

private:
  void allocate(int n) {
    cudaMalloc(&data, n);
    size = n;
  }
  int size = 0;
  float *data = nullptr;
};

// What the argument is asked for besides makes it no first one.
class Checked {
public:
  ~Checked() { cudaFree(data); }
  void run(int n) {
    if (n <= 0)
      return;
    if (n != size)
      allocate(n); // expected-warning {{device memory in 'data' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
  }

private:
  void allocate(int n) {
    cudaMalloc(&data, n); // expected-path {{it is allocated here}}
    size = n;
  }
  int size = 0;
  float *data = nullptr;
};

// A method whose body is in another file may give it back; one that is called behind is too late.
class FreedElsewhere {
public:
  ~FreedElsewhere() { cudaFree(data); }
  void run(int n) {
    if (n != size) {
      reset();
      cudaMalloc(&data, n);
      size = n;
    }
  }
  void run_by_helper(int n) {
    if (n != size) {
      reset();
      allocate(n);
    }
  }
  void reset();

private:
  void allocate(int n) {
    cudaMalloc(&data, n);
    size = n;
  }
  int size = 0;
  float *data = nullptr;
};

class UsedElsewhere {
public:
  ~UsedElsewhere() { cudaFree(data); }
  void run(int n) {
    if (n != size) {
      cudaMalloc(&data, n); // expected-warning {{device memory in 'data' replaces what it held before, which nothing gives back}} [tensor-unfreed-device-memory]
      size = n;
    }
    use();
  }
  void use();

private:
  int size = 0;
  float *data = nullptr;
};
