// What a function answers about numbers says nothing of who owns what: memory that is freed only
// where the answer is yes is lost where it is no. About the same numbers it answers the same.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

#include <random>
#include <vector>

bool accepts(double energy);
bool accepts_by(double energy, std::mt19937 &chance);
bool owns(const void *p);
struct Shape {
  int rows = 0;
};
bool fits(const Shape &shape);

//===-- Without a loop --------------------------------------------------------===//

void freed_if_accepted(double energy) {
  float *p;
  cudaMalloc(&p, 4096); // expected-warning {{'p' is not given back on every way out}} [tensor-unfreed-device-memory]
  if (accepts(energy))
    cudaFree(p); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

void taken_and_freed_if_accepted(double energy) {
  float *p = nullptr;
  if (accepts(energy))
    cudaMalloc(&p, 4096);
  if (accepts(energy))
    cudaFree(p);
}

// Perhaps the same answer: who reads it thinks so.
void about_sums(double energy) {
  float *p = nullptr;
  if (accepts(energy + 1))
    cudaMalloc(&p, 4096);
  if (accepts(energy))
    cudaFree(p);
}

// These know more than numbers.
void freed_if_owned() {
  float *p;
  cudaMalloc(&p, 4096);
  if (owns(p))
    cudaFree(p);
}

void freed_if_fitting(const Shape &shape) {
  float *p;
  cudaMalloc(&p, 4096);
  if (fits(shape))
    cudaFree(p);
}

//===-- In each round ---------------------------------------------------------===//

void best_of_rounds() {
  float *best;
  cudaMalloc(&best, 4096);
  for (int i = 0; i < 100; ++i) {
    float *trial;
    cudaMalloc(&trial, 4096); // expected-warning {{'best' is taken anew in each round}} [tensor-unfreed-device-memory]
    if (accepts(i))
      best = trial; // expected-path {{it is overwritten here}}
    else
      cudaFree(trial);
  }
  cudaFree(best);
}

void best_of_rounds_freed() {
  float *best;
  cudaMalloc(&best, 4096);
  for (int i = 0; i < 100; ++i) {
    float *trial;
    cudaMalloc(&trial, 4096);
    if (accepts(i)) {
      cudaFree(best);
      best = trial;
    } else {
      cudaFree(trial);
    }
  }
  cudaFree(best);
}

void by_chance() {
  std::mt19937 chance(7);
  for (int i = 0; i < 100; ++i) {
    float *p; // expected-path {{it is overwritten here}}
    cudaMalloc(&p, 4096); // expected-warning {{'p' is taken anew in each round}} [tensor-unfreed-device-memory]
    if (accepts_by(i, chance))
      cudaFree(p);
  }
}

void kept_or_freed(std::vector<float *> &kept) {
  std::mt19937 chance(7);
  for (int i = 0; i < 100; ++i) {
    float *p;
    cudaMalloc(&p, 4096);
    if (accepts_by(i, chance))
      cudaFree(p);
    else
      kept.push_back(p);
  }
}

//===-- Records that change places ----------------------------------------------===//

struct State {
  float *atoms = nullptr;
  int count = 0;
  double energy = 0;
};

void swapped_in() {
  State current, trial;
  cudaMalloc(&current.atoms, 4096);
  for (int i = 0; i < 100; ++i) {
    State next; // expected-path {{it is overwritten here}}
    cudaMalloc(&next.atoms, 4096); // expected-warning {{'next.atoms' is taken anew in each round}} [tensor-unfreed-device-memory]
    if (accepts(next.energy))
      std::swap(current, next);
    else
      cudaFree(next.atoms);
  }
  cudaFree(current.atoms);
}

void swapped_in_and_freed() {
  State current;
  cudaMalloc(&current.atoms, 4096);
  for (int i = 0; i < 100; ++i) {
    State next;
    cudaMalloc(&next.atoms, 4096);
    if (accepts(next.energy))
      std::swap(current, next);
    cudaFree(next.atoms);
  }
  cudaFree(current.atoms);
}

// Its own functions say what a move of it does.
struct Owned {
  float *data = nullptr;
  Owned() = default;
  Owned(Owned &&other) : data(other.data) { other.data = nullptr; }
  Owned &operator=(Owned &&other) {
    float *old = data;
    data = other.data;
    other.data = old;
    return *this;
  }
  ~Owned() { cudaFree(data); }
};

void swapped_owners() {
  Owned current;
  cudaMalloc(&current.data, 4096);
  for (int i = 0; i < 100; ++i) {
    Owned next;
    cudaMalloc(&next.data, 4096);
    if (accepts(i))
      std::swap(current, next);
  }
}
