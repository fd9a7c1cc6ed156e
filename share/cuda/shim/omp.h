//===-- shim/omp.h - OpenMP's functions, for a Clang without its own header===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CUDA_SHIM_OMP_H
#define TENSORLEAK_CUDA_SHIM_OMP_H

#ifdef __cplusplus
extern "C" {
#endif
typedef struct omp_lock_t {
  void *lock;
} omp_lock_t;
typedef struct omp_nest_lock_t {
  void *lock;
} omp_nest_lock_t;
typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

void omp_destroy_lock(omp_lock_t *);
void omp_destroy_nest_lock(omp_nest_lock_t *);
int omp_get_default_device(void);
int omp_get_dynamic(void);
int omp_get_level(void);
int omp_get_max_active_levels(void);
int omp_get_max_threads(void);
int omp_get_nested(void);
int omp_get_num_devices(void);
int omp_get_num_procs(void);
int omp_get_num_threads(void);
void omp_get_schedule(omp_sched_t *, int *);
int omp_get_thread_limit(void);
int omp_get_thread_num(void);
double omp_get_wtick(void);
double omp_get_wtime(void);
int omp_in_parallel(void);
void omp_init_lock(omp_lock_t *);
void omp_init_nest_lock(omp_nest_lock_t *);
int omp_is_initial_device(void);
void omp_set_default_device(int);
void omp_set_dynamic(int);
void omp_set_lock(omp_lock_t *);
void omp_set_max_active_levels(int);
void omp_set_nest_lock(omp_nest_lock_t *);
void omp_set_nested(int);
void omp_set_num_threads(int);
void omp_set_schedule(omp_sched_t, int);
int omp_test_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
#ifdef __cplusplus
}
#endif

#endif // TENSORLEAK_CUDA_SHIM_OMP_H
