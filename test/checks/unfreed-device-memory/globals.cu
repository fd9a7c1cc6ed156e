// Variables that outlive the functions, in a file without a main.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

__global__ void kernel(float *data, int n) {}

static float *input, *output;
void filled_by_each_call(const float *host, int n) {
  cudaMalloc(&input, n); // expected-note {{each call of 'filled_by_each_call' takes more}} [tensor-unfreed-device-memory]
  if (cudaMalloc(&output, n) != cudaSuccess) // expected-note {{takes more}} [tensor-unfreed-device-memory]
    return;
  cudaMemcpy(input, host, n, cudaMemcpyHostToDevice);
  kernel<<<1, 1>>>(input, n);
}

void filled_by_each_call_too(int n) {
  static float *scratch;
  cudaMalloc(&scratch, n); // expected-note {{takes more}} [tensor-unfreed-device-memory]
  kernel<<<1, 1>>>(scratch, n);
}

static float *first;
void filled_once(int n) {
  if (!first)
    cudaMalloc(&first, n);
  kernel<<<1, 1>>>(first, n);
}

static float *table;
static bool ready;
void filled_until_ready(int n) {
  if (ready)
    return;
  cudaMalloc(&table, n);
  ready = true;
}

void filled_in_the_first_call(int n) {
  static float *scratch;
  static int calls = 0;
  if (calls++ == 0)
    cudaMalloc(&scratch, n);
  kernel<<<1, 1>>>(scratch, n);
}

static float *handed_out;
void unseen(float *data);
void hand_out(int n) {
  cudaMalloc(&handed_out, n);
  unseen(handed_out);
}

static float *got;
float *get(int n) {
  cudaMalloc(&got, n);
  return got;
}

static float *reached;
void unseen_at(float **data);
void reach(int n) {
  cudaMalloc(&reached, n);
  unseen_at(&reached);
}
static float *reached_later;
void reach_later(int n) { cudaMalloc(&reached_later, n); }
void let_go() { unseen_at(&reached_later); }

// Another file may free what is declared for others; one that nothing declares is of this file, as
// far as that shows.
extern float *declared;
float *declared;
void fill_declared(int n) { cudaMalloc(&declared, n); }
float *visible;
void fill_visible(int n) {
  cudaMalloc(&visible, n); // expected-note {{'visible' is never given back; nothing in this file calls 'cudaFree' on it, and each call of 'fill_visible' takes more}} [tensor-unfreed-device-memory]
}

// One for each caller's number. Only this file can give them back.
static float *of_worker[8];
void begin_worker(int worker) {
  cudaMalloc(&of_worker[worker], 1024); // expected-note {{'of_worker[]' is never given back; nothing in this file calls 'cudaFree' on it}} [tensor-unfreed-device-memory]
}

static float *of_worker_once[8];
void begin_worker_once(int worker) {
  if (!of_worker_once[worker])
    cudaMalloc(&of_worker_once[worker], 1024);
}

static float *of_worker_told[8];
void unseen_of(float **all);
void begin_and_tell(int worker) { cudaMalloc(&of_worker_told[worker], 1024); }
void tell() { unseen_of(of_worker_told); }

// A stream is light, and a handle of the library's is usually there for as long as the program.
static cudaStream_t stream_of[8];
void begin_stream(int worker) { cudaStreamCreate(&stream_of[worker]); }

//===-- One for each thread ----------------------------------------------------===//

// A thread that ends takes its variables with it, and not what lies in them.
cublasHandle_t blas_of_thread() {
  thread_local cublasHandle_t blas = nullptr;
  if (!blas)
    cublasCreate(&blas); // expected-note {{a cuBLAS handle in 'blas' is never given back; nothing in this file calls 'cublasDestroy' on it, and each thread that ends leaves its own behind}} [tensor-unfreed-device-memory]
  return blas;
}
// The program has one of these, until it ends.
cusparseHandle_t sparse_of_program() {
  static cusparseHandle_t sparse = nullptr;
  if (!sparse)
    cusparseCreate(&sparse);
  return sparse;
}
// Its owner ends with the thread.
struct Solver {
  cusolverDnHandle_t handle = nullptr;
  ~Solver() {
    if (handle)
      cusolverDnDestroy(handle);
  }
};
cusolverDnHandle_t solver_of_thread() {
  thread_local Solver solver;
  if (!solver.handle)
    cusolverDnCreate(&solver.handle);
  return solver.handle;
}
// The thread gives it back itself.
static thread_local curandGenerator_t random_of_thread = nullptr;
void begin_thread() { curandCreateGenerator(&random_of_thread, CURAND_RNG_PSEUDO_DEFAULT); }
void end_thread() { curandDestroyGenerator(random_of_thread); }
