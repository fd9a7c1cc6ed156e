//===-- cusparse_v2.h - Another name of cusparse.h ------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUSPARSE_V2_H_
#define CUSPARSE_V2_H_

#include <cusparse.h>

#endif // CUSPARSE_V2_H_
