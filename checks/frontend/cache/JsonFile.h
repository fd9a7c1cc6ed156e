//===-- JsonFile.h - JSON files of the cache -------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TENSORLEAK_CHECKS_FRONTEND_CACHE_JSONFILE_H
#define TENSORLEAK_CHECKS_FRONTEND_CACHE_JSONFILE_H

#include <nlohmann/json.hpp>
#include <string>

namespace tensorleak {

/// No object where the file is missing or broken: that is as good as none.
nlohmann::json readJson(const std::string &Path);

/// As CBOR, since names of files and functions may have bytes that are no UTF-8, which JSON's
/// text cannot hold. In one step, so that no reader sees half of it. A failure costs time later,
/// not findings, and is not reported. It begins with a hash of itself, by which readJson knows
/// what is broken.
void writeJson(const std::string &Path, const nlohmann::json &J);

} // namespace tensorleak

#endif // TENSORLEAK_CHECKS_FRONTEND_CACHE_JSONFILE_H
