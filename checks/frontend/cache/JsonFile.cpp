//===-- JsonFile.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/JsonFile.h"

#include "findings/files/ReplaceFile.h"

#include <fstream>
#include <system_error>

using json = nlohmann::json;

namespace tensorleak {

json readJson(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  return In ? json::from_cbor(In, /*strict=*/true, /*allow_exceptions=*/false) : json();
}

/// A cache that cannot be written is one that is made again the next time.
void writeJson(const std::string &Path, const json &J) {
  try {
    std::string Bytes;
    json::to_cbor(J, Bytes);
    replaceFile(Path, Bytes);
  } catch (const std::system_error &) {
  }
}

} // namespace tensorleak
