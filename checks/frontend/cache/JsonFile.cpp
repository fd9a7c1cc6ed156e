//===-- JsonFile.cpp -------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/cache/JsonFile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>

using namespace llvm;
using json = nlohmann::json;

namespace tensorleak {

json readJson(const std::string &Path) {
  std::ifstream In(Path);
  return In ? json::parse(In, nullptr, /*allow_exceptions=*/false) : json();
}

void writeJson(const std::string &Path, const json &J) {
  consumeError(writeToOutput(Path, [&](raw_ostream &Out) {
    Out << J.dump();
    return Error::success();
  }));
}

} // namespace tensorleak
