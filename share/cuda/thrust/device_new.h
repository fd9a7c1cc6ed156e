//===-- thrust/device_new.h - Another name of thrust/device_vector.h
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <thrust/device_vector.h>
