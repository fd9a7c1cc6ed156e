// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
//
// A function that fails after it has taken something, and callers that do nothing then.
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <vector>

struct Solver {
  cusolverDnHandle_t handle;
  float *matrix;
  int work;
};

void use(const Solver &solver);

//===-- One way out has left it behind ---------------------------------------------===//

static int setUp(Solver *s, int n, int most) {
  if (cusolverDnCreate(&s->handle) != CUSOLVER_STATUS_SUCCESS) // expected-warning {{a cuSOLVER handle in 's->handle' is left behind where 'setUp' fails later, and no caller gives it back then}} [tensor-unfreed-device-memory]
    return -1;
  if (cudaMalloc(&s->matrix, n) != cudaSuccess) {
    cusolverDnDestroy(s->handle);
    return -2;
  }
  if (n > most) {
    cudaFree(s->matrix);
    return -3; // expected-path {{it fails here}}
  }
  return 0;
}

static void tearDown(Solver *s) {
  cudaFree(s->matrix);
  cusolverDnDestroy(s->handle);
}

void solveAll() {
  for (int job = 0; job < 20; ++job) {
    Solver solver;
    if (setUp(&solver, 64, job) != 0)
      continue;
    use(solver);
    tearDown(&solver);
  }
}

void solveTurned() {
  for (int job = 0; job < 20; ++job) {
    Solver solver;
    if (0 > setUp(&solver, 64, job)) // expected-path {{a caller leaves after that}}
      continue;
    use(solver);
    tearDown(&solver);
  }
}

// By reference, with a name for the answer, which is false.
static bool prepare(Solver &s, int n) {
  if (cudaMalloc(&s.matrix, n) != cudaSuccess) // expected-warning {{device memory in 's.matrix' is left behind where 'prepare' fails later}} [tensor-unfreed-device-memory]
    return false;
  if (n % 2)
    return false; // expected-path {{it fails here}}
  return true;
}

void solveOne(int n) {
  Solver solver;
  const bool isReady = prepare(solver, n);
  if (isReady) { // expected-path {{a caller leaves after that}}
    use(solver);
    cudaFree(solver.matrix);
  }
}

//===-- Nothing is left, or somebody gives it back ------------------------------------===//

static int cleansUp(Solver *s, int n) {
  if (cudaMalloc(&s->matrix, n) != cudaSuccess)
    return -1;
  if (n % 2) {
    cudaFree(s->matrix);
    return -2;
  }
  return 0;
}

void solveClean(int n) {
  Solver solver;
  if (cleansUp(&solver, n) != 0)
    return;
  cudaFree(solver.matrix);
}

static int leaves(Solver *s, int n) {
  if (cudaMalloc(&s->matrix, n) != cudaSuccess)
    return -1;
  if (n % 2)
    return -2;
  return 0;
}

void inTheBranch(int n) {
  Solver solver;
  if (leaves(&solver, n) != 0) {
    cudaFree(solver.matrix);
    return;
  }
  cudaFree(solver.matrix);
}

static int leavesToo(Solver *s, int n) {
  if (cudaMalloc(&s->matrix, n) != cudaSuccess)
    return -1;
  if (n % 2)
    return -2;
  return 0;
}

void behindABlock(int n) {
  Solver solver;
  do {
    if (leavesToo(&solver, n) != 0)
      break;
    use(solver);
  } while (0);
  cudaFree(solver.matrix);
}

void behindALabel(int n) {
  Solver solver;
  if (leavesToo(&solver, n) != 0)
    goto end;
  use(solver);
end:
  cudaFree(solver.matrix);
}

// Whoever has the object may give it back.
static int fills(Solver *s, int n) {
  if (cudaMalloc(&s->matrix, n) != cudaSuccess)
    return -1;
  if (n % 2)
    return -2;
  return 0;
}

bool forCaller(Solver *solver, int n) {
  if (fills(solver, n) != 0)
    return false;
  use(*solver);
  return true;
}

class Owner {
public:
  explicit Owner(int n) { isReady_ = fills(&solver_, n) == 0; }
  ~Owner() { cudaFree(solver_.matrix); }

private:
  Solver solver_{};
  bool isReady_ = false;
};

// A list of all has it too.
static std::vector<float *> all;
static float *latest;

static int enlists(Solver *s, int n) {
  if (cudaMalloc(&s->matrix, n) != cudaSuccess)
    return -1;
  all.push_back(s->matrix);
  if (n % 2)
    return -2;
  return 0;
}

static int remembers(Solver *s, int n) {
  if (cudaMalloc(&s->matrix, n) != cudaSuccess)
    return -1;
  latest = s->matrix;
  if (n % 2)
    return -2;
  return 0;
}

void useListed(int n) {
  Solver solver;
  if (enlists(&solver, n) != 0)
    return;
  use(solver);
}

void useLatest(int n) {
  Solver solver;
  if (remembers(&solver, n) != 0)
    return;
  use(solver);
}

void freeAll() {
  for (float *each : all)
    cudaFree(each);
  all.clear();
  cudaFree(latest);
  latest = nullptr;
}

// The program ends.
static int begins(Solver *s, int n) {
  if (cudaMalloc(&s->matrix, n) != cudaSuccess)
    return -1;
  if (n % 2)
    return -2;
  return 0;
}

int main(int argc, char **) {
  Solver solver;
  if (begins(&solver, argc) != 0)
    return 1;
  use(solver);
  cudaFree(solver.matrix);
  return 0;
}
