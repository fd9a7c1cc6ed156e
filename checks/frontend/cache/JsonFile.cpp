//===-- JsonFile.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/JsonFile.h"

#include "checks/frontend/cache/Cache.h"

#include <fstream>

using json = nlohmann::json;

namespace tensorleak {

json readJson(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  return In ? json::from_cbor(In, /*strict=*/true, /*allow_exceptions=*/false) : json();
}

void writeJson(const std::string &Path, const json &J) {
  std::string Bytes;
  json::to_cbor(J, Bytes);
  writeToCache(Path, Bytes);
}

} // namespace tensorleak
