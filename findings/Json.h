//===-- Json.h - JSON as it is printed --------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_JSON_H
#define TENSORLEAK_FINDINGS_JSON_H

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

namespace tensorleak {

/// Indented, with a newline at the end. Names of files and functions may have any bytes:
/// what is not UTF-8 becomes U+FFFD.
void printJson(std::ostream &Out, const nlohmann::json &Value);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_JSON_H
