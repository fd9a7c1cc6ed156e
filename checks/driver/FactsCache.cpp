//===-- FactsCache.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/FactsCache.h"

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/cache/JsonFile.h"
#include "checks/frontend/cache/PreludeInputs.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using json = nlohmann::json;

namespace tensorleak {
namespace {

constexpr size_t MaxKnown = 8; ///< sets of answers per unit

/// Another build may come to other facts.
std::string thisBuild() {
  static int Here;
  return clang::getClangFullVersion() + stateOfFile(sys::fs::getMainExecutable(nullptr, &Here));
}

std::string keyOf(const SourceUnit &TheUnit) {
  static const std::string Build = thisBuild();
  std::string Text = Build + '\0' + TheUnit.File + '\0' + TheUnit.Directory;
  for (const std::string &Flag : clangCommand(TheUnit))
    Text += '\0' + Flag;
  return toHex(BLAKE3::hash<16>(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

json toJson(const std::string &Inputs, const std::vector<UnitFacts> &Known) {
  json Runs = json::array();
  for (const UnitFacts &F : Known)
    Runs.push_back({{"facts", F.Facts}, {"asked", F.Asked}});
  return {{"inputs", Inputs}, {"runs", Runs}};
}

} // namespace

FactsCache::FactsCache(const SourceUnit &TheUnit) : Folder(cacheDirectory()), Key(keyOf(TheUnit)) {
  if (Folder.empty())
    return;
  CacheEntry Entry(Folder, Key);
  json J = Entry.lockShared() ? readJson(Entry.file(".facts")) : json();
  if (!J.is_object() || !statesAreUnchanged(J.value("inputs", "")))
    return;
  Inputs = J.value("inputs", "");
  for (const json &Run : J.value("runs", json::array()))
    Known.push_back({Run.value("facts", FileFacts()), Run.value("asked", Answers())});
}

std::optional<UnitFacts> FactsCache::find(const ProjectIndex &Index, size_t Unit) const {
  auto Found = find_if(Known, [&](const UnitFacts &F) { return holds(F.Asked, Index, Unit); });
  return Found == Known.end() ? std::nullopt : std::optional(*Found);
}

void FactsCache::add(const UnitFacts &Facts, const std::string &ReadFrom) {
  if (Folder.empty())
    return;
  if (Inputs != ReadFrom)
    Known.clear();
  Inputs = ReadFrom;
  Known.insert(Known.begin(), Facts);
  Known.resize(std::min(Known.size(), MaxKnown));
  CacheEntry Entry(Folder, Key);
  if (Entry.lockExclusive())
    writeJson(Entry.file(".facts"), toJson(Inputs, Known));
}

} // namespace tensorleak
