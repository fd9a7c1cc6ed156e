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
  std::ifstream In(Path);
  return In ? json::parse(In, nullptr, /*allow_exceptions=*/false) : json();
}

/// A cache that cannot be written is one that is made again the next time.
void writeJson(const std::string &Path, const json &J) {
  try {
    replaceFile(Path, J.dump());
  } catch (const std::system_error &) {
  }
}

} // namespace tensorleak
