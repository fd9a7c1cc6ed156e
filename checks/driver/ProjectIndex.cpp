//===-- ProjectIndex.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/ProjectIndex.h"

#include "checks/Exports.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using json = nlohmann::json;

namespace tensorleak {

void ProjectIndex::add(size_t Unit, const FileFacts &Facts) {
  for (const auto &[Key, Value] : Facts)
    ByKey[Key].push_back({Unit, Value});
}

json ProjectIndex::askFor(size_t Unit, const std::string &Key) const {
  auto It = ByKey.find(Key);
  json Out;
  if (It == ByKey.end())
    return Out;
  bool IsFirst = true;
  for (const Statement &S : It->second) {
    if (S.Unit == Unit)
      continue;
    Out = IsFirst ? S.Value : mergeFacts(Key, Out, S.Value);
    IsFirst = false;
    if (Out.is_null())
      break;
  }
  return Out;
}

/// Answers are kept on disk, many of them: a hash does for each.
static std::string digestOf(const json &Answer) {
  if (Answer.is_null())
    return "";
  return llvm::toHex(llvm::BLAKE3::hash<8>(json::to_cbor(Answer)));
}

json RecordingView::ask(const std::string &Key) {
  json Out = Index.askFor(Unit, Key);
  Asked[Key] = digestOf(Out);
  return Out;
}

bool holds(const Answers &Asked, const ProjectIndex &Index, size_t Unit) {
  return llvm::all_of(Asked, [&](const auto &Each) {
    return digestOf(Index.askFor(Unit, Each.first)) == Each.second;
  });
}

} // namespace tensorleak
