//===-- Ranks.h - How launchers number the parts of a job -----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_TRACE_RANKS_H
#define TENSORLEAK_RUNTIME_TRACE_RANKS_H

namespace tensorleak::trace {

/// Environment variables of one launcher.
struct RankVariables {
  const char *Rank, *WorldSize;
};

/// The first that is set counts: torchrun is itself started by the others.
inline constexpr RankVariables Launchers[] = {
    {"RANK", "WORLD_SIZE"},                           // torchrun
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, // Open MPI
    {"PMI_RANK", "PMI_SIZE"},                         // MPICH, Intel MPI
    {"SLURM_PROCID", "SLURM_NTASKS"},                 // srun
};

} // namespace tensorleak::trace

#endif // TENSORLEAK_RUNTIME_TRACE_RANKS_H
