// What is acquired under a condition and released under another: whether one implies the
// other is a matter of logic, however they are spelled. Beside each pair that goes
// together, one that does not.
//
// RUN: %check_tensor %s
// RUN: %if cuda-toolkit %{ %check_tensor %s --real %}
#include <cuda_runtime.h>

__global__ void kernel(float *data, int n) {}
bool ready();
int other();
bool fits(int n);

//===-- The same condition, spelled differently -----------------------------===//

void turned_round(int n) {
  float *a = nullptr;
  if (n > 0)
    cudaMalloc(&a, 64);
  kernel<<<1, 32>>>(a, n);
  if (0 < n)
    cudaFree(a);
}

void changed_in_between(int n) {
  float *a = nullptr;
  if (n > 0)
    cudaMalloc(&a, 64); // expected-warning {{'a' is not given back on every way out}} [tensor-unfreed-device-memory]
  n = other();
  if (0 < n)
    cudaFree(a); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

void implied(int n) {
  float *a = nullptr;
  if (n > 4)
    cudaMalloc(&a, 64);
  if (n != 0 && n >= 1)
    cudaFree(a);
}

void not_implied(int n) {
  float *a = nullptr;
  if (n > 4)
    cudaMalloc(&a, 64); // expected-warning {{'a'}} [tensor-unfreed-device-memory]
  if (n > 5)
    cudaFree(a); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

void of_the_input(float *given, int n) {
  float *own = nullptr;
  if (!given)
    cudaMalloc(&own, 64);
  kernel<<<1, 32>>>(given ? given : own, n);
  if (given == nullptr)
    cudaFree(own);
}

void of_two_numbers(int n, int m) {
  float *a = nullptr;
  if (n < m)
    cudaMalloc(&a, 64);
  if (m - n > 0)
    cudaFree(a);
}

void the_other_way(int n, int m) {
  float *a = nullptr;
  if (n < m)
    cudaMalloc(&a, 64); // expected-warning {{'a'}} [tensor-unfreed-device-memory]
  if (m < n)
    cudaFree(a); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

//===-- Two conditions ------------------------------------------------------===//

void two_flags(bool a, bool b) {
  float *p = nullptr;
  if (a && b)
    cudaMalloc(&p, 64);
  if (!a || !b)
    return;
  cudaFree(p);
}

void one_flag_of_two(bool a, bool b) {
  float *p = nullptr;
  if (a || b)
    cudaMalloc(&p, 64); // expected-warning {{'p'}} [tensor-unfreed-device-memory]
  if (a)
    cudaFree(p); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

void nested(int n, bool deep) {
  float *p = nullptr;
  if (n > 0) {
    if (deep)
      cudaMalloc(&p, 64);
    kernel<<<1, 32>>>(p, n);
  }
  if (deep && n > 0)
    cudaFree(p);
}

void nested_and_forgotten(int n, bool deep) {
  float *p = nullptr;
  if (n > 0)
    if (deep)
      cudaMalloc(&p, 64); // expected-warning {{'p'}} [tensor-unfreed-device-memory]
  if (deep && n > 8)
    cudaFree(p); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

//===-- Saved conditions ----------------------------------------------------===//

int saved(int n) {
  float *p = nullptr;
  bool use = n > 4;
  if (use)
    cudaMalloc(&p, 64);
  if (n <= 4)
    return 1;
  cudaFree(p);
  return 0;
}

int saved_and_changed(int n) {
  float *p = nullptr;
  bool use = n > 4;
  if (use)
    cudaMalloc(&p, 64); // expected-warning {{'p'}} [tensor-unfreed-device-memory]
  use = ready();
  if (!use)
    return 1; // expected-path {{this way out}}
  cudaFree(p); // expected-path {{others are freed here}}
  return 0;
}

void remembered(int n) {
  float *p;
  bool owned = false;
  if (ready()) {
    cudaMalloc(&p, 64);
    owned = true;
  }
  kernel<<<1, 32>>>(p, n);
  if (owned)
    cudaFree(p);
}

void status_remembered(int n) {
  float *p;
  bool ok = cudaMalloc(&p, 64) == cudaSuccess;
  if (n > 4)
    kernel<<<1, 32>>>(p, n);
  if (ok)
    cudaFree(p);
}

//===-- switch, macros ------------------------------------------------------===//

void by_mode(int mode) {
  float *p = nullptr;
  switch (mode) {
  case 1:
  case 2:
    cudaMalloc(&p, 64);
    break;
  default:
    break;
  }
  if (mode == 1 || mode == 2)
    cudaFree(p);
}

void by_another_mode(int mode) {
  float *p = nullptr;
  switch (mode) {
  case 1:
  case 2:
    cudaMalloc(&p, 64); // expected-warning {{'p'}} [tensor-unfreed-device-memory]
    break;
  default:
    break;
  }
  if (mode == 1)
    cudaFree(p); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

#define WHEN(condition, statement)                                                                 \
  do {                                                                                             \
    if (condition)                                                                                 \
      statement;                                                                                   \
  } while (0)

void by_macros(int n) {
  float *p = nullptr;
  WHEN(n > 1, cudaMalloc(&p, 64));
  WHEN(n >= 2, cudaFree(p));
}

void by_macros_of_another(int n, int m) {
  float *p = nullptr;
  WHEN(n > 1, cudaMalloc(&p, 64)); // expected-warning {{'p'}} [tensor-unfreed-device-memory]
  WHEN(m > 1, cudaFree(p)); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

//===-- Rounds --------------------------------------------------------------===//

void in_one_round(int n) {
  float *p = nullptr;
  for (int i = n; i > 0; --i)
    if (i == 4)
      cudaMalloc(&p, 64);
  cudaFree(p);
}

void in_each_even_round(int n) {
  float *p = nullptr;
  for (int i = 0; i < n; ++i)
    if (i % 2 == 0)
      cudaMalloc(&p, 64); // expected-warning {{each round}} [tensor-unfreed-device-memory]
  cudaFree(p);
}

void under_the_same_condition_in_each_round(int n, bool use) {
  for (int i = 0; i < n; ++i) {
    float *p = nullptr;
    if (use)
      cudaMalloc(&p, 64);
    kernel<<<1, 32>>>(p, n);
    if (!use)
      continue;
    cudaFree(p);
  }
}

// A loop's own end says nothing of what comes after it.
void forgotten_behind_a_loop(int n) {
  float *p = nullptr;
  if (n > 4)
    cudaMalloc(&p, 64); // expected-warning {{'p' is not given back before}} [tensor-unfreed-device-memory]
  for (int i = 0; i < n; ++i)
    kernel<<<1, 32>>>(p, i);
}

//===-- What is not understood is believed ----------------------------------===//

void asks_a_function(int n) {
  float *p = nullptr;
  if (n > 4)
    cudaMalloc(&p, 64);
  if (fits(n))
    cudaFree(p);
}

void leaves_when_a_function_says_so(int n) {
  float *p = nullptr;
  if (n > 4)
    cudaMalloc(&p, 64);
  if (!fits(n))
    return;
  cudaFree(p);
}

void overwritten_on_the_other_side(bool large) {
  float *p;
  if (large)
    cudaMalloc(&p, 8192);
  if (!large)
    cudaMalloc(&p, 4096);
  cudaFree(p);
}

//===-- Conditions that have a name -----------------------------------------===//

bool check(cudaError_t status);

bool a_check_by_name(int n) {
  float *a;
  const bool failed = !check(cudaMalloc(&a, n));
  if (failed)
    return false;
  kernel<<<1, 32>>>(a, n);
  cudaFree(a);
  return true;
}

bool another_check_by_name(int n) {
  float *a, *b;
  cudaMalloc(&a, n); // expected-warning {{'a' is not given back}} [tensor-unfreed-device-memory]
  const bool failed = !check(cudaMalloc(&b, n));
  if (failed)
    return false; // expected-path {{this way out leaves it behind}}
  cudaFree(a); // expected-path {{others are freed here}}
  cudaFree(b);
  return true;
}

int none_by_name(int n) {
  float *a = nullptr;
  cudaMalloc(&a, n);
  const bool none = !a;
  if (none)
    return 1;
  cudaFree(a);
  return 0;
}

int one_by_name(int n) {
  float *a = nullptr;
  cudaMalloc(&a, n); // expected-warning {{'a' is not given back}} [tensor-unfreed-device-memory]
  const bool one = a != nullptr;
  if (one)
    return 1; // expected-path {{this way out leaves it behind}}
  cudaFree(a); // expected-path {{others are freed here}}
  return 0;
}

void once_by_name(int n) {
  float *data = nullptr;
  for (int i = 0; i < 10; ++i) {
    const bool none = !data;
    if (none)
      cudaMalloc(&data, n);
    kernel<<<1, 32>>>(data, n);
  }
  cudaFree(data);
}

void in_each_round_by_name(int n) {
  float *data = nullptr;
  for (int i = 0; i < 10; ++i) {
    const bool some = n > 4;
    if (some)
      cudaMalloc(&data, n); // expected-warning {{'data' is taken anew in each round}} [tensor-unfreed-device-memory]
    kernel<<<1, 32>>>(data, n);
  }
  cudaFree(data);
}

void answers_by_name(int n) {
  float *p = nullptr;
  const bool large = n > 4;
  if (large)
    cudaMalloc(&p, 64);
  const bool ok = fits(n);
  if (ok)
    cudaFree(p);
}

void answers_about_another(int n, int m) {
  float *p = nullptr;
  const bool large = n > 4;
  if (large)
    cudaMalloc(&p, 64); // expected-warning {{'p' is not given back}} [tensor-unfreed-device-memory]
  const bool ok = fits(m);
  if (ok)
    cudaFree(p); // expected-path {{others are freed here}}
} // expected-path {{this way out leaves it behind}}

// Both together, turned round.
void leaves_under_the_opposite_of_both(int coils, int n) {
  float *extra = nullptr;
  if (coils > 1)
    cudaMalloc(&extra, n);
  kernel<<<1, 32>>>(extra, n);
  if (!(coils > 1 && extra != nullptr))
    return;
  cudaFree(extra);
}

void leaves_under_the_opposite_of_another(int coils, int n) {
  float *extra = nullptr;
  if (coils > 1)
    cudaMalloc(&extra, n); // expected-warning {{'extra' is not given back}} [tensor-unfreed-device-memory]
  kernel<<<1, 32>>>(extra, n);
  if (!(coils > 2 && extra != nullptr))
    return; // expected-path {{this way out leaves it behind}}
  cudaFree(extra); // expected-path {{others are freed here}}
}

// A number that has no int64_t: the greatest one says that nothing was found.
unsigned long long best = ~0ULL;
void leaves_at_the_greatest_number(int n) {
  unsigned long long none = 0xffffffffffffffffULL;
  float *p = nullptr;
  cudaMalloc(&p, n); // expected-warning {{'p' is not given back}} [tensor-unfreed-device-memory]
  if (best == none)
    return; // expected-path {{this way out leaves it behind}}
  cudaFree(p); // expected-path {{others are freed here}}
}

void leaves_nothing_at_the_greatest_number(int n) {
  float *p = nullptr;
  if (best != 0xffffffffffffffffULL)
    cudaMalloc(&p, n);
  if (best != 0xffffffffffffffffULL)
    cudaFree(p);
}
