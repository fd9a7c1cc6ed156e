//===-- ElementKeys.h - What names an element of a container ----------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_MODEL_BOXES_ELEMENTKEYS_H
#define TENSORLEAK_CHECKS_MODEL_BOXES_ELEMENTKEYS_H

#include "checks/model/ApiModel.h"

namespace tensorleak {

/// The key in `x[key]` or `x.at(key)`; null for other expressions.
const clang::Expr *keyOfElement(const clang::Expr &Element, ApiModel &Model);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_MODEL_BOXES_ELEMENTKEYS_H
