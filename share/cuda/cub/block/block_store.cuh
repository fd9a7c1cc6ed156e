//===-- cub/block/block_store.cuh - Another name of cub/cub.cuh
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cub/cub.cuh>
