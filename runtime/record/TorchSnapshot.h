//===-- TorchSnapshot.h - What PyTorch recorded, as a record --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the file of torch.cuda.memory._dump_snapshot(): the memory that was alive, by
// place, and the peak of what its history covers. There are no steps in it, so that
// growth per step is not known; two of them can be compared.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_RUNTIME_RECORD_TORCHSNAPSHOT_H
#define TENSORLEAK_RUNTIME_RECORD_TORCHSNAPSHOT_H

#include "runtime/record/Record.h"
#include "runtime/record/Unpickle.h"

namespace tensorleak {

/// Whether a file that begins so may be a pickle.
bool looksLikePickle(std::string_view Bytes);

/// \throws std::runtime_error with the reason why it is no such snapshot.
RunRecord recordOfSnapshot(const PickleValue &Snapshot);

} // namespace tensorleak

#endif // TENSORLEAK_RUNTIME_RECORD_TORCHSNAPSHOT_H
