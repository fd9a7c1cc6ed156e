//===-- TidyConfig.cpp ----------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "checks/frontend/TidyConfig.h"

#include "checks/frontend/Paths.h"
#include "checks/frontend/Project.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <vector>

using namespace llvm;

namespace tensorleak {
namespace {

constexpr StringLiteral RulePrefix = "tensor-";

std::string textOf(yaml::Node *Node) {
  SmallString<64> Storage;
  if (auto *Scalar = dyn_cast_or_null<yaml::ScalarNode>(Node))
    return Scalar->getValue(Storage).str();
  if (auto *Block = dyn_cast_or_null<yaml::BlockScalarNode>(Node))
    return Block->getValue().str();
  return "";
}

/// `Checks` is one string, or a list of them.
std::string checksText(yaml::Node *Node) {
  auto *List = dyn_cast_or_null<yaml::SequenceNode>(Node);
  if (!List)
    return textOf(Node);
  std::string Out;
  for (yaml::Node &Item : *List)
    Out += textOf(&Item) + ",";
  return Out;
}

/// Only those globs that name our rules: '*' and '-*' are about other checks.
std::string ownGlobs(StringRef Checks) {
  std::string Out;
  SmallVector<StringRef> Globs;
  Checks.split(Globs, ',');
  for (StringRef Glob : Globs) {
    Glob = Glob.trim();
    StringRef Name = Glob;
    Name.consume_front("-");
    if (Name.starts_with(RulePrefix))
      Out += Glob.str() + ",";
  }
  return Out;
}

void addOption(StringRef Name, const std::string &Value, TidyConfig &Out) {
  if (Name.starts_with(RulePrefix))
    Out.Options[Name.str()] = Value;
}

/// The older form of an option: a mapping with `key` and `value`.
void readOptionPair(yaml::MappingNode &Pair, TidyConfig &Out) {
  std::string Key, Value;
  for (yaml::KeyValueNode &Field : Pair) {
    std::string Name = textOf(Field.getKey());
    (Name == "key" ? Key : Value) = textOf(Field.getValue());
  }
  addOption(Key, Value, Out);
}

void readOptions(yaml::Node *Node, TidyConfig &Out) {
  if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Node))
    for (yaml::KeyValueNode &Option : *Map) {
      std::string Name = textOf(Option.getKey());
      addOption(Name, textOf(Option.getValue()), Out);
    }
  if (auto *List = dyn_cast_or_null<yaml::SequenceNode>(Node))
    for (yaml::Node &Item : *List)
      if (auto *Pair = dyn_cast<yaml::MappingNode>(&Item))
        readOptionPair(*Pair, Out);
}

void readConfig(yaml::MappingNode &Root, TidyConfig &Out, bool &Inherits) {
  for (yaml::KeyValueNode &Field : Root) {
    std::string Key = textOf(Field.getKey());
    if (Key == "Checks")
      Out.Checks = ownGlobs(checksText(Field.getValue()));
    else if (Key == "CheckOptions")
      readOptions(Field.getValue(), Out);
    else if (Key == "HeaderFilterRegex")
      Out.HeaderFilter = textOf(Field.getValue());
    else if (Key == "ExcludeHeaderFilterRegex")
      Out.ExcludeHeaderFilter = textOf(Field.getValue());
    else if (Key == "WarningsAsErrors")
      Out.WarningsAsErrors = checksText(Field.getValue()) + ",";
    else if (Key == "InheritParentConfig")
      Inherits = StringRef(textOf(Field.getValue())).equals_insensitive("true");
    else
      Field.skip();
  }
}

/// What an outer file says comes first, so that the inner one wins.
void inherit(TidyConfig &&Outer, TidyConfig &Inner) {
  Inner.Checks = Outer.Checks + Inner.Checks;
  Inner.Options.merge(Outer.Options);
  Inner.WarningsAsErrors = Outer.WarningsAsErrors + Inner.WarningsAsErrors;
  if (!Inner.HeaderFilter)
    Inner.HeaderFilter = Outer.HeaderFilter;
  if (!Inner.ExcludeHeaderFilter)
    Inner.ExcludeHeaderFilter = Outer.ExcludeHeaderFilter;
}

} // namespace

TidyConfig parseTidyConfig(StringRef Text, StringRef Path, bool &Inherits) {
  std::string Problem;
  SourceMgr Sources;
  Sources.setDiagHandler(
      [](const SMDiagnostic &D, void *Out) {
        *static_cast<std::string *>(Out) =
            std::to_string(D.getLineNo()) + ": " + D.getMessage().str();
      },
      &Problem);
  yaml::Stream Stream(MemoryBufferRef(Text, Path), Sources);
  TidyConfig Out;
  Inherits = false;
  if (auto Document = Stream.begin(); Document != Stream.end())
    if (auto *Root = dyn_cast_or_null<yaml::MappingNode>(Document->getRoot()))
      readConfig(*Root, Out, Inherits);
  if (Stream.failed())
    throw RequestError(Path.str() + ":" + Problem + "; mend the file, or remove it");
  return Out;
}

TidyConfig tidyConfigFor(StringRef File) {
  TidyConfig Out;
  for (StringRef Folder = sys::path::parent_path(File); !Folder.empty();
       Folder = sys::path::parent_path(Folder)) {
    std::string Path = joinPath(Folder, ".clang-tidy");
    auto Buffer = MemoryBuffer::getFile(Path);
    if (!Buffer)
      continue;
    bool Inherits = false;
    inherit(parseTidyConfig((*Buffer)->getBuffer(), Path, Inherits), Out);
    if (!Inherits)
      break;
  }
  return Out;
}

} // namespace tensorleak
