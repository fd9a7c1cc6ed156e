//===-- JsonFile.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/JsonFile.h"

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/FileStates.h"
#include "findings/Json.h"
#include "findings/files/ReadFile.h"

#include <limits>

using json = nlohmann::json;

namespace tensorleak {

json readJson(const std::string &Path) {
  constexpr size_t NoLimit = std::numeric_limits<size_t>::max(); // it is ours
  std::optional<std::string> Content = readPlainFile(Path, NoLimit);
  const size_t SealSize = digestOf("").size();
  if (!Content || Content->size() < SealSize)
    return {};
  std::string_view Seal(Content->data(), SealSize), Bytes(*Content);
  Bytes.remove_prefix(SealSize);
  return digestOf(Bytes) == Seal ? parseCbor(Bytes) : json();
}

void writeJson(const std::string &Path, const json &J) {
  std::string Bytes;
  json::to_cbor(J, Bytes);
  writeToCache(Path, digestOf(Bytes) + Bytes);
}

} // namespace tensorleak
