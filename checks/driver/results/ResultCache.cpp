//===-- ResultCache.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/driver/results/ResultCache.h"

#include "checks/frontend/cache/Cache.h"
#include "checks/frontend/commands/Cuda.h"
#include "checks/source/Paths.h"
#include "findings/Json.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <dlfcn.h>

using namespace llvm;
using json = nlohmann::json;

namespace tensorleak {
namespace {

constexpr size_t MaxKnown = 8; ///< sets of answers per unit
constexpr size_t DigestSize = 32;

/// Another build may come to other results, and so may other builds of Clang's libraries.
std::string thisBuild() {
  static int Here;
  std::string Text = clang::getClangFullVersion() +
                     stateOf(Question::Made, sys::fs::getMainExecutable(nullptr, &Here));
  Dl_info Library;
  if (dladdr(reinterpret_cast<void *>(&clang::getClangFullVersion), &Library))
    Text += stateOf(Question::Made, Library.dli_fname);
  return Text;
}

/// What Clang's driver asks the environment for, beside the command.
std::string environment(bool IsCuda) {
  std::string Out;
  for (const char *Name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
        "OBJCPLUS_INCLUDE_PATH", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG",
        "GCC_EXEC_PREFIX", "SDKROOT", "SOURCE_DATE_EPOCH"})
    Out += '\0' + sys::Process::GetEnv(Name).value_or("");
  if (IsCuda) // a toolkit's tools are looked for
    Out += '\0' + sys::Process::GetEnv("PATH").value_or("");
  return Out;
}

std::string commandText(const SourceUnit &TheUnit) {
  std::string Out = TheUnit.File + '\0' + TheUnit.Directory;
  for (const std::string &Flag : clangCommand(TheUnit))
    Out += '\0' + Flag;
  return Out;
}

/// A file of CUDA may be read with our declarations in the place of the toolkit's.
std::string commandsText(const SourceUnit &TheUnit) {
  std::string Toolkit = addedToolkit(TheUnit), Out = commandText(TheUnit) + '\0' + Toolkit;
  if (Toolkit.empty())
    return Out;
  SourceUnit WithoutToolkit = TheUnit;
  WithoutToolkit.CudaPath = "none";
  return Out + '\0' + commandText(WithoutToolkit);
}

std::string optionsText(const UnitOptions &Options) {
  std::string Out;
  for (const RuleDescription &Rule : allRules())
    if (Options.Analysis.IsEnabled(Rule.Name))
      Out += Rule.Name.str() + " " + std::to_string(Options.Analysis.minBytes(Rule.Name)) + ",";
  return Out;
}

/// Without the signatures, which say when something was read, not what it said.
std::string answersIn(StringRef Reads) {
  std::string Out;
  while (!Reads.empty()) {
    auto [Line, Rest] = Reads.split('\n');
    auto [Answer, Place] = Line.split('\t');
    Out += (Answer + Place.split('\t').second + "\n").str();
    Reads = Rest;
  }
  return Out;
}

} // namespace

std::string resultKey(const SourceUnit &TheUnit, const UnitOptions &Options, bool IsAlone) {
  static const std::string Build = thisBuild();
  return digestOf(Build + '\0' + commandsText(TheUnit) + '\0' + environment(isCuda(TheUnit)) +
                  '\0' + optionsText(Options) + (IsAlone ? "alone" : ""));
}

ResultCache::ResultCache(const std::string &Folder, const std::string &Key,
                         std::shared_ptr<FileStates> States)
    : File(joinPath(Folder, Key + ResultEnding.str())), Key(Key), States(std::move(States)) {}

/// An entry begins with it: a part of one, or one of another unit, has another.
std::string ResultCache::seal(StringRef Text) const { return digestOf(Key + Text.str()); }

/// What follows the seal; "" where that is broken, or there is no entry.
std::string ResultCache::content() const {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer || (*Buffer)->getBufferSize() < DigestSize)
    return "";
  StringRef All = (*Buffer)->getBuffer(), Text = All.drop_front(DigestSize);
  return seal(Text) == All.take_front(DigestSize) ? Text.str() : "";
}

std::vector<std::string> ResultCache::listsOf(const std::string &Folder,
                                              const std::string &Key) try {
  std::vector<std::string> Out;
  json J = parseCbor(ResultCache(Folder, Key, nullptr).content());
  std::string Reads = J.at("reads");
  for (StringRef Line : split(Reads, '\n'))
    if (!Line.empty() && Question(Line.front()) == Question::Others)
      Out.push_back(Line.rsplit('\t').second.str());
  return Out;
} catch (const json::exception &) {
  return {};
}

/// \throws json::exception
void ResultCache::read(StringRef Text) {
  json J = parseCbor(Text);
  J.at("reads").get_to(Reads);
  if (!States->hold(Reads))
    return;
  for (json &Each : J.at("runs"))
    Known.push_back({Each.at("asked").get<Answers>(), std::move(Each.at("facts").get_binary()),
                     std::move(Each.at("result").get_binary())});
}

/// What is broken is as good as absent.
void ResultCache::load() try {
  IsLoaded = true;
  if (std::string Text = content(); !Text.empty())
    read(Text);
} catch (const json::exception &) {
  Known.clear();
}

std::optional<KnownResult> ResultCache::find(const ProjectIndex &Index, size_t Unit) try {
  if (!IsLoaded)
    load();
  auto Found = find_if(Known, [&](const Run &R) { return holds(R.Asked, Index, Unit); });
  if (Found == Known.end())
    return std::nullopt;
  KnownResult Out;
  Out.Facts.Asked = Found->Asked;
  fromBytes(Found->Facts, Out.Facts.Facts);
  fromBytes(Found->Result, Out.Result);
  markUsed(File);
  return Out;
} catch (const json::exception &) {
  return std::nullopt;
}

void ResultCache::write() const {
  json Runs = json::array();
  for (const Run &R : Known)
    Runs.push_back(
        {{"asked", R.Asked}, {"facts", json::binary(R.Facts)}, {"result", json::binary(R.Result)}});
  std::string Text;
  json::to_cbor({{"reads", Reads}, {"runs", std::move(Runs)}}, Text);
  writeToCache(File, seal(Text) + Text);
}

void ResultCache::add(const UnitFacts &Facts, const UnitResult &Result) {
  if (answersIn(Reads) != answersIn(Result.Reads))
    Known.clear();
  Reads = Result.Reads;
  UnitResult Rest = Result;
  Rest.Facts.clear();
  Rest.Reads.clear();
  Known.insert(Known.begin(), {Facts.Asked, toBytes(Facts.Facts), toBytes(Rest)});
  Known.resize(std::min(Known.size(), MaxKnown));
  write();
}

} // namespace tensorleak
