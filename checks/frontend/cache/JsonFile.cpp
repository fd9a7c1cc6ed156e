//===-- JsonFile.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/JsonFile.h"

#include "checks/frontend/cache/Cache.h"
#include "findings/Json.h"
#include "findings/files/ReadFile.h"

#include <limits>

using json = nlohmann::json;

namespace tensorleak {

json readJson(const std::string &Path) {
  constexpr size_t NoLimit = std::numeric_limits<size_t>::max(); // it is ours
  std::optional<std::string> Bytes = readPlainFile(Path, NoLimit);
  return Bytes ? parseCbor(*Bytes) : json();
}

void writeJson(const std::string &Path, const json &J) {
  std::string Bytes;
  json::to_cbor(J, Bytes);
  writeToCache(Path, Bytes);
}

} // namespace tensorleak
