// Objects that one function fills and another empties, with a way out between them.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

struct Tracker {
  void begin(int n) {
    cudaMalloc(&points, n); // expected-path {{it is allocated here}}
    cudaMalloc(&index, n);  // expected-path {{it is allocated here}}
  }
  void end() {
    cudaFree(points);
    cudaFree(index);
  }
  void clear(int n) { cudaMemset(points, 0, n); }
  float *points = nullptr;
  int *index = nullptr;
};

bool on_one_way_out(const float *host, int n) {
  Tracker tracker;
  tracker.begin(n); // expected-warning {{not given back on every way out}} [tensor-unfreed-device-memory] expected-path {{'tracker.index' gets device memory here}}
  if (!host)
    return false; // expected-path {{this way out leaves them behind}}
  tracker.clear(n);
  tracker.end(); // expected-path {{others are freed here}}
  return true;
}

struct Context {
  float *data;
  cudaStream_t stream;
};

static int context_open(Context *context, int n) {
  if (cudaMalloc(&context->data, n) != cudaSuccess) // expected-path {{it is allocated here}}
    return -1;
  if (cudaStreamCreate(&context->stream) != cudaSuccess) { // expected-path {{it is allocated here}}
    cudaFree(context->data);
    return -1;
  }
  return 0;
}

static void context_close(Context *context) {
  cudaStreamDestroy(context->stream);
  cudaFree(context->data);
}

int by_functions(int n) {
  Context context;
  if (context_open(&context, n) != 0) // expected-warning {{not given back on every way out}} [tensor-unfreed-device-memory] expected-path {{'context.stream' gets a stream here}}
    return -1;
  if (n > 1024)
    return -2; // expected-path {{this way out leaves them behind}}
  context_close(&context); // expected-path {{others are freed here}}
  return 0;
}

//===-- Near misses ---------------------------------------------------------===//

bool on_all(const float *host, int n) {
  Tracker tracker;
  tracker.begin(n);
  if (!host) {
    tracker.end();
    return false;
  }
  tracker.clear(n);
  tracker.end();
  return true;
}

int not_opened(int n) {
  Context context;
  if (context_open(&context, n) != 0)
    return -1;
  context_close(&context);
  return 0;
}

struct Closing {
  explicit Closing(Context &context) : context(context) {}
  ~Closing() { context_close(&context); }
  Context &context;
};

int by_a_guard(int n) {
  Context context;
  if (context_open(&context, n) != 0)
    return -1;
  Closing closing(context);
  if (n > 1024)
    return -2;
  return 0;
}

int under_the_same_condition(int n) {
  Context context;
  if (n > 0 && context_open(&context, n) != 0)
    return -1;
  if (n > 0)
    context_close(&context);
  return 0;
}

Tracker handed_out(int n, bool now) {
  Tracker tracker;
  tracker.begin(n);
  if (now)
    return tracker;
  tracker.end();
  return Tracker();
}

//===-- The object is freed, and not what a callee has put there --------------------===//

#include <stdlib.h>

static int allocate(Context *context, int n) {
  return cudaMalloc(&context->data, n) == cudaSuccess ? 0 : -1;
}

static int begin_stream(Context *context) {
  cudaError_t status = cudaStreamCreate(&context->stream); // expected-path {{it is allocated here}}
  return status == cudaSuccess ? 0 : -1;
}

int opened(Context **out, int n) {
  int status;
  Context *context = (Context *)calloc(1, sizeof(*context));
  if (!context)
    return -1;
  if ((status = begin_stream(context)) < 0) // expected-warning {{a stream in 'context->stream' is not given back on every way out}} [tensor-unfreed-device-memory]
    goto fail;
  if ((status = allocate(context, n)) < 0)
    goto fail;
  *out = context;
  return 0;
fail:
  free(context);
  return status; // expected-path {{this way out leaves it behind}}
}

int opened_or_closed(Context **out, int n) {
  int status;
  Context *context = (Context *)calloc(1, sizeof(*context));
  if (!context)
    return -1;
  if ((status = begin_stream(context)) < 0)
    goto fail;
  if ((status = allocate(context, n)) < 0) {
    cudaStreamDestroy(context->stream);
    goto fail;
  }
  *out = context;
  return 0;
fail:
  free(context);
  return status;
}

// The caller's own: it frees it where this fails.
int opened_for_caller(Context *context, int n) {
  if (begin_stream(context) < 0)
    return -1;
  return allocate(context, n);
}
