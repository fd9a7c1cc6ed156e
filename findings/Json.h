//===-- Json.h - JSON as it is read and printed -----------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who walks a value calls itself for each level of it, the library too: what comes from
// elsewhere is read to a depth that no file of ours has.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_FINDINGS_JSON_H
#define TENSORLEAK_FINDINGS_JSON_H

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tensorleak {

/// Indented, with a newline at the end. Names of files and functions may have any bytes:
/// what is not UTF-8 becomes U+FFFD.
void printJson(std::ostream &Out, const nlohmann::json &Value);

/// What is not UTF-8 becomes U+FFFD, for formats that are no JSON.
std::string validUtf8(const std::string &Text);

/// \throws std::runtime_error with why it cannot be read, to go on after a file's name.
nlohmann::json parseJson(std::string_view Text);

/// Discarded where it is broken: it is our own file, and as good as none.
nlohmann::json parseCbor(std::string_view Bytes);

/// What is wrong with a value, in the library's words without its own name and number.
std::string describe(const nlohmann::json::exception &E);

} // namespace tensorleak

#endif // TENSORLEAK_FINDINGS_JSON_H
