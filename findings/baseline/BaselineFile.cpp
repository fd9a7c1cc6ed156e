//===-- BaselineFile.cpp --------------------------------------------------===//
//
// Part of tensorleak, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "findings/Json.h"
#include "findings/baseline/Baseline.h"
#include "findings/files/ReplaceFile.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

using nlohmann::json;

namespace tensorleak {
namespace {

constexpr int FormatNumber = 1;
constexpr const char *Advice =
    "What tensorleak check --baseline sets aside. 'byHand' is for you: rule, file and function "
    "are globs, and a reason is needed. 'findings' is written by tensorleak baseline update; a "
    "reason that is added there stays.";

[[noreturn]] void refuse(const std::string &Path, const std::string &Why) {
  throw std::runtime_error("the baseline '" + Path + "' " + Why);
}

AcceptedByHand readByHand(const std::string &Path, const json &J) {
  AcceptedByHand Out{J.value("rule", ""), J.value("file", ""), J.value("function", ""),
                     J.value("reason", "")};
  if (Out.Reason.empty())
    refuse(Path, "has an entry in 'byHand' without a reason: " + J.dump() + "; add one");
  if (Out.Rule.empty() && Out.File.empty() && Out.Function.empty())
    refuse(Path, "has an entry in 'byHand' that accepts everything; name a rule, a file or a "
                 "function");
  return Out;
}

BaselineEntry readEntry(const json &J) {
  return {J.at("rule"),           J.at("file"),        J.value("function", ""),
          J.value("message", ""), J.value("line", ""), J.value("reason", ""),
          J.value("count", 1u)};
}

json writeEntry(const BaselineEntry &E) {
  json Out = {{"rule", E.Rule}, {"file", E.File}, {"message", E.Message}, {"count", E.Count}};
  auto Put = [&Out](const char *Key, const std::string &Value) {
    if (!Value.empty())
      Out[Key] = Value;
  };
  Put("function", E.Function);
  Put("line", E.Line);
  Put("reason", E.Reason);
  return Out;
}

json writeByHand(const AcceptedByHand &A) {
  json Out = {{"reason", A.Reason}};
  if (!A.Rule.empty())
    Out["rule"] = A.Rule;
  if (!A.File.empty())
    Out["file"] = A.File;
  if (!A.Function.empty())
    Out["function"] = A.Function;
  return Out;
}

} // namespace

Baseline Baseline::read(const std::string &Path) {
  std::ifstream In(Path);
  if (!In)
    refuse(Path, "cannot be read; make one with 'tensorleak baseline create'");
  json J = json::parse(In, nullptr, /*allow_exceptions=*/false);
  if (!J.is_object() || J.value("format", 0) != FormatNumber)
    refuse(Path, "is not one that this tensorleak writes; make it again with 'tensorleak baseline "
                 "create'");
  Baseline Out;
  try {
    for (const json &A : J.value("byHand", json::array()))
      Out.ByHand.push_back(readByHand(Path, A));
    for (const json &E : J.value("findings", json::array()))
      Out.Entries.push_back(readEntry(E));
  } catch (const json::exception &E) {
    refuse(Path, std::string("is broken: ") + E.what());
  }
  return Out;
}

void Baseline::write(const std::string &Path) const {
  json Hand = json::array(), Found = json::array();
  for (const AcceptedByHand &A : ByHand)
    Hand.push_back(writeByHand(A));
  for (const BaselineEntry &E : Entries)
    Found.push_back(writeEntry(E));
  std::ostringstream Text;
  printJson(Text,
            {{"about", Advice}, {"format", FormatNumber}, {"byHand", Hand}, {"findings", Found}});
  replaceFile(Path, Text.str());
}

} // namespace tensorleak
