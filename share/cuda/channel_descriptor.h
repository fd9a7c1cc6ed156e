//===-- channel_descriptor.h - Another name of cuda_runtime.h --------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include <cuda_runtime.h>

#endif // __CHANNEL_DESCRIPTOR_H__
