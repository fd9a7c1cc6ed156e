//===-- KeptParts.h - Which fields of a kept record have a graph -----------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `memory.add({latent, command})`: what is done with the commands that are kept says nothing of the
// latents.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_KEPTPARTS_H
#define TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_KEPTPARTS_H

#include "checks/flow/Unit.h"

namespace tensorleak {

/// Where the fields may end up that carry a graph, of the records that \p E puts into its place;
/// nothing where these are not written in braces, or where it is not known which fields do.
std::optional<uint8_t> fateOfGraphs(Unit &U, const FunctionUnit &F, const Event &E);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_RULES_RETAINED_ACTIVATION_KEPTPARTS_H
