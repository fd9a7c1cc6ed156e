// Records of C's that are freed without what their members hold.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cstdlib>
#include <cuda_runtime.h>

// What C makes, behind a handle that the caller keeps, and frees alone.
struct Aligner {
  char *query, *target;
  int *best;
};
int aligner_create(Aligner **out, int n) {
  Aligner *made = (Aligner *)calloc(1, sizeof(Aligner));
  if (!made)
    return 1;
  if (cudaMalloc((void **)&made->query, n) != cudaSuccess)
    goto no_query;
  if (cudaMalloc((void **)&made->target, n) != cudaSuccess) // expected-path {{'target' gets it here}}
    goto no_target;
  if (cudaMalloc((void **)&made->best, 4) != cudaSuccess)
    goto no_best;
  *out = made;
  return 0;
no_best:
  cudaFree(made->target); // expected-path {{another object's is given back here}}
no_target:
  cudaFree(made->query);
no_query:
  free(made);
  return 2;
}
void aligner_destroy(Aligner *aligner) {
  cudaFree(aligner->best);
  cudaFree(aligner->query);
  free(aligner); // expected-warning {{device memory in 'target' goes with the object that is deleted here; call 'cudaFree' first, as is done elsewhere}} [tensor-unfreed-device-memory]
}
void align(int n) {
  Aligner *aligner = nullptr;
  if (aligner_create(&aligner, n) == 0)
    aligner_destroy(aligner);
}
struct Scorer {
  char *query, *target;
};
int scorer_create(Scorer **out, int n) {
  Scorer *made = (Scorer *)calloc(1, sizeof(Scorer));
  if (cudaMalloc((void **)&made->query, n) != cudaSuccess) {
    free(made);
    return 2;
  }
  if (cudaMalloc((void **)&made->target, n) != cudaSuccess) {
    cudaFree(made->query);
    free(made);
    return 2;
  }
  *out = made;
  return 0;
}
void scorer_destroy(Scorer *scorer) {
  cudaFree(scorer->target);
  cudaFree(scorer->query);
  free(scorer);
}
void score(int n) {
  Scorer *scorer = nullptr;
  if (scorer_create(&scorer, n) == 0)
    scorer_destroy(scorer);
}
