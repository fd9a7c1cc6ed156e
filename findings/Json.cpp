//===-- Json.cpp ----------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"

#include <nlohmann/json.hpp>
#include <ostream>

using nlohmann::json;

namespace tensorleak {

void printJson(std::ostream &Out, const json &Value) {
  constexpr int Indent = 2;
  Out << Value.dump(Indent, ' ', false, json::error_handler_t::replace) << '\n';
}

} // namespace tensorleak
