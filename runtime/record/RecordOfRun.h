//===-- RecordOfRun.h - From a judged run to its record -------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_RECORDOFRUN_H
#define TENSORLEAK_RUNTIME_RECORD_RECORDOFRUN_H

#include "runtime/record/Record.h"
#include "runtime/replay/facts/Facts.h"

#include <functional>

namespace tensorleak {

/// Everything but the findings and the remarks, which the caller has.
RunRecord recordOf(const Recording &R, const RunFacts &Run);

/// The rank that launchers announce in the environment (torchrun, mpirun, srun), if both
/// the rank and the number of ranks are there.
/// \p Lookup returns a variable's value, "" if it is not set.
JobPart jobPart(const std::function<std::string(const char *)> &Lookup);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_RECORDOFRUN_H
