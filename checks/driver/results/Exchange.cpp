//===-- Exchange.cpp ------------------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/results/Exchange.h"

#include "checks/driver/results/ResultCache.h"
#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/commands/CheckRequest.h"
#include "checks/source/Paths.h"
#include "findings/Json.h"
#include "findings/files/ReplaceFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <system_error>

using namespace llvm;
using json = nlohmann::json;

namespace tensorleak {
namespace {

constexpr int Format = 1;

/// {"format": Format, "files": {NAME IN THE CACHE: BYTES}}
using FilesOfCache = std::map<std::string, Bytes>;

std::optional<std::string> contentOf(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return std::nullopt;
  return (*Buffer)->getBuffer().str();
}

bool add(const std::string &Folder, const std::string &Name, FilesOfCache &Out) {
  std::optional<std::string> Content = contentOf(joinPath(Folder, Name));
  if (Content)
    Out[Name] = Bytes(Content->begin(), Content->end());
  return Content.has_value();
}

/// It comes from another machine, and becomes the name of a file.
bool isNameInCache(StringRef Name) {
  StringRef Key = Name.take_until([](char C) { return C == '.'; });
  StringRef Ending = Name.drop_front(Key.size());
  return !Key.empty() && all_of(Key, isHexDigit) &&
         (Ending == ResultEnding || Ending == ReadsEnding);
}

FilesOfCache readFiles(const std::string &File) try {
  std::optional<std::string> Content = contentOf(File);
  if (!Content)
    throw RequestError("cannot read the results '" + File + "'; give a file that 'tensorleak " +
                       "check --shard' wrote");
  json J = parseCbor(*Content);
  FilesOfCache Out;
  if (J.at("format") != Format)
    throw RequestError("the results '" + File + "' are of another version of tensorleak; check " +
                       "with the same on all machines");
  for (const auto &[Name, Value] : J.at("files").items())
    if (isNameInCache(Name))
      Out[Name] = Value.get_binary();
  return Out;
} catch (const json::exception &) {
  throw RequestError("'" + File + "' holds no results, or not all; give a file that 'tensorleak " +
                     "check --shard' wrote");
}

} // namespace

void exportResults(const std::string &Folder, const std::vector<std::string> &Keys,
                   const std::string &File) try {
  FilesOfCache Files;
  for (const std::string &Key : Keys)
    if (add(Folder, Key + ResultEnding.str(), Files))
      for (const std::string &List : ResultCache::listsOf(Folder, Key))
        add(Folder, List + ReadsEnding.str(), Files);
  json J = {{"format", Format}, {"files", json::object()}};
  for (auto &[Name, Content] : Files)
    J["files"][Name] = json::binary(std::move(Content));
  std::string Text;
  json::to_cbor(J, Text);
  replaceFile(File, Text);
} catch (const std::system_error &Error) {
  throw RequestError("the results cannot be written to '" + File + "': " + Error.code().message());
}

void importResults(const std::string &Folder, const std::string &File) {
  for (const auto &[Name, Content] : readFiles(File))
    writeToCache(joinPath(Folder, Name),
                 {reinterpret_cast<const char *>(Content.data()), Content.size()});
}

} // namespace tensorleak
